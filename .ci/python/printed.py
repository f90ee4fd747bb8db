"""printed.py BLOCK RESULTS: runs a block of the docs, which prints instance, outcome and reward of
a game a line, and writes them as JSON lines. reply, which a block leaves to its user, is that of
player.py."""

import contextlib
import io
import json
import pathlib
import sys
import time

import player

block, results = map(pathlib.Path, sys.argv[1:])


def run(code):
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(code, {"reply": lambda messages: player.reply(messages)["content"]})
    return told.getvalue().splitlines()


def retried(code, seconds=60):
    """Runs code as soon as the server that it asks is there."""
    until = time.monotonic() + seconds
    while True:
        try:
            return run(code)
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)


games = [line.split() for line in retried(compile(block.read_text(), block, "exec"))]
results.write_text("".join(
    json.dumps({"instance": i, "outcome": o, "reward": float(r)}) + "\n" for i, o, r in games))
