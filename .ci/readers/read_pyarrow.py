"""pyarrow: Arrow files mapped into memory, Parquet, JSON lines."""

import pyarrow as pa
import pyarrow.json
import pyarrow.parquet as pq

from facts import RELEASE, Facts
from tables import columns


def mapped(place):
    with pa.memory_map(place) as source:
        before = pa.total_allocated_bytes()
        table = pa.ipc.open_file(source).read_all()
        table.validate(full=True)
        kept = pa.total_allocated_bytes() - before
        assert table.num_rows < 1000 or kept < table.nbytes / 2, f"{place}: {kept} bytes were copied"
        return columns(table)


def batch(place, i, node):
    with pa.memory_map(place) as source:
        return pa.ipc.open_file(source).get_batch(i).column("distance")[node].as_py()


facts = Facts(f"pyarrow {pa.__version__}")
facts.read(mapped, ".arrow")
facts.read(lambda place: columns(pq.read_table(place)), ".parquet")
for path, place in facts.paths(".jsonl"):
    try:
        facts.add(path, pyarrow.json.read_json(place).num_rows)
    except pa.ArrowInvalid as err:
        facts.skip(path, err)
with pa.memory_map(f"{RELEASE}/distances/columns.arrow") as source:
    sidecar = pa.ipc.open_file(source).read_all()
    facts.distances(lambda name: sidecar[name].to_pylist(), batch)
facts.write()
