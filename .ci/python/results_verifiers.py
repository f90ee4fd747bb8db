"""results_verifiers.py OUTPUTS OUT: what the traces of runs of verifiers say of their games, in
OUT/FAMILY/results for runs named by a family, and in OUT/docs for the one that is not."""

import json
import pathlib
import sys

from wikinav.integrations import FAMILIES

outputs, out = map(pathlib.Path, sys.argv[1:])
for file in outputs.glob("**/traces.jsonl"):
    games = []
    for line in file.read_text().splitlines():
        trace, = json.loads(line)["traces"]
        assert trace["ok"], trace["errors"]
        end = trace["info"]["wikinav"]
        reward = trace["rewards"]["game"]
        assert trace["metrics"]["turns"] == end["turns"] == len(trace["calls"]), trace["metrics"]
        games.append({"instance": trace["task"]["data"]["id"], "outcome": end["outcome"],
                      "reward": reward["score"] * reward["weight"]})
    family = file.parent.name
    to = out / family / "results" if family in FAMILIES else out / "docs"
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text("".join(json.dumps(game) + "\n" for game in games))
