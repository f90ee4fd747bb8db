"""links.py TASKS SCRATCH: every task of a folder in one that stands for its containers: nobody
plays, a game that is left, solve.sh, and that log with a change, each with test.sh after it.
Before, what the agent's container holds is searched for what no player may know."""
import json, os, pathlib, re, shutil, subprocess, sys, time

tasks, scratch = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
HIDDEN = ("distance", "witness", "features", "d_before", "d_after", "optimal", "violates")


class Containers:
    def __init__(self, task):
        self.task, self.root = task, scratch / task.name
        self.server = None
        self.fresh()

    def fresh(self):
        self.stop()
        shutil.rmtree(self.root, ignore_errors=True)
        for folder in ("app", "bin", "log", "logs", "run"):
            (self.root / folder).mkdir(parents=True)
        self.paths = {"/tests/": f"{self.task}/tests/", '"/tests"': f'"{self.task}/tests"',
                      "/logs/": f"{self.root}/logs/", "/var/log/wikinav": f"{self.root}/log",
                      "/run/wikinav": f"{self.root}/run", '"/app/': f'"{self.root}/app/',
                      "/opt/wikinav": f"{self.task}/environment"}
        image = (self.task / "environment/Dockerfile").read_text()
        for name in re.findall(r"^COPY (.*) \S+$", image, re.M)[0].split():
            (self.root / "bin" / name).write_text(self.there((self.task / "environment" / name).read_text()))
            (self.root / "bin" / name).chmod(0o755)

    def there(self, text):
        for old, new in self.paths.items():
            text = text.replace(old, new)
        return text

    def start(self):
        compose = self.there((self.task / "environment/docker-compose.yaml").read_text())
        command = re.findall(r"^      - (\S+)$", compose.split("\n  server:\n")[1].split("    healthcheck:")[0], re.M)
        self.server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not (self.root / "run/game.sock").exists():
            assert self.server.poll() is None, command
            time.sleep(0.02)

    def stop(self):
        if self.server:
            self.server.terminate()
            assert self.server.wait() == 0
            self.server = None

    def script(self, text, *args, check=True):
        env = os.environ | {"PATH": f"{self.root}/bin:{os.environ['PATH']}"}
        return subprocess.run(["/bin/sh", "-c", text, "sh", *args],
                              capture_output=True, text=True, check=check, env=env)

    def reward(self):
        verify = self.root / "verify.py"
        verify.write_text(self.there((self.task / "tests/verify.py").read_text()))
        self.script((self.task / "tests/test.sh").read_text().replace("/tests/verify.py", str(verify)))
        numbers = json.loads((self.root / "logs/verifier/reward.json").read_text())
        assert set(numbers) == {"reward", "turns", "suboptimal", "loops"}, numbers
        assert all(type(x) is int and x >= 0 for x in numbers.values()), numbers
        assert float((self.root / "logs/verifier/reward.txt").read_text()) == numbers["reward"]
        return numbers, json.loads((self.root / "logs/verifier/reward-details.json").read_text())


def search(box):
    """Looks for what no player may know in all that the agent's container holds, and in what the
    server says of the game."""
    texts = [p.read_text() for p in (box.root / "bin").iterdir()] + [(box.task / "instruction.md").read_text()]
    texts.append(box.script("game").stdout)
    for text in texts:
        assert not [w for w in HIDDEN if f'"{w}"' in text], text[:200]
    return len(texts)


def changed(box):
    """Changes of a log, each by itself: a claimed path, a claimed end, another instance, easier
    rules, another player."""
    run = next((box.root / "log").iterdir())
    for name, field, value in (
        ("games.jsonl", "path", lambda p: p[:1] + p), ("games.jsonl", "outcome", lambda _: "gave_up"),
        ("games.jsonl", "turns", lambda n: n + 1), ("games.jsonl", "instance", lambda _: "other"),
        ("run.json", "model", lambda m: m | {"kind": "oracle"}), ("steps.jsonl", "choice", lambda n: n + 1),
        ("run.json", "rules", lambda r: r | {"options": r["options"] | {"max_steps": 99}}),
    ):  # fmt: skip
        kept = (run / name).read_text()
        first, *rest = kept.splitlines(keepends=True)
        record = json.loads(first)
        record[field] = value(record[field])
        line = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        (run / name).write_text("".join([line + "\n", *rest]))
        yield f"{name} {field}"
        (run / name).write_text(kept)


def play(box):
    nothing = {"reward": 0, "turns": 0, "suboptimal": 0, "loops": 0}
    assert box.reward() == (nothing, {"refused": "no game was played to its end"})
    box.start()
    searched = search(box)
    assert box.reward()[0] == nothing, "a game that is left"
    box.script((box.task / "solution/solve.sh").read_text(), check=False)
    assert box.reward()[0]["reward"] == 0, "a second game"
    box.fresh()
    box.start()
    box.script((box.task / "solution/solve.sh").read_text())
    numbers, details = box.reward()
    assert (numbers["reward"], numbers["suboptimal"], numbers["loops"], details) == (1, 0, 0, {}), (numbers, details)
    changes = 0
    for what in changed(box):
        worth, details = box.reward()
        assert worth["reward"] == 0 and details, what
        changes += 1
    assert box.reward()[0] == numbers
    box.fresh()
    return searched, numbers["turns"], changes


played = []
for entry in json.loads((tasks / "registry.json").read_text())[0]["tasks"]:
    box = Containers(tasks / entry["path"])
    try:
        played.append(play(box))
    finally:
        box.stop()
found = {p.name for entry in tasks.iterdir() if entry.is_dir() for p in (entry / "environment").iterdir()}
assert found == {".dockerignore", "Dockerfile", "Dockerfile.server", "docker-compose.yaml", "game",
                 "release", "wikinav-eval"}, found
searched, turns, changes = map(sum, zip(*played))
print(f"{tasks.name}: {len(played)} tasks, {turns} turns of solutions: reward 1; nobody plays, "
      f"a game that is left, and {changes} changes of a log: 0; {searched} texts that an agent sees tell nothing")
