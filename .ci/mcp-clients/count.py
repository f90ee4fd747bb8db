"""count.py PROGRAM RELEASE RUNS COUNTED: plays ten games over standard input and output and twenty
over HTTP with the official Python SDK, and counts what they used.

Each call that makes a turn tells tokens and cost in its _meta, as a harness would that asked a
model. Over HTTP the games are played side by side, in sessions of their own: ten of them begin what
they choose, ten what their address names, for a player that it names as well.
"""

import asyncio
import json
import subprocess
import sys
from contextlib import asynccontextmanager

from mcp import Client, StdioServerParameters, stdio_client

from client import call, expect, fails

GAMES = 10
COST = "0.00125"  # of a turn


def choose(seen):
    wanted = set(seen["target"]["title"].lower())
    fresh = [link for link in seen["links"] if link["title"] not in seen["visited"]]
    return max(fresh or seen["links"], key=lambda link: len(wanted & set(link["title"].lower())))["i"]


async def play(client, name, counted, **begin):
    """Plays one game to its end. Repeats a turn now and then: that counts once, and so does what it used."""
    seen = (await call(client, "start_game", **begin))["observation"]
    expect(seen["instance"], name, "the instance that begins")
    while not seen["done"]:
        used = {"prompt": sum(len(link["title"]) for link in seen["links"]), "output": 20, "reasoning": 7}
        move = {"step": seen["step"], "choice": choose(seen)}
        meta = {"wikinav/usage": used, "wikinav/cost": COST}
        result = await client.call_tool("click_link", move, meta=meta)
        if seen["step"] % 5 == 0:
            again = await client.call_tool("click_link", move, meta=meta)
            expect(again.structured_content, result.structured_content, "the same turn again")
        if result.is_error or COST in result.content[0].text:
            sys.exit(f"click_link {move}: {result.content[0].text}")
        for kind, n in used.items():
            counted[kind] += n
        counted["turns"] += 1
        seen = result.structured_content["observation"]
    counted["games"].append([name, seen["outcome"]])


def counting(player):
    return {"player": player, "games": [], "turns": 0, "prompt": 0, "output": 0, "reasoning": 0,
            "cost_per_turn": COST}


async def over_stdio(program, release, runs):
    counted = counting("stdio")
    arguments = ["mcp", "--release", release, "--log", runs, "--model", "stdio"]
    parameters = StdioServerParameters(command=program, args=arguments)
    async with Client(stdio_client(parameters)) as client:
        page = await call(client, "list_instances", split="easy", limit=GAMES)
        for item in page["items"]:
            await play(client, item["id"], counted, instance=item["id"])
    return counted, [item["id"] for item in page["items"]]


@asynccontextmanager
async def listening(*command):
    """Runs the server, and yields its address. It must end well on SIGTERM."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            yield json.loads(server.stdout.readline())["url"]
        finally:
            server.terminate()
        expect(server.wait(), 0, "exit of the server")


async def over_http(program, release, runs, instances):
    counted, addressed = counting("web"), counting("addressed")

    async def chosen(instance):
        async with Client(url) as client:
            await play(client, instance, counted, instance=instance)

    async def pinned(instance):
        async with Client(f"{url}/{instance}?model=addressed") as client:
            await fails(client, "instance_not_found", "no instance", "start_game", instance="nowhere")
            await play(client, instance, addressed)

    arguments = ["--release", release, "--log", runs, "--model", "web", "--listen", "127.0.0.1:0"]
    async with listening(program, "mcp", *arguments, "--json") as url:
        await asyncio.gather(*map(chosen, instances), *map(pinned, instances))
    return counted, addressed


async def main(program, release, runs, counted_in):
    stdio, instances = await over_stdio(program, release, runs)
    web, addressed = await over_http(program, release, runs, instances)
    for counted in web, addressed:
        expect(sorted(counted["games"]), sorted(stdio["games"]), "games over HTTP, as over stdio")
    with open(counted_in, "w", encoding="utf-8") as out:
        json.dump([stdio, web, addressed], out)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
