"""Plays games of a release through `wikinav-eval mcp`, as a client that we did not write: the official Python SDK.

The SDK checks every result against the schema that the tool lists. What the games were is then read in the score of their log.
"""

import asyncio
import json
import pathlib
import subprocess
import sys

from mcp import Client, ClientSession, StdioServerParameters, stdio_client

TOOLS = ["click_link", "give_up", "list_instances", "observe", "start_game"]
ORACLE = ["oracle_distance", "oracle_plan", "oracle_state"]


def expect(got, want, what):
    if got != want:
        sys.exit(f"{what}: got {got!r}, want {want!r}")


async def call(session, tool, **arguments):
    """Calls a tool that must succeed, and gives its value, which must stand in the text, too."""
    result = await session.call_tool(tool, arguments)
    if result.is_error:
        sys.exit(f"{tool} {arguments}: {result.content[0].text}")
    expect(json.loads(result.content[0].text), result.structured_content, f"text of {tool}")
    return result.structured_content


async def fails(session, code, words, tool, **arguments):
    """Calls a tool that must refuse its arguments with a code and in words that a person understands."""
    result = await session.call_tool(tool, arguments)
    text = result.content[0].text
    if not result.is_error or not text.startswith(code + ": ") or words not in text:
        sys.exit(f"{tool} {arguments}: got {text!r}, want the code {code} and the words {words!r}")


async def errors(session, first):
    """Each mistake has an answer of its own, and none of them counts as a turn."""
    await fails(session, "bad_field", "no split", "list_instances", split="nowhere")
    await fails(session, "instance_not_found", "nowhere", "start_game", instance="nowhere")
    await fails(session, "bad_option", "speed", "start_game", instance=first, options={"speed": "high"})
    await fails(session, "bad_option", "oracle", "start_game", instance=first, options={"oracle": "P", "renderer": "chat"})
    await call(session, "start_game", instance=first)
    await fails(session, "game_running", "restart", "start_game", instance=first)
    await fails(session, "bad_field", "whole number", "click_link", step="1", choice=0)
    await fails(session, "bad_field", "step", "click_link", choice=0)
    await fails(session, "bad_field", "choice", "click_link", step=1)
    await fails(session, "bad_field", "title", "click_link", step=1, choice=0, title="x")
    await fails(session, "unknown_field", "page", "click_link", step=1, page=0)
    await fails(session, "step_ahead", "1", "click_link", step=2, choice=0)
    expect((await call(session, "observe"))["observation"]["step"], 1, "turn after errors")
    await call(session, "give_up", step=1)
    await fails(session, "game_over", "over", "click_link", step=1, choice=0)


async def play(session, instance, choose):
    """Plays one game, and gives its outcome and the number of its turns."""
    state = await call(session, "start_game", instance=instance)
    seen = state["observation"]
    if seen["target"]["title"] not in seen["task"] or "click_link" not in seen["task"]:
        sys.exit(f"the first observation does not tell the task: {seen}")
    turns = 0
    while not seen["done"]:
        state = await call(session, "click_link", step=seen["step"], choice=await choose(session, seen))
        expect((state["valid"], state["done"]), (True, state["observation"]["done"]), f"turn {seen['step']} of {instance}")
        turns, seen = seen["step"], state["observation"]
    expect(state["outcome"], seen["outcome"], f"outcome of {instance}")
    return seen["outcome"], turns


async def first_link(_, seen):
    return seen["links"][0]["i"]


def planned(choices):
    """Follows the oracle's plan, and writes down its choices."""

    async def choose(session, _):
        choices.append((await call(session, "oracle_plan"))["plan"]["i"])
        return choices[-1]

    return choose


def noted(choices):
    async def choose(_, seen):
        return choices[seen["step"] - 1]

    return choose


async def main(program, release, logs):
    def server(*flags):
        return stdio_client(StdioServerParameters(command=program, args=["mcp", "--release", release, *flags]))

    split = "easy"  # one of the races: the manifest lists the sets of other families, too

    async with server("--expose-oracle") as streams, ClientSession(*streams) as session:
        await session.initialize()
        expect(sorted(t.name for t in (await session.list_tools()).tools), sorted(TOOLS + ORACLE), "tools with the oracle")
        page = await call(session, "list_instances", split=split, limit=4)
        ids = [item["id"] for item in page["items"]]
        expect((len(ids), page["total"] >= 4), (4, True), "instances")
        expect((await call(session, "list_instances", split=split, offset=page["total"]))["items"], [], "page after the last")
        plans = {i: [] for i in ids}
        for i in ids:
            await call(session, "start_game", instance=i)
            distance = (await call(session, "oracle_distance"))["distance"]
            await call(session, "give_up", step=1)
            expect(await play(session, i, planned(plans[i])), ("success", distance), f"planned game of {i}")

    async with server("--log", logs, "--model", "python") as streams, ClientSession(*streams) as session:
        await session.initialize()
        expect(sorted(t.name for t in (await session.list_tools()).tools), TOOLS, "tools")
        await errors(session, ids[0])
        played = [await play(session, ids[1], first_link)] + [await play(session, i, noted(plans[i])) for i in ids[2:]]

    async with Client(server()) as client:  # asks for the newest protocol, without the handshake of the older ones
        expect(sorted(t.name for t in (await client.list_tools()).tools), TOOLS, "tools without a handshake")
        await call(client, "start_game", instance=ids[0])
        moves = [client.call_tool("click_link", {"step": 1, "choice": 0}) for _ in range(50)]
        answers = [r.structured_content for r in await asyncio.gather(*moves)]
        expect(answers, answers[:1] * 50, "the same move fifty times at once")
        expect((await call(client, "observe"))["observation"]["step"], 2, "turn after it")

    runs = list(pathlib.Path(logs).glob("**/run.json"))
    expect(len(runs), 1, "runs in the log")
    score = [program, "score", "--release", release, "--trajectories", runs[0].parent, "--partial", "--json"]
    rows = json.loads(subprocess.run(score, check=True, capture_output=True).stdout)["rows"]
    games = [json.loads(line) for line in pathlib.Path(runs[0].parent, "games.jsonl").read_text().splitlines()]
    expect([(g["outcome"], g["turns"]) for g in games], [("gave_up", 0), *played], "games in the log")
    won = sum(outcome == "success" for outcome, _ in played)
    expect(rows[0]["metrics"]["success_rate"]["num"], won, "successes in the score")
    print(f"mcp: the Python SDK played {len(ids)} games by the oracle's plan and {len(games)} into a log, {won} of them won, and so says the score")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
