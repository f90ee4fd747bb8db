"""Inspect AI: a task for each family, `inspect eval wikinav/wikirace -T release=demo-release`.

A sample is a task of the release, and its input the first prompt. The solver plays the game to its
end in the words and by the tools in which `wikinav-eval play` asks a model, and the score is the
sum of the game's rewards. With `-T log=DIR` each game is in a run directory, which `wikinav-eval
score` plays again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from anyio import to_thread
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ContentReasoning,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall, ToolInfo, ToolParams

from . import FAMILIES
from ._table import Table, client_name, table_of

STORE = "wikinav"  # key of a sample's store under which the end of its game stands


def play(family: str, release: str, split: str | None = None, options: str | Sequence[str] = "",
         reward: str = "success", log: str | None = None, prompt: str | None = None,
         binary: str | None = None) -> Task:
    """Returns the task that plays a split of a family, or all of them.

    options are rules that differ from the family's, NAME=VALUE; prompt is a file of templates.
    """
    options = options if isinstance(options, str) else tuple(options)
    rules: dict[str, Any] = {
        "release": release, "family": family, "split": split, "options": options,
        "reward": reward, "prompt": prompt, "binary": binary,
    }
    with Table(**rules) as table:
        samples = [
            Sample(id=t["id"], input=[chat_message(m) for m in table.opening(t["id"])],
                   metadata={"split": t["split"], "release": table.release_id})
            for t in table.tasks
        ]
    return Task(dataset=MemoryDataset(samples, name=family), solver=player(log=log, **rules),
                scorer=game())


@solver
def player(**rules: Any) -> Solver:
    """Plays a sample's game, at one table with all samples of a model."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        table = table_of(client=client_name(model.name), **rules)
        state.store.set(STORE, {"reward": 0.0, "turns": 0, "outcome": "unfinished"})
        with table.seat() as seat:
            info = await to_thread.run_sync(partial(seat.start, str(state.sample_id)))
            tools = [tool_info(t) for t in info.get("tools", ())]
            while not seat.done:
                state.messages = [chat_message(m) for m in info["messages"]]
                state.output = await model.generate(state.messages, tools=tools)
                info = await to_thread.run_sync(partial(seat.step, spoken(state.output)))
                state.store.set(STORE, seat.result())
            state.messages.append(state.output.message)
        return state

    return solve


@scorer(metrics=[mean(), stderr()])
def game() -> Scorer:
    """Scores a game by the sum of its rewards."""

    async def score(state: TaskState, target: Target) -> Score:
        end = state.store.get(STORE)
        return Score(value=end["reward"], answer=end["outcome"], metadata=end)

    return score


def chat_message(message: dict[str, Any]) -> ChatMessage:
    """Returns a message of wikinav, in the form of chat completions, as Inspect's."""
    content = message["content"]
    match message["role"]:
        case "system":
            return ChatMessageSystem(content=content)
        case "tool":
            return ChatMessageTool(content=content, tool_call_id=message.get("tool_call_id"))
        case "assistant":
            calls = [tool_call(c) for c in message.get("tool_calls", ())]
            return ChatMessageAssistant(content=content, tool_calls=calls or None)
    return ChatMessageUser(content=content)


def tool_call(call: dict[str, Any]) -> ToolCall:
    """Returns a call; arguments that are no JSON object become one under the name `raw`."""
    function = call["function"]
    try:
        arguments = json.loads(function["arguments"])
    except json.JSONDecodeError:
        arguments = function["arguments"]
    if not isinstance(arguments, dict):
        arguments = {"raw": arguments}
    return ToolCall(id=call["id"], function=function["name"], arguments=arguments)


def tool_info(tool: dict[str, Any]) -> ToolInfo:
    """Returns a tool of chat completions. Inspect forbids further arguments unless told."""
    function = tool["function"]
    parameters = {"additionalProperties": True, **function["parameters"]}
    return ToolInfo(name=function["name"], description=function["description"],
                    parameters=ToolParams.model_validate(parameters))


def spoken(output: ModelOutput) -> dict[str, Any]:
    """Returns what a model said as a turn of wikinav's protocol."""
    turn: dict[str, Any] = {"text": output.completion}
    if output.message.tool_calls:
        turn["calls"] = [{"id": c.id, "name": c.function, "arguments": c.arguments}
                         for c in output.message.tool_calls]
    content = output.message.content
    if thought := [c.reasoning for c in content if isinstance(c, ContentReasoning)]:
        turn["reasoning"] = "\n".join(thought)
    if u := output.usage:
        cached = (u.input_tokens_cache_read or 0) + (u.input_tokens_cache_write or 0)
        turn["usage"] = {"prompt": u.input_tokens + cached, "output": u.output_tokens,
                         "reasoning": u.reasoning_tokens or 0}
    return turn


def register(family: str) -> None:
    """Registers wikinav/FAMILY with Inspect."""

    def family_task(release: str = "demo-release", split: str | None = None,
                    options: str | list[str] = "", reward: str = "success",
                    log: str | None = None, prompt: str | None = None,
                    binary: str | None = None) -> Task:
        return play(family, release, split, options, reward, log, prompt, binary)

    family_task.__name__ = family
    task(name=family)(family_task)


for _family in FAMILIES:
    register(_family)
