"""The pages of wikinav in headless Chromium: nothing is asked for outside, nothing is logged as an
error, contrast and names are as WCAG AA asks, 320 pixels are wide enough, and the keyboard alone
plays a whole game of every family.

pages.py WIKINAV-EVAL RELEASE RUNS SHOTS [PAGE.html ...]: RUNS holds a run of each family, SHOTS gets
pictures of what was looked at, and PAGE.html are self-contained pages that are looked at besides.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

import axe_playwright_python
from playwright.sync_api import sync_playwright

AXE = next(pathlib.Path(axe_playwright_python.__file__).parent.glob("**/axe.min.js")).read_text()
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], "resultTypes": ["violations"]}
SIZES = {"phone": (320, 640), "desk": (1280, 900)}


def wait(page, condition, seconds=20):
    """Waits for a condition; playwright's own way needs eval, which the policy of the page refuses."""
    end = time.monotonic() + seconds
    while not page.evaluate(condition):
        if time.monotonic() > end:
            raise AssertionError(f"waited for {condition}; there is\n{page.inner_text('body')}")
        time.sleep(0.02)


class Looker:
    """A browser's page under watch."""

    def __init__(self, context, origin, shots):
        self.page, self.origin, self.shots, self.wrong = context.new_page(), origin, shots, []
        self.page.on("console", self.heard)
        self.page.on("pageerror", lambda e: self.wrong.append(f"script: {e}"))
        self.page.on("dialog", lambda d: (self.wrong.append(f"dialog: {d.message}"), d.dismiss()))
        self.page.on("request", self.asked)
        self.page.on("requestfailed", lambda r: self.wrong.append(f"failed: {r.url}"))

    def heard(self, message):
        if message.type in ("error", "warning"):
            self.wrong.append(f"console: {message.text} {message.location}")

    def asked(self, request):
        if not request.url.startswith((self.origin, "data:")):
            self.wrong.append(f"asked for {request.url}")

    def open(self, url):
        self.page.goto(url)
        self.settle()

    def settle(self):
        wait(self.page, "document.querySelector('h1') && !document.querySelector('[aria-busy]')")

    def judge(self, name, axe=True):
        """Checks what is on the page and takes its picture."""
        wide = self.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        if wide[0] > wide[1]:
            self.wrong.append(f"{name}: {wide[0]} pixels wide in {wide[1]}")
        if axe:
            self.page.evaluate(AXE)
        for v in self.page.evaluate("r => axe.run(document, r)", RULES)["violations"] if axe else []:
            nodes = [n["html"][:150] + " " + n.get("failureSummary", "")[:200] for n in v["nodes"][:2]]
            self.wrong.append(f"{name}: {v['id']}: {v['help']}: {nodes}")
        self.page.screenshot(path=self.shots / (re.sub(r"[^\w-]+", "_", name) + ".png"), full_page=True)

    def end(self):
        self.page.close()
        return self.wrong


def ask(url, path, **parameters):
    with urllib.request.urlopen(f"{url}/api/{path}?{urllib.parse.urlencode(parameters)}") as r:
        return json.load(r)


def hash_of(*parts):
    return "/#/" + "/".join(urllib.parse.quote(str(p), safe="") for p in parts)


def serve(program, release, runs, log):
    """Starts the page and returns its process and address."""
    p = subprocess.Popen(
        [program, "view", "--release", release, "--run", runs, "--log", log, "--addr", "127.0.0.1:0", "--json"],
        stdout=subprocess.PIPE, text=True,
    )
    return p, json.loads(p.stdout.readline())["url"]


def first_games(url):
    """Returns of each family that was played a run with its first game and the best one."""
    games = {}
    for entry in ask(url, "runs"):
        run = ask(url, "run", n=entry["n"])
        item = run["games"][0]["item"]
        told = ask(url, "game", n=entry["n"], item=item)
        games.setdefault(entry["family"], {"n": entry["n"], "item": item, "told": told, "task": told["game"]["task"]})
    return games


def pairs(url, games):
    """Lists a pair of runs of one family, with a game that both have."""
    for name, g in games.items():
        key = f"{g['task']} {g['told']['game']['attempt']}"
        for other in ask(url, "runs"):
            if other["family"] == name and other["n"] != g["n"]:
                return [(g["n"], other["n"], key)]
    return []


