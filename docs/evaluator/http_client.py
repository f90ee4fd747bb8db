"""Plays every game of a release over HTTP with the standard library alone: http_client.py URL [CLIENT_ID].

choose is where a model would be asked. Here it takes the link whose title has most letters in common with the target's.
"""

import json
import sys
import time
import urllib.error
import urllib.request


def call(url, body=None, tries=5):
    """Sends a request, again if the connection fails or the server is full: the same turn twice is one turn."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    for attempt in range(tries):
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 500):
                raise SystemExit(f"{url}: {error.code} {error.read().decode()}")
            time.sleep(int(error.headers.get("Retry-After", 1)))
        except (urllib.error.URLError, TimeoutError):
            time.sleep(2**attempt)
    raise SystemExit(f"{url}: no answer")


def choose(observation):
    wanted = set(observation["target"]["title"].lower())
    fresh = [link for link in observation["links"] if link["title"] not in observation["visited"]]
    return max(fresh or observation["links"], key=lambda link: len(wanted & set(link["title"].lower())))["i"]


def play(url, instance, client):
    game = call(f"{url}/v1/games", {"instance": instance, "client_id": client})
    observation = game["observation"]
    while not observation["done"]:
        turn = {"step": observation["step"], "choice": choose(observation)}
        observation = call(f"{url}/v1/games/{game['game']}/move", turn)["observation"]
    return observation["outcome"]


def main(url, client="python"):
    offset, total = 0, 1
    while offset < total:
        page = call(f"{url}/v1/instances?offset={offset}")
        total = page["total"]
        for item in page["items"]:
            print(item["id"], play(url, item["id"], client), flush=True)
        offset += len(page["items"])


if __name__ == "__main__":
    main(*sys.argv[1:])
