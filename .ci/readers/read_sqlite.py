"""SQLite and Datasette: the catalogue, whole and by the rows of its tables."""

import json
import os
import sqlite3
import subprocess
import sys

from facts import RELEASE, Facts

facts = Facts(f"SQLite {sqlite3.sqlite_version}")
for path, place in facts.paths(".sqlite"):
    db = sqlite3.connect(f"file:{place}?mode=ro&immutable=1", uri=True)
    assert db.execute("pragma integrity_check").fetchall() == [("ok",)]
    assert db.execute("pragma foreign_key_check").fetchall() == []
    tables = [t for t, in db.execute("select name from sqlite_master where type in ('table', 'view') order by name")]
    rows = {t: db.execute(f'select count(*) from "{t}"').fetchone()[0] for t in tables}
    assert rows["pages"] == facts.manifest["graph"]["nodes"], rows
    splits = db.execute("select split, count(*) from instances where family = 'wikirace' group by split").fetchall()
    want = {name: s["n"] for name, s in facts.manifest["splits"].items()}
    assert all(want[name] == n for name, n in splits) and splits, (splits, want)
    facts.add(path, None)
    print(f"SQLite: {len(rows)} tables and views, {sum(rows.values())} rows, no broken reference")
    name = os.path.splitext(os.path.basename(path))[0]
    get = f"/{name}.json"
    datasette = os.path.join(os.path.dirname(sys.executable), "datasette")
    told = json.loads(subprocess.run([datasette, "--get", get, "--immutable", place],
                                     check=True, capture_output=True, text=True).stdout)
    counted = {t["name"]: t["count"] for t in told["tables"]}
    assert counted and all(rows[t] == n for t, n in counted.items()), (counted, rows)
    print(f"Datasette: {len(counted)} tables with as many rows")
facts.write()
