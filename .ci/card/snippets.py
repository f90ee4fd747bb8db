"""Runs every fenced snippet under "How to load" of a release's README.md. Usage: snippets.py RELEASE SCRATCH"""
import pathlib
import re
import subprocess
import sys

release, scratch = map(pathlib.Path, sys.argv[1:])
card = (release / "README.md").read_text(encoding="utf-8")
section = card.split("\n## How to load\n", 1)[1].split("\n## ", 1)[0]


def python(code):
    subprocess.run([sys.executable, "-W", "error::DeprecationWarning:__main__", "-c", code], cwd=release, check=True)


def sql(code):
    python(f"import duckdb\nrows = duckdb.sql({code!r}).fetchall()\nassert rows, 'no rows'")


def sh(code):
    subprocess.run(["sh", "-eu", "-c", code.replace("DIR", str(release))], cwd=scratch, check=True, stdout=subprocess.DEVNULL)


run = {"python": python, "sql": sql, "sh": sh}
snippets = re.findall(r"^```(\w+)\n(.*?)^```$", section, re.M | re.S)
assert len(snippets) * 2 == section.count("```"), "a fence of the card has no language"
assert {kind for kind, _ in snippets} == set(run), snippets
for kind, code in snippets:
    run[kind](code)
    print(f"card: ran {kind}: {code.strip().splitlines()[-1]}")
assert not subprocess.run(["wikinav", "verify", str(release), "--level", "1"], stdout=subprocess.DEVNULL).returncode, "a snippet changed the release"