def places(url, games):
    """Lists the views that are looked at, by name."""
    yield "home", "/"
    for name, g in games.items():
        split = g["told"]["game"]["split"]
        yield f"{name} list", hash_of("list", name, split)
        yield f"{name} instance", hash_of("instance", g["task"])
        yield f"{name} run", hash_of("run", g["n"])
        yield f"{name} game", hash_of("run", g["n"], "game", g["item"], "step", 2)
        yield f"{name} play", hash_of("play", g["task"])
    for first, second, task in pairs(url, games):
        yield "compare", hash_of("compare", first, second)
        yield "compare game", hash_of("compare", first, second, "game", task, "step", 1)
    yield "not there", hash_of("instance", "no such instance")


def look(browser, url, games, shots):
    wrong = []
    for scheme in ("light", "dark"):
        for size, (width, height) in SIZES.items():
            context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": height})
            for name, at in places(url, games):
                l = Looker(context, url, shots)
                l.open(url + at)
                small = scheme == "light" and name in ("home", "compare")
                l.judge(f"{name} {size} {scheme}", axe=size == "desk" or small)
                # The answer 404 to what is not there is what was asked for.
                wrong += [w for w in l.end() if not (name == "not there" and "404" in w)]
                print(".", end="", flush=True)
            context.close()
    return wrong


# Playing by keyboard.


OUTLINED = """(() => {
  const s = getComputedStyle(document.activeElement);
  return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0;
})()"""


def tab_to(page, wanted, most=400):
    """Presses Tab until the element in focus is as wanted: a script of it, e."""
    for _ in range(most):
        if page.evaluate(f"(e => {wanted})(document.activeElement)"):
            assert page.evaluate(OUTLINED), f"the focus does not show on {wanted}"
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {wanted}")


def text_is(text):
    return f"e.tagName === 'BUTTON' && e.textContent === {json.dumps(text)}"


def make(page, done, menu):
    """Makes a turn by keyboard, by the controls that are there."""
    best = [c["label"] for c in menu if c.get("optimal")]
    controls = page.evaluate("document.querySelector('main').innerText")
    call = re.fullmatch(r'(\w+)\((.*)\)', done)
    if "Filter (Enter takes the first)" in controls:
        tab_to(page, "e.type === 'search'")
        page.keyboard.type(done)
        page.keyboard.press("Enter")
    elif "Hand in the answer" in controls:
        use_tool(page, done)
    elif call and "Your answer" not in controls:
        name, argument = call[1], call[2].strip('"').replace('\\"', '"')
        if argument == "":
            tab_to(page, text_is(name + "()"))
        else:
            form = f"e.closest('form')?.innerText.startsWith({json.dumps(name + '(')})"
            tab_to(page, f"e.tagName === 'INPUT' && {form}")
            page.keyboard.type(argument)
        page.keyboard.press("Enter")
    elif page.evaluate("document.querySelectorAll('ol.menu button').length"):
        tab_to(page, text_is(best[0]))
        page.keyboard.press("Enter")
    else:
        tab_to(page, "e.tagName === 'TEXTAREA'")
        page.keyboard.type(done)
        tab_to(page, text_is("Answer"))
        page.keyboard.press("Enter")


def use_tool(page, done):
    name, _, rest = done.partition(" ")
    if name == "answer":
        tab_to(page, "e.tagName === 'INPUT' && e.size === 4")
        page.keyboard.type(rest)
        page.keyboard.press("Enter")
        return
    tab_to(page, "e.tagName === 'SELECT' && e.closest('label').innerText.startsWith('Tool')")
    page.keyboard.type(name)
    for key, value in json.loads(rest).items():
        tab_to(page, f"e.closest('label') && e.closest('label').innerText.startsWith({json.dumps(key)})")
        page.keyboard.press("Control+A")
        page.keyboard.type(value if isinstance(value, str) else json.dumps(value))
    tab_to(page, text_is("Call " + name))
    page.keyboard.press("Enter")


