#!/usr/bin/env python3
"""Plays the game of this task: game [choose N | title TITLE | back | give-up]."""
import http.client
import json
import pathlib
import socket
import sys

SOCKET = "/run/wikinav/game.sock"
NAME = pathlib.Path("/app/.game")  # which game is played


class Connection(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(SOCKET)


def ask(method, path, body=None):
    connection = Connection("localhost")
    data = None if body is None else json.dumps(body)
    connection.request(method, path, data, {"Content-Type": "application/json"})
    answer = json.load(connection.getresponse())
    if "error" in answer:
        sys.exit(json.dumps(answer, ensure_ascii=False))
    return answer


def state():
    """Returns the game as it is; the first time, one that begins."""
    if NAME.exists():
        return ask("GET", f"/v1/games/{NAME.read_text()}")
    instance = ask("GET", "/v1/instances")["items"][0]["id"]
    game = ask("POST", "/v1/games", {"instance": instance})
    NAME.write_text(game["game"])
    return game


def main(verb="", *words):
    if verb == "give-up" and not NAME.exists():
        sys.exit("no game was begun")
    game = state()
    turn = {"step": game["observation"]["step"]}
    path = f"/v1/games/{game['game']}/"
    if verb == "choose" and len(words) == 1 and words[0].isdecimal():
        game = ask("POST", path + "move", turn | {"choice": int(words[0])})
    elif verb == "title" and words:
        game = ask("POST", path + "move", turn | {"title": " ".join(words)})
    elif verb in ("back", "give-up") and not words:
        game = ask("POST", path + verb, turn)
    elif verb:
        sys.exit(__doc__)
    print(json.dumps(game, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
