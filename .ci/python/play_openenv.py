"""play_openenv.py RELEASE OUT: ten games of every family by OpenEnv's client, four sessions at a
time, from servers in threads; what the client was told stands in OUT/FAMILY/results."""

import concurrent.futures
import contextlib
import json
import pathlib
import sys
import threading
import time

import uvicorn
from wikinav.integrations import FAMILIES
from wikinav.integrations._table import Table, calls_of
from wikinav.integrations.openenv import WikinavAction, WikinavEnv, application

import player

release, out = sys.argv[1:]


@contextlib.contextmanager
def served(table):
    """The address of a server of the table."""
    server = uvicorn.Server(uvicorn.Config(application(table, 4), port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def play(url, index):
    with WikinavEnv(base_url=url).sync() as env:
        game = env.reset(index=index)
        total = 0
        while not game.done:
            said = player.reply(game.observation.messages, game.observation.tools)
            calls = calls_of(said.get("tool_calls", ()))
            turn = {"calls": calls} if calls else {"text": said["content"]}
            game = env.step(WikinavAction(**turn))
            total += game.reward
        assert env.state().outcome == game.observation.outcome
        return {"instance": game.observation.metadata["instance"],
                "outcome": game.observation.outcome, "reward": total}


for family in FAMILIES:
    folder = pathlib.Path(out, family)
    folder.mkdir(parents=True)
    with Table(release, family, split=player.SPLIT.get(family), log=str(folder / "runs"),
               seats=4) as table, served(table) as url, \
            concurrent.futures.ThreadPoolExecutor(4) as pool:
        games = list(pool.map(lambda i: play(url, i), range(10)))
    folder.joinpath("results").write_text("".join(json.dumps(g) + "\n" for g in games))
