"""pandas: Parquet, Arrow files as Feather, JSON lines, and the exported comma-separated values."""

import json
import os

import numpy as np
import pandas as pd

from facts import EXPORTS, Facts


def columns(frame):
    return len(frame), dict(kv for name in frame.columns for kv in column(name, frame[name]))


def column(name, series):
    if series.dtype.kind in "biuf":
        # of 64 bits and no more: numpy's sum of many large ones would wrap round
        long = series.dtype.kind != "f" and series.dtype.itemsize == 8
        yield name, sum(map(int, series)) if long else series.sum()
    elif len(series) and isinstance(series.iloc[0], (np.ndarray, list)):
        yield name, int(sum(int(np.sum(x, dtype="u8")) for x in series))
        yield name + "[]", sum(len(x) for x in series)
    else:
        yield name, sum(len(x if isinstance(x, bytes) else x.encode()) for x in series)


def spelled(place, want):
    """The table of an export, whose cells are read by what the columns of the release are."""
    frame = pd.read_csv(place, keep_default_na=False, dtype=str, encoding="utf-8", na_filter=False)
    out = {}
    for name in frame.columns:
        if want.get(name + "[]") is not None:
            lists = [json.loads(x) for x in frame[name]]
            out[name], out[name + "[]"] = sum(map(sum, lists)), sum(map(len, lists))
        elif name in want:
            out[name] = numbers(frame[name], want[name])
    return len(frame), out


def numbers(series, want):
    """What a column says that is either texts or numbers or truths: the one of these sums that is wanted, if one is."""
    sums = [series.str.encode("utf-8").str.len().sum()]
    if series.isin(["true", "false"]).all():
        sums.append((series == "true").sum())
    elif series.str.fullmatch(r"-?\d+").all():
        sums.append(sum(map(int, series)))
    elif series.str.fullmatch(r"-?[\d.e+-]+").all():
        sums.append(sum(map(float, series)))
    elif series.str.fullmatch(r"[0-9a-f]*").all():
        sums.append(sum(len(x) // 2 for x in series))
    return next((x for x in sums if abs(x - want) <= 1e-9 * abs(want)), sums[-1])


facts = Facts(f"pandas {pd.__version__}")
facts.read(lambda place: columns(pd.read_parquet(place)), ".parquet")
facts.read(lambda place: columns(pd.read_feather(place)), ".arrow")
facts.read(lambda place: (len(pd.read_json(place, lines=True, dtype=False)),), ".jsonl")
exported = {}
for path, _ in facts.paths(".parquet", ".arrow"):
    place = os.path.join(EXPORTS, "csv", os.path.splitext(path)[0] + ".csv")
    if os.path.exists(place):
        said = facts.said["files"][path]
        rows, cells = spelled(place, said["columns"])
        assert rows == said["rows"] and cells.keys() == {c for c in said["columns"]}, (path, rows, said)
        wrong = {c: (v, said["columns"][c]) for c, v in cells.items() if abs(v - said["columns"][c]) > 1e-9 * abs(v)}
        assert not wrong, (path, wrong)
        exported[path] = rows
print(f"pandas: {len(exported)} tables of the CSV export, {sum(exported.values())} rows, "
      "equal to the tables of the release")
facts.write()