def play(browser, url, name, g, shots):
    """Plays the best game of an instance by keyboard, and looks at it afterwards."""
    l = Looker(browser.new_context(viewport={"width": 900, "height": 900}), url, shots)
    page = l.page
    l.open(url + hash_of("play", g["task"]))
    tab_to(page, text_is("Start the game"))
    page.keyboard.press("Enter")
    turns = g["told"]["best"]["turns"]
    for i, t in enumerate(turns):
        step = f"/Step {i + 1}\\b/.test((document.querySelector('h2') || {{}}).textContent)"
        wait(page, f"{step} && document.querySelector('main h2 ~ *')")
        if i == 0:
            page.wait_for_timeout(100)
            l.judge(f"{name} playing")
            hidden = ask(url, "instance", task=g["task"])
            secret = {"difficulty", "key", "drawing", "games", "messages"}
            assert hidden.get("playing") and not secret & set(hidden), hidden
            listed = ask(url, "list", family=name, split=g["told"]["game"]["split"], q=g["task"])
            row = next(r for r in listed["rows"] if r["task"] == g["task"])
            assert row["playing"] and row["length"] is None and not row["features"], row
        make(page, t["done"], t["menu"])
        wait(page, f"!/Step {i + 1}$/.test((document.querySelector('h2') || {{}}).textContent)")
    over = "/The game is over/.test(document.querySelector('main').innerText)"
    wait(page, f"{over} && document.activeElement.tagName === 'A'")
    won = page.evaluate("document.querySelector('main').innerText")
    assert "✓" in won, won
    l.judge(f"{name} played")
    page.keyboard.press("Enter")
    wait(page, "location.hash.startsWith('#/run/') && document.querySelector('ol.steps')")
    for _ in turns[1:]:
        page.keyboard.press("ArrowRight")
    at = page.evaluate("location.hash")
    assert at.endswith(f"/step/{len(turns)}") or len(turns) == 1, at
    l.judge(f"{name} afterwards")
    return l.end()


def scored(program, release, log, families):
    """Scores what was played: each family has a run of one game, which was won."""
    runs = {json.loads((d / "run.json").read_text())["family"]: d for d in pathlib.Path(log).iterdir()}
    assert set(runs) == set(families), f"played were {sorted(runs)}"
    for name, d in runs.items():
        out = subprocess.run(
            [program, "score", "--release", release, "--family", name, "--trajectories", d, "--partial", "--json"],
            check=True, capture_output=True, text=True,
        )
        s = json.loads(out.stdout)
        assert s["disagreements"] == [] and sum(r["outcomes"].get("success", 0) for r in s["rows"]) > 0, s


def alone(browser, files, shots):
    """Looks at self-contained pages: all that they need is in them."""
    wrong = []
    for path in files:
        url = pathlib.Path(path).absolute().as_uri()
        for scheme in ("light", "dark"):
            for size, (width, height) in SIZES.items():
                for scripts in (True, False):
                    context = browser.new_context(
                        color_scheme=scheme, viewport={"width": width, "height": height},
                        java_script_enabled=scripts,
                    )
                    l = Looker(context, url, shots)
                    l.page.goto(url)
                    name = f"{pathlib.Path(path).stem} {size} {scheme}"
                    if scripts:
                        l.judge(name, axe=size == "desk")
                    elif len(l.page.inner_text("body")) < 500:
                        l.wrong.append(f"{name}: nothing is there without scripts")
                    wrong += l.end()
                    context.close()
                    print(".", end="", flush=True)
    return wrong


def main():
    program, release, runs, shots, *files = sys.argv[1:]
    shots = pathlib.Path(shots)
    shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as log, sync_playwright() as p:
        browser = p.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        server, url = serve(program, release, runs, log)
        try:
            games = first_games(url)
            wrong = []
            for name, g in games.items():
                wrong += play(browser, url, name, g, shots)
            scored(program, release, log, games)
            print(f"played by keyboard, logged and scored: {', '.join(games)}")
            wrong += look(browser, url, games, shots)
            wrong += alone(browser, files, shots)
        finally:
            server.terminate()
            server.wait()
        browser.close()
    for w in dict.fromkeys(wrong):
        print(w, file=sys.stderr)
    if wrong:
        sys.exit(f"{len(set(wrong))} things are wrong")
    print(f"looked at in light and dark, at 320 and 1280 pixels; pictures in {shots}")


main()
