"""Writes the reward of a game: the first of the log, played again by the program that came with the
tests. Whatever is wrong with the log, the reward is written, and is 0."""
import json
import pathlib
import shutil
import subprocess
import tempfile

TESTS = pathlib.Path("/tests")
LOG = pathlib.Path("/var/log/wikinav")
OUT = pathlib.Path("/logs/verifier")


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def first():
    """The folder of the game that was begun first: there is room for one at a time."""
    games = [(lines(path)[0]["started"], path.parent) for path in LOG.glob("*/games.jsonl")]
    if not games:
        raise ValueError("no game was played to its end")
    return min(games)[1]


def check(want, run, scores, game):
    """Refuses a log that is not of this game under these rules."""
    rules = json.loads((run / "run.json").read_text())["rules"]
    for what, got, right in (
        ("release", scores["manifest_id"], want["manifest_id"]),
        ("player", scores["model"]["kind"], "http"),
        ("instance", game["instance"], want["instance"]),
        ("options", rules["options"], want["options"]),
        ("disagreements", scores["disagreements"], []),
    ):
        if got != right:
            raise ValueError(f"{what}: the log has {got}, the task {right}")


def judge(run):
    """The numbers of a game that the program plays again, which exits with 3 where the log is not so."""
    want = json.loads((TESTS / "task.json").read_text())
    program = TESTS / "wikinav-eval"
    program.chmod(0o755)
    scored = subprocess.run(
        [program, "score", "--release", TESTS / "release", "--family", want["family"], "--split", want["split"],
         "--trajectories", run, "--partial", "--json"], capture_output=True, text=True)  # fmt: skip
    if scored.returncode:
        raise ValueError(scored.stderr)
    scores, games = json.loads(scored.stdout), lines(run / "games.jsonl")
    if len(games) != 1:
        raise ValueError(f"a run of {len(games)} games")
    check(want, run, scores, games[0])
    row = next(row for row in scores["rows"] if not row["by"])
    path = games[0]["path"]
    return {
        "reward": int(row["metrics"][want["metric"]]["num"] == row["n"] == 1),
        "turns": games[0]["turns"],
        "suboptimal": sum(not step["optimal"] for step in lines(run / "steps.jsonl")),
        "loops": int(len(set(path)) < len(path)),
    }


def main():
    numbers, details = {"reward": 0, "turns": 0, "suboptimal": 0, "loops": 0}, {}
    OUT.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            run = shutil.copytree(first(), pathlib.Path(scratch) / "run")
            numbers = judge(run)
    except Exception as error:  # a log that cannot be read is worth nothing, whatever is wrong with it
        details["refused"] = str(error)
    (OUT / "reward.txt").write_text(str(numbers["reward"]))
    (OUT / "reward.json").write_text(json.dumps(numbers) + "\n")
    (OUT / "reward-details.json").write_text(json.dumps(details) + "\n")


if __name__ == "__main__":
    main()
