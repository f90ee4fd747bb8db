"""verifiers: a taskset, its harness and environment, `vf-eval wikinav-verifiers`.

A task is a task of the release. The harness plays the game to its end: each turn is a request to
the model that verifiers evaluates or trains, in the words and with the tools in which `wikinav-eval
play` asks one. A prompt that does not go on with the dialogue, which many families' default rules
ask for, is a branch of the trace. The reward is the sum of the game's rewards. With
`--env.taskset.log DIR` each game is in a run directory, which `wikinav-eval score` plays again.

verifiers finds a taskset by the name of a module without dots, which is wikinav_verifiers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx
import verifiers.v1 as vf

from ._table import Table, calls_of, client_name, table_of

__all__ = ["WikinavEnv", "WikinavHarness", "WikinavTaskset"]

INFO = "wikinav"  # key of a trace's info under which the end of its game stands


class WikinavConfig(vf.TasksetConfig):
    release: str = "demo-release"
    """Directory of the release."""
    family: str = "wikirace"
    split: str | None = None
    """Split that is played, by default all."""
    options: list[str] = []
    """Rules that differ from the family's, NAME=VALUE."""
    reward: str = "success"
    """success, shaped or accuracy; see `wikinav-eval env --help`."""
    log: str | None = None
    """Folder in which every game is kept, in run directories."""
    prompt: str | None = None
    """File of templates in place of the family's words."""
    binary: str | None = None
    """The program, by default WIKINAV_EVAL or the one in the PATH."""


class WikinavData(vf.TaskData):
    settings: dict[str, Any]
    """What the harness needs to play: those of the taskset."""


class WikinavTask(vf.Task[WikinavData, vf.State, vf.TaskConfig]):
    @vf.reward
    async def game(self, trace: vf.Trace) -> float:
        return float(trace.info.get(INFO, {}).get("reward", 0))

    @vf.metric
    async def turns(self, trace: vf.Trace) -> float:
        return float(trace.info.get(INFO, {}).get("turns", 0))


class WikinavTaskset(vf.Taskset[WikinavTask, WikinavConfig]):
    def load(self) -> Iterator[WikinavTask]:
        c = self.config
        rules = c.model_dump(include={"release", "family", "split", "options", "reward", "prompt",
                                      "binary"})
        with Table(**rules) as table:
            for task in table.tasks:
                system, prompt = divided(table.opening(task["id"]))
                data = WikinavData(id=task["id"], name=task["id"], prompt=prompt,
                                   system_prompt=system, settings={**rules, "log": c.log})
                yield WikinavTask(data, c.task)


class WikinavHarness(vf.Harness[vf.HarnessConfig]):
    """Plays in this process; it starts no program."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(self, ctx: vf.ModelContext, trace: vf.Trace, runtime: vf.Runtime,
                     endpoint: str, secret: str, mcp_urls: dict[str, str],
                     data: WikinavData) -> vf.ProgramResult:
        settings = {**data.settings, "options": tuple(data.settings["options"])}
        table = table_of(**settings, client=client_name(ctx.model))
        headers = {"Authorization": f"Bearer {secret}"}
        async with httpx.AsyncClient(base_url=endpoint, headers=headers, timeout=None) as http:
            with table.seat() as seat:
                info = await asyncio.to_thread(seat.start, data.id)
                tools = {"tools": info["tools"]} if "tools" in info else {}
                while not seat.done:
                    body = {"model": ctx.model, "messages": info["messages"], **tools}
                    answer = await http.post("chat/completions", json=body)
                    if answer.is_error:
                        return vf.ProgramResult(1, "", answer.text)
                    info = await asyncio.to_thread(seat.step, spoken(answer.json()))
                    trace.info[INFO] = seat.result()
        return vf.ProgramResult(0, "", "")


class WikinavEnvConfig(vf.EnvConfig):
    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())
    """The player; its harness starts nothing, so that no container is needed."""


class WikinavEnv(vf.Env[WikinavEnvConfig]):
    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        await agents.agent.run(task)


def divided(messages: list[dict[str, Any]]) -> tuple[str | None, list[dict[str, Any]]]:
    """Returns the system message, which verifiers keeps apart, and the others."""
    if messages[0]["role"] == "system":
        return messages[0]["content"], messages[1:]
    return None, messages


def spoken(answer: dict[str, Any]) -> dict[str, Any]:
    """Returns what a model said as a turn of wikinav's protocol."""
    message = answer["choices"][0]["message"]
    turn: dict[str, Any] = {"text": message.get("content") or ""}
    if calls := message.get("tool_calls"):
        turn["calls"] = calls_of(calls)
    if thought := message.get("reasoning_content") or message.get("reasoning"):
        turn["reasoning"] = thought
    if usage := answer.get("usage"):
        details = usage.get("completion_tokens_details") or {}
        turn["usage"] = {"prompt": usage["prompt_tokens"], "output": usage["completion_tokens"],
                         "reasoning": details.get("reasoning_tokens") or 0}
    return turn
