"""hidden.py FOLDER...: no environment/ of a task says, outside the texts of pages, what its leg
hides: the expression, the passcode, and the golden values of 10 and more of stops after the first.
Pages have texts that say some: to find them there is the task."""
import json, pathlib, re, sys

HEAD = {"schema", "base", "language", "year", "calls", "corpus"}
PROGRAM, PAGES = "wikinav-eval", "pages.jsonl"


def golden(leg):
    """The golden values of 10 and more of stops after the first."""
    for stop in leg["stops"][1:]:
        value = str(stop["extracted_value"])
        if re.fullmatch(r"-?\d+(\.\d+)?", value) and abs(float(value)) >= 10:
            yield value


def said(text, leg):
    """What a text says of what is hidden, values included."""
    values = [v for v in golden(leg) if re.search(r"(?<![\d.,])" + re.escape(v) + r"(?!\d|[.,]\d)", text)]
    return values + secrets(text, leg)


def secrets(text, leg):
    """What no text may say, not even that of a page."""
    return [s for s in (leg["stops"][-1]["bridge"]["expression"], '"passcode"') if s in text]


def search(task):
    """Searches a task, and returns how many files and values it searched for."""
    leg = json.loads((task / "tests/leg.json").read_text())
    assert len(said(json.dumps(leg), leg)) >= 2, f"{task}: a search of the leg itself finds nothing"
    files = [path for path in (task / "environment").rglob("*") if path.is_file() and path.name != PROGRAM]
    for path in files:
        text = path.read_text()
        found = secrets(text, leg) if path.name == PAGES else said(text, leg)
        assert not found, (path, found)
    with open(task / "environment/store" / PAGES) as lines:
        head = json.loads(next(lines))
        names = " ".join(w for line in lines for p in [json.loads(line)]
                         for w in [p["title"], p["short_description"], *p["aliases"]])
    assert set(head) == HEAD, (task, head)
    words = set(re.findall(r"\w+", names.lower()))
    odd = [t for t in head["corpus"]["having"] if t.isascii() and t.isdigit() and t not in words]
    assert not odd, (task, odd)  # what a search weighs are words of the pages and nothing else
    return len(files), len(list(golden(leg)))


if __name__ == "__main__":
    for folder in map(pathlib.Path, sys.argv[1:]):
        entries = json.loads((folder / "registry.json").read_text())[0]["tasks"]
        found = [search(folder / entry["path"]) for entry in entries]
        files, values = map(sum, zip(*found))
        print(f"{folder.name}: {len(found)} tasks, {files} files searched for {values} values: none")
