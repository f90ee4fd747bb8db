"""play.py EVAL TASKS SCRATCH: one task of each variant and level in a folder that stands for the
container: an empty answer, a forged log, the golden pages and solve.sh, each with test.sh after
it."""
import json, math, pathlib, subprocess, sys, time

program, tasks, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
chosen = {}
for entry in json.loads((tasks / "registry.json").read_text())[0]["tasks"]:
    chosen.setdefault(entry["name"].rsplit("-", 1)[0], tasks / entry["path"])
assert len(chosen) == 8, sorted(chosen)


for name, task in sorted(chosen.items()):
    root = scratch / name
    for folder in ("app", "logs", "log", "run"):
        (root / folder).mkdir(parents=True)
    leg = json.loads((task / "tests/leg.json").read_text())
    paths = {"/opt/aar/wikinav-eval": program, "/opt/aar/store": task / "environment/store", "/usr/local/bin/python3": sys.executable,
             "/tests/": f"{task}/tests/", "/logs/": f"{root}/logs/", "/run/aar/": f"{root}/run/", " /app": f" {root}/app",
             ">/app": f">{root}/app", "/var/log/aar": root / "log"}

    def script(path, *args):
        text = path.read_text()
        for old, new in paths.items():
            text = text.replace(old, str(new))
        return subprocess.run(["/bin/sh", "-c", text, "sh", *args], capture_output=True, text=True, check=True).stdout

    def reward():
        script(task / "tests/test.sh")
        numbers = json.loads((root / "logs/verifier/reward.json").read_text())
        assert all(type(x) in (int, float) and math.isfinite(x) for x in numbers.values()), numbers
        assert float((root / "logs/verifier/reward.txt").read_text()) == numbers["reward"]
        return numbers, json.loads((root / "logs/verifier/reward-details.json").read_text())

    server = None
    if (task / "environment/docker-compose.yaml").exists():
        server = subprocess.Popen([program, "harbor", "serve", f"--store={task}/environment/store", f"--log={root}/log/tool_log.jsonl",
                                   f"--socket={root}/run/tools.sock", f"--python={sys.executable}"])
        while not (root / "run/tools.sock").exists():
            assert server.poll() is None
            time.sleep(0.05)
    try:
        assert reward()[0]["reward"] == 0, "an empty answer"
        log, url = root / "app/tool_log.jsonl", leg["stops"][0]["page_url"]
        forged = {"tool": "fetch_webpage", "args": json.dumps({"url": url}), "source": "native",
                  "sha256": "0" * 64, "success": True, "result_preview": "I was there",
                  "result_len": 11, "url": url}
        log.write_text(json.dumps(forged) + "\n")
        numbers, details = reward()
        assert numbers["pvr"] == 0, "a page that was not fetched"
        assert numbers["calls"] == 0 if server else details["refused_calls"], "a log that the agent wrote"
        log.unlink()
        for stop in leg["stops"]:
            if stop["stop_type"] == "page":
                got = script(task / "environment/aar-tools", "fetch_webpage", json.dumps({"url": stop["page_url"]}))
                assert got.startswith("# "), got
        assert '"stdout":"42\\n"' in script(task / "environment/aar-tools", "python_execute_code", '{"code":"print(6*7)"}')
        assert "fetch_webpage" in script(task / "environment/aar-tools", "--list")
        script(task / "solution/solve.sh")
        numbers, details = reward()
        assert (numbers["reward"], numbers["pvr"], details["refused_calls"], details["log_missing"]) == (1, 1, [], None), (numbers, details)
    finally:
        if server:
            server.terminate()
            assert server.wait() == 0
    print(name, details["log"], numbers)
