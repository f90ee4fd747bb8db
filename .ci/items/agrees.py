"""agrees.py ONE.json TWO.json RUN...: the models of `report items` are those of other programs.

girth has the one-parameter model. It takes many participants, whom it draws from a standard normal,
and few items. Turned round, the instances are its participants and the players its items: its
discrimination is then the standard deviation of difficulties, and its difficulties are abilities,
divided by it and negated. It has no priors, which pull ours a little at the ends of a ladder.

Both models are fitted anew by SciPy, with the priors, written plainly and on another grid.
"""

import json
import sys

import numpy as np
from girth import onepl_mml
from scipy.optimize import minimize
from scipy.special import log_expit, logsumexp


def fit(won, varied):
    """Returns abilities, then log sigma, then log tau of the two-parameter model."""
    players = won.shape[1]
    patterns, times = np.unique(won, axis=0, return_counts=True)
    z, of_z = np.polynomial.hermite_e.hermegauss(61)
    x, of_x = np.polynomial.hermite_e.hermegauss(21 if varied else 1)
    weight = np.log(np.outer(of_z / of_z.sum(), of_x / of_x.sum())).ravel()

    def cost(p):
        hard = np.repeat(np.exp(p[players]) * z, len(x))
        slope = np.tile(np.exp(np.exp(p[-1]) * x) if varied else np.ones(1), len(z))
        logit = slope[:, None] * (p[:players] - hard[:, None])
        like = patterns @ log_expit(logit).T + (1 - patterns) @ log_expit(-logit).T
        prior = (p[:players] ** 2).sum() / 50 + (p[players] - np.log(1.5)) ** 2 / 2
        if varied:
            prior += ((p[-1] - np.log(0.5)) / 0.5) ** 2 / 2
        return prior - times @ logsumexp(like + weight, axis=1)

    start = np.zeros(players + (2 if varied else 1))
    return minimize(cost, start, method="BFGS", options={"gtol": 1e-3}).x


def read(analysis, runs):
    rows = []
    for run in runs:
        games = map(json.loads, open(run + "/games.jsonl"))
        won = {game["instance"]: game["outcome"] == "success" for game in games}
        rows.append([int(won[item["id"]]) for item in analysis["items"]])
    return np.array(rows)


for path in sys.argv[1:3]:
    analysis = json.load(open(path))
    rows = read(analysis, sys.argv[3:])
    abilities = [p["ability"] for p in analysis["players"]]
    ours = np.array([float(a["value"]) for a in abilities])
    half = np.array([float(a["hi"]) - float(a["lo"]) for a in abilities]) / 2
    varied = analysis["model"] == "2pl"
    theirs = fit(rows.T, varied)
    row = analysis["models"][int(varied)]
    print(analysis["model"], "difficulty SD %s, SciPy's %.5f" % (row["difficulty_sd"], np.exp(theirs[len(ours)])))
    print("  abilities ours   ", np.round(ours, 3))
    print("  abilities SciPy's", np.round(theirs[: len(ours)], 3))
    assert np.all(np.abs(ours - theirs[: len(ours)]) < 0.005), "SciPy's abilities differ"
    assert abs(float(row["difficulty_sd"]) / np.exp(theirs[len(ours)]) - 1) < 0.002
    if varied:
        assert abs(float(row["log_discrimination_sd"]) / np.exp(theirs[-1]) - 1) < 0.01
        continue
    options = {"quadrature_n": 121, "quadrature_bounds": (-5, 5), "max_iteration": 100}
    girth = onepl_mml(rows, options=options)
    spread = float(np.atleast_1d(girth["Discrimination"])[0])
    theirs = -spread * np.asarray(girth["Difficulty"])
    print("  abilities girth's", np.round(theirs, 3), "difficulty SD %.4f" % spread)
    assert np.all(np.abs(ours - theirs) < 0.25 * half), "girth's abilities differ"
    assert abs(float(row["difficulty_sd"]) / spread - 1) < 0.03, "girth's spread differs"
