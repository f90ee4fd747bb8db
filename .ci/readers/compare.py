"""compare.py RELEASE FACTS...: what the readers wrote down of one release must be what the manifest
says, and equal. Facts of a twin of the release are of the same files, but for its own shards."""

import json
import os
import sys

from facts import same

release, *paths = sys.argv[1:]
with open(os.path.join(release, "manifest.json")) as f:
    manifest = json.load(f)
files = {f["path"]: f for f in manifest["files"]}
facts = []
for path in paths:
    with open(path) as f:
        facts.append(json.load(f))

wrong, compared, read_by = [], 0, {path: [] for path in files}
for said in facts:
    for path, got in said["files"].items():
        if path not in files:
            continue
        read_by[path].append(said["reader"])
        if got["rows"] is not None and files[path].get("rows") is not None and got["rows"] != files[path]["rows"]:
            wrong.append(f"{said['reader']}: {path}: {got['rows']} rows, the manifest says {files[path]['rows']}")

for path in files:  # every reader against the first that knows the column
    first = {}
    for said in facts:
        for column, value in said["files"].get(path, {"columns": {}})["columns"].items():
            reader, want = first.setdefault(column, (said["reader"], value))
            compared += reader != said["reader"]
            if not same(value, want):
                wrong.append(f"{path}: {column}: {said['reader']} has {value}, {reader} {want}")

edges = {d: said["files"]["graph/graph.arrow"]["columns"][d + "[]"]
         for said in facts if "graph/graph.arrow" in said["files"]
         for d in ("successors", "predecessors")}
for direction, n in edges.items():
    if n != manifest["graph"]["edges"]:
        wrong.append(f"graph/graph.arrow: {direction}: {n} edges, the manifest says {manifest['graph']['edges']}")
sampled = [(said["reader"], said["distances"]) for said in facts if said["distances"]]
for reader, distances in sampled:
    if distances != sampled[0][1]:
        wrong.append(f"{reader} has other distances than {sampled[0][0]}")
wrong += [f"{path}: nothing read it" for path, readers in read_by.items() if not readers]

kinds = sorted({os.path.splitext(path)[1] for path in files})
for said in facts:
    counts = [(kind, *(sum(p.endswith(kind) and p in files for p in said[what]) for what in ("files", "skipped")))
              for kind in kinds]
    cells = [f"{n} `{kind}`" + (f" ({lost} not)" if lost else "") for kind, n, lost in counts if n or lost]
    print(f"| {said['reader']} | " + ", ".join(cells) + " |")
    for path, why in said["skipped"].items():
        print(f"  {said['reader']} does not read {path}: {why}")
readers = [len(r) for r in read_by.values()]
print(f"{len(files)} files, each read by {min(readers)} to {max(readers)} readers; "
      f"{compared} sums of columns and {sum(len(d) for _, d in sampled)} distances compared; "
      f"{manifest['graph']['edges']} edges")
sys.exit("\n".join(wrong[:50]) if wrong else 0)
