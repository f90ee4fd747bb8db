"""The reader of packed distances of docs/packed_distances.py, which has Python's own library alone:
every column whole, against the counts of columns.arrow and, where the release has them, the same
distances as Parquet, and 200 distances looked up by themselves."""

import collections
import os
import pathlib
import platform
import sys

import pyarrow.ipc
import pyarrow.parquet

from facts import RELEASE, Facts

sys.path.append(str(pathlib.Path(__file__).parents[2] / "docs"))
from packed_distances import PackedDistances  # noqa: E402

facts = Facts(f"packed_distances.py, Python {platform.python_version()}")
with open(os.path.join(RELEASE, "distances", "columns.arrow"), "rb") as f:
    sidecar = pyarrow.ipc.open_file(f).read_all().to_pylist()
graph = {f["path"]: f["sha256"] for f in facts.manifest["files"]}["graph/graph.arrow"]
shards = {}
for path, place in facts.paths(".packed"):
    number = int(path.split("-")[-1].split(".")[0])
    shard = shards[place] = PackedDistances(place)
    columns = [shard.column(i) for i in range(shard.columns)]
    assert (shard.nodes, shard.graph_sha256) == (facts.manifest["graph"]["nodes"], graph), path
    rows = [c for c in sidecar if c["shard"] == number]
    assert [c["row"] for c in rows] == list(range(len(columns))), path
    for want, column in zip(rows, columns):
        count = collections.Counter(column)
        counted = [count[d] for d in range(16)] + [count[255]]
        assert counted == [want[f"at_{d}"] for d in range(16)] + [want["unreached"]], (path, want["title"])
        assert column[want["node"]] == 0 and sum(count.values()) == sum(counted) + want["at_more"], path
    facts.add(path, shard.columns * shard.nodes, {"distance": sum(map(sum, columns))})
    long = place.replace(".packed", ".parquet")
    if os.path.exists(long):
        table = pyarrow.parquet.read_table(long)
        assert table["distance"].to_pylist() == list(b"".join(columns)), long
        assert table["node"].to_pylist() == list(range(shard.nodes)) * shard.columns, long
        assert table["target"].to_pylist() == [c["node"] for c in rows for _ in range(shard.nodes)], long
        print(f"{path}: {table.num_rows} distances as in {os.path.basename(long)}")

facts.distances(lambda name: [c[name] for c in sidecar], lambda place, i, node: shards[place].at(i, node))
facts.write()
