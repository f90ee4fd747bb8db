"""polars: Arrow files, Parquet, JSON lines."""

import os

import polars as pl

from facts import RELEASE, Facts


def columns(frame):
    out = {}
    for name, t in frame.schema.items():
        c = frame[name]
        if t.base_type() in (pl.List, pl.Array):
            out[name], out[name + "[]"] = c.list.sum().cast(pl.Int128).sum(), c.list.len().sum()
        elif t == pl.String:
            out[name] = c.str.len_bytes().sum()
        elif t == pl.Binary:
            out[name] = c.bin.size().sum()
        elif t.is_integer():
            out[name] = c.cast(pl.Int128).sum()
        else:
            out[name] = c.sum()
    return frame.height, out


shards = {}


def cell(place, i, node):
    if place not in shards:
        shards[place] = pl.read_ipc(place)["distance"]
    return shards[place][i * facts.manifest["graph"]["nodes"] + node]


facts = Facts(f"polars {pl.__version__}")
facts.read(lambda place: columns(pl.read_ipc(place)), ".arrow")
facts.read(lambda place: columns(pl.read_parquet(place)), ".parquet")
for path, place in facts.paths(".jsonl"):
    try:
        facts.add(path, pl.read_ndjson(place, infer_schema_length=None).height)
    except pl.exceptions.PolarsError as err:
        facts.skip(path, err)
sidecar = pl.read_ipc(os.path.join(RELEASE, "distances", "columns.arrow"))
facts.distances(lambda name: sidecar[name].to_list(), cell)
facts.write()
