"""What needs no library: JSON, JSON lines and texts, by Python's own."""

import gzip
import json
import platform

from facts import Facts


def text(place):
    with (gzip.open if place.endswith(".gz") else open)(place, "rt", encoding="utf-8", newline="") as f:
        return f.read()


def lines(place):
    return sum(isinstance(json.loads(line), dict) for line in text(place).split("\n")[:-1]),


def document(place):
    got = json.loads(text(place))
    return len(got) if isinstance(got, list) else None,


facts = Facts(f"Python {platform.python_version()}")
facts.read(lines, ".jsonl")
facts.read(document, ".json")
facts.read(lambda place: (text(place).count("\n"),), ".ids")
known = (".arrow", ".packed", ".parquet", ".sqlite", ".jsonl", ".json", ".ids")
for path, place in facts.paths(""):
    if not path.removesuffix(".gz").endswith(known):
        assert text(place), path
        facts.add(path, None)
facts.write()
