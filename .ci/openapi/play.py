"""play.py URL COUNTED: plays ten games with the client that openapi-python-client made of
/openapi.json, and counts what it used.

The answers are the generated types; nothing here knows how they came over the wire. Where a model
would be asked, it takes the link whose title has most letters in common with the target's.
"""

import json
import sys

from wikinav_http import Client
from wikinav_http.api.games import game, give_up, move, start_game, trace
from wikinav_http.api.instances import list_instances
from wikinav_http.api.manifest import manifest
from wikinav_http.api.server import health
from wikinav_http.models import MoveBody, Refused, StartBody, StepBody, Usage

GAMES = 10
COST = "0.00125"  # of a turn


def expect(got, want, what):
    if got != want:
        sys.exit(f"{what}: got {got!r}, want {want!r}")


def choose(seen):
    wanted = set(seen.target.title.lower())
    fresh = [link for link in seen.links if link.title not in seen.visited]
    return max(fresh or seen.links, key=lambda link: len(wanted & set(link.title.lower()))).i


def play(client, instance, counted):
    started = start_game.sync(client=client, body=StartBody(instance=instance, client_id="generated"))
    seen = started.observation
    while not seen.done:
        prompt = sum(len(link.title) for link in seen.links)
        used = Usage(prompt=prompt, output=20, reasoning=7)
        turn = MoveBody(step=seen.step, choice=choose(seen), usage=used, cost=COST)
        result = move.sync(started.game, client=client, body=turn)
        expect(result.valid, True, f"turn {seen.step} of {instance}")
        counted["prompt"] += prompt
        counted["output"] += 20
        counted["reasoning"] += 7
        counted["turns"] += 1
        seen = result.observation
    expect(game.sync(started.game, client=client).outcome, seen.outcome, f"outcome of {instance}")
    steps = trace.sync(started.game, client=client).steps
    expect((steps[-1].to is not None, steps[-1].usage.output), (True, 20), f"trace of {instance}")
    counted["games"].append([instance, seen.outcome])


def refusals(client, instance):
    """Each error is one of the generated types, too."""
    nowhere = start_game.sync_detailed(client=client, body=StartBody(instance="nowhere"))
    expect((nowhere.status_code, nowhere.parsed.error.code), (404, "instance_not_found"), "a game of no instance")
    started = start_game.sync(client=client, body=StartBody(instance=instance, client_id="refused"))
    early = move.sync(started.game, client=client, body=MoveBody(step=2, choice=0))
    expect((type(early), early.error.code), (Refused, "step_ahead"), "a move too early")
    ended = give_up.sync(started.game, client=client, body=StepBody(step=1))
    expect(ended.outcome, "gave_up", "a game that is given up")
    unknown = list_instances.sync(client=client, split="nowhere")
    expect(unknown.error.field, "split", "a split that there is not")


def main(url, counted_in):
    with Client(url, raise_on_unexpected_status=True) as client:
        expect(health.sync(client=client).release, manifest.sync(client=client).id, "the release")
        page = list_instances.sync(client=client, split="easy", limit=GAMES)
        expect((len(page.items), page.total >= GAMES), (GAMES, True), "instances")
        refusals(client, page.items[0].id)
        counted = {"player": "generated", "games": [], "turns": 0, "prompt": 0, "output": 0,
                   "reasoning": 0, "cost_per_turn": COST}
        for item in page.items:
            play(client, item.id, counted)
    with open(counted_in, "w", encoding="utf-8") as out:
        json.dump([counted], out)


if __name__ == "__main__":
    main(*sys.argv[1:])
