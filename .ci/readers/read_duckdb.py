"""DuckDB: Parquet, JSON lines, and the exported comma-separated values. It reads no Arrow file without an extension."""

import os

import duckdb

from facts import EXPORTS, Facts

db = duckdb.connect()
SUMS = {"VARCHAR": "strlen({c})", "BLOB": "octet_length({c})", "BOOLEAN": "{c}::int"}


def columns(place):
    types = db.execute("describe select * from read_parquet(?)", [place]).fetchall()
    names, sums = [], []
    for name, t, *_ in types:
        c = '"' + name + '"'
        if t.endswith("[]"):
            names += [name, name + "[]"]
            sums += [f"coalesce(sum(list_sum({c}::hugeint[])), 0)", f"coalesce(sum(len({c})), 0)"]
        else:
            names.append(name)
            sums.append(f"coalesce(sum({SUMS.get(t, '{c}').format(c=c)}), 0)")
    rows, *values = db.execute(f"select count(*), {', '.join(sums)} from read_parquet(?)", [place]).fetchone()
    return rows, dict(zip(names, values))


facts = Facts(f"DuckDB {duckdb.__version__}")
facts.read(columns, ".parquet")
for path, place in facts.paths(".jsonl"):
    count = "select count(*) from read_json(?, format='newline_delimited', maximum_object_size=67108864)"
    facts.add(path, db.execute(count, [place]).fetchone()[0])
sheets = 0
for path, _ in facts.paths(".parquet"):
    place = os.path.join(EXPORTS, "csv", os.path.splitext(path)[0] + ".csv")
    if os.path.exists(place):
        # Longer lines than its 2 MB by default are asked for.
        count = ("select count(*) from read_csv(?, header=true, all_varchar=true, "
                 "quote='\"', escape='\"', max_line_size=67108864)")
        rows = db.execute(count, [place]).fetchone()[0]
        assert rows == facts.said["files"][path]["rows"], (place, rows)
        sheets += 1
print(f"DuckDB: {sheets} tables of the CSV export, with as many rows")
facts.write()
