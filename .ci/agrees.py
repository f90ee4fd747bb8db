"""agrees.py WIKINAV-EVAL RELEASE RUNS COUNTED: wants the score of logged games to agree with what
their clients counted.

COUNTED is a list of objects: player, games as pairs of instance and outcome, turns, prompt, output,
reasoning, and cost_per_turn. Each player has one run below RUNS, which `score` replays.
"""

import decimal
import json
import pathlib
import subprocess
import sys


def expect(got, want, what):
    if got != want:
        sys.exit(f"{what}: got {got!r}, want {want!r}")


def near(got, want, what):
    if abs(decimal.Decimal(got) - want) > want * decimal.Decimal("0.00001"):
        sys.exit(f"{what}: got {got}, want {want}")


def check(program, release, run, counted):
    command = [program, "score", "--release", release, "--trajectories", run, "--partial", "--json"]
    scores = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    expect((scores["disagreements"], scores["unlisted"]), ([], 0), "disagreements of the replay")
    row = scores["rows"][0]
    outcomes = {}
    for _, outcome in counted["games"]:
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    expect(row["outcomes"], outcomes, "outcomes")
    expect(row["metrics"]["success_rate"]["num"], outcomes.get("success", 0), "successes")
    used = {name: counted[name] for name in ("prompt", "output", "reasoning")}
    expect({name: row["usage"][name] for name in used}, used, "tokens")
    turns = decimal.Decimal(counted["turns"])
    cost = decimal.Decimal(counted["cost_per_turn"])
    near(row["cost"], turns * cost, "cost")
    expect(row["currency"], "USD", "currency")
    near(row["metrics"]["tokens_per_step"]["value"], counted["output"] / turns, "tokens of output a step")
    near(row["metrics"]["prompt_tokens_per_step"]["value"], counted["prompt"] / turns, "tokens of prompts a step")
    near(row["metrics"]["cost_per_step"]["value"], cost, "cost a step")
    near(row["metrics"]["cost_per_game"]["value"], turns * cost / len(counted["games"]), "cost a game")
    logged = [json.loads(line) for line in (run / "games.jsonl").read_text().splitlines()]
    expect(sorted([g["instance"], g["outcome"]] for g in logged), sorted(counted["games"]), "games in the log")
    return outcomes.get("success", 0)


def main(program, release, runs, counted_in):
    for counted in json.loads(pathlib.Path(counted_in).read_text()):
        found = list(pathlib.Path(runs).glob(f"{counted['player']}-*/run.json"))
        expect(len(found), 1, f"runs of {counted['player']}")
        won = check(program, release, found[0].parent, counted)
        games, turns = len(counted["games"]), counted["turns"]
        print(f"{counted['player']}: {games} games, {turns} turns, {won} won, and so says the score")


if __name__ == "__main__":
    main(*sys.argv[1:])
