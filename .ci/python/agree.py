"""agree.py RELEASE FAMILY RUNS RESULTS: what a framework says of its games is what a replay of
their log says. RUNS is a folder of run directories, RESULTS JSON lines of a game each: instance,
reward, outcome."""

import collections
import json
import pathlib
import subprocess
import sys

# The metric of each family's score that a game of reward 1 counts in.
WON = {"wikirace": "success_rate", "probe": "accuracy", "onestep": "reward", "constrained": "sr",
       "mango": "strict_all_micro", "lumina": "success_rate", "aar": "success_rate"}


def replayed(release, family, run):
    """The number of games that a run's score counts, and how many of them were won."""
    command = ["wikinav-eval", "score", "--release", release, "--family", family,
               "--trajectories", run, "--partial", "--json"]
    scores = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    assert scores["disagreements"] == [], scores["disagreements"]
    rows = [row for row in scores["rows"]
            if row["n"] and all(part["name"] == "config" for part in row["by"])]
    metrics = [row["metrics"][WON[family]] for row in rows]
    return sum(row["n"] for row in rows), sum(m["den"] * float(m["value"]) for m in metrics)


def logged(run):
    """The outcomes of a run's games, as far as its log has them."""
    lines = [json.loads(line) for name in ("games", "episodes")
             for file in run.glob(f"{name}.jsonl") for line in file.read_text().splitlines()]
    return collections.Counter(line["outcome"] for line in lines)


def main(release, family, runs, results):
    runs = [file.parent for file in sorted(pathlib.Path(runs).glob("*/run.json"))]
    games = [json.loads(line) for line in pathlib.Path(results).read_text().splitlines()]
    assert games and runs, (games, runs)
    scores = [replayed(release, family, run) for run in runs]
    n, won = sum(s[0] for s in scores), sum(s[1] for s in scores)
    assert n == len(games), f"{n} games in the log, {len(games)} in the framework"
    reward = sum(game["reward"] for game in games)
    assert abs(reward - won) < 1e-3, f"score: {won} won; framework: {reward}"
    outcomes = sum((logged(run) for run in runs), collections.Counter())
    told = collections.Counter(game["outcome"] for game in games)
    assert not outcomes or outcomes == told, (outcomes, told)
    print(f"{family}: {n} games, {won:g} won, {dict(told)}; so says the replay of "
          f"{len(runs)} run{'s' * (len(runs) > 1)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
