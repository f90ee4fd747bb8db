"""twins.py RELEASE PACKED: two releases of one build, the second with packed distances. Every file
that both have has the same digest, documents apart, so that what readers say of it is true of both;
nothing else is in one alone but the shards, whose every distance is the same."""

import json
import pathlib
import sys

import pyarrow as pa

sys.path.append(str(pathlib.Path(__file__).parents[2] / "docs"))
from packed_distances import PackedDistances  # noqa: E402

release, packed = map(pathlib.Path, sys.argv[1:])
one, two = ({f["path"]: f for f in json.loads((r / "manifest.json").read_text())["files"]} for r in (release, packed))
shards = {p for p in one if p.startswith("distances/distances-") and p.endswith(".arrow")}
names = {p: p.removesuffix(".arrow") + ".packed" for p in shards}
assert shards and one.keys() - shards == two.keys() - set(names.values()), one.keys() ^ two.keys()
shared = [p for p in one.keys() & two.keys() if one[p]["role"] != "document"]
differing = [p for p in shared if one[p]["sha256"] != two[p]["sha256"]]
assert not differing, differing
distances = 0
for path, name in names.items():
    shard = PackedDistances(packed / name)
    with pa.memory_map(str(release / path)) as source:
        file = pa.ipc.open_file(source)
        assert file.num_record_batches == shard.columns, path
        for i in range(shard.columns):
            column = file.get_batch(i).column("distance")
            assert column.to_pylist() == list(shard.column(i)), (path, i)
            distances += len(column)
print(f"{packed.name}: {len(shared)} files as in {release.name}, {distances} packed distances as in its "
      f"Arrow files, {sum(two[n]['bytes'] for n in names.values())} bytes for {sum(one[p]['bytes'] for p in shards)}")
