"""read_datasets.py RELEASE: every file of JSON lines of a release as a Dataset, with as many rows
as the manifest counts, and the prompts of every family."""

import sys

import wikinav
from wikinav.integrations import FAMILIES
from wikinav.integrations.datasets import load

release = wikinav.Release(sys.argv[1])
files = {f["path"]: f["rows"] for f in release.manifest["files"]
         if f["path"].endswith(".jsonl") and f["rows"]}
for file, rows in files.items():
    assert len(load(sys.argv[1], split=file)) == rows, file
print(f"datasets: {len(files)} files, {sum(files.values())} rows, as the manifest says")
assert sorted(release.families()) == sorted(FAMILIES), "a family is not registered"
for family, splits in release.families().items():
    rows = load(sys.argv[1], family)
    assert len(rows) == sum(len(load(sys.argv[1], family, split)) for split in splits), family
    print(f"datasets: {len(rows)} rows of {family}, {len(splits)} splits")
    prompts = load(str(release.path), family, splits[0], prompts=True)
    assert all(turn["content"] for row in prompts for turn in row["prompt"]), family
    print(f"datasets: {len(prompts)} prompts of {family}, {splits[0]}")
