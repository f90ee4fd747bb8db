"""play_gymnasium.py RELEASE OUT: gymnasium's own checker on every family, with numbers where there
are links and with words, then ten games of each; what was told stands in OUT/FAMILY/results."""

import json
import pathlib
import sys
import warnings

import gymnasium
from gymnasium.utils.env_checker import check_env
from wikinav.integrations import FAMILIES

import player

warnings.simplefilter("error")
release, out = sys.argv[1:]


def made(family, **settings):
    return gymnasium.make(f"wikinav.integrations.gymnasium:wikinav/{family}-v0", release=release,
                          **settings)


def chosen(observation):
    """The action of player.py, by number where there are numbers: the target if it is listed."""
    if "action_mask" not in observation:
        return player.reply([{"role": "user", "content": observation["text"]}])["content"]
    seen = json.loads(observation["text"])
    titles = [link["title"] for link in seen["links"]]
    fresh = [t for t in titles if t not in seen["visited"]] or titles
    target = seen["target"]["title"]
    best = max(fresh, key=lambda title: player.alike(title, target))
    return titles.index(target if target in titles else best)


def play(env, seed):
    observation, info = env.reset(seed=seed)
    total, over = 0.0, False
    while not over:
        observation, reward, terminated, truncated, info = env.step(chosen(observation))
        total, over = total + reward, terminated or truncated
    return {"instance": info["instance"], "outcome": info["outcome"], "reward": total}


for family in FAMILIES:
    for actions in ("auto", "text"):
        env = made(family, actions=actions)
        check_env(env.unwrapped)
        env.close()
    folder = pathlib.Path(out, family)
    folder.mkdir(parents=True)
    env = made(family, log=str(folder / "runs"), split=player.SPLIT.get(family))
    games = [play(env, seed) for seed in range(10)]
    env.close()
    folder.joinpath("results").write_text("".join(json.dumps(g) + "\n" for g in games))
    print(f"gymnasium: {family} passes check_env, actions {env.action_space}")
