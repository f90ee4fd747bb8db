"""blocks.py PAGE HEADING DIR: writes the fenced blocks under a heading of a page of docs to files
DIR/1.sh, DIR/2.python and so on, so that they are run as they stand."""

import pathlib
import re
import sys

page, heading, folder = sys.argv[1:]
text = pathlib.Path(page).read_text(encoding="utf-8")
section = re.split(r"^## ", text.split(f"\n## {heading}\n", 1)[1], maxsplit=1, flags=re.M)[0]
blocks = re.findall(r"^```(\w+)\n(.*?)^```$", section, re.M | re.S)
assert blocks and len(blocks) * 2 == section.count("```"), f"{heading}: a fence has no language"
pathlib.Path(folder).mkdir(parents=True)
for i, (kind, code) in enumerate(blocks, 1):
    pathlib.Path(folder, f"{i}.{kind}").write_text(code, encoding="utf-8")
