"""People's games of Wikispeedia, recomputed from SNAP's files by Python's standard library alone.

Usage: recompute.py DATA OUTPUTS: the folder of SNAP's files, and that of what the programs printed.
Every number is compared as it stands there, decimals to their last digit.
"""

import gzip
import json
import sys
import urllib.parse
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

DATA, OUT = Path(sys.argv[1]), Path(sys.argv[2])
compared = Counter()


def same(what, got, want):
    compared[what.split(":")[0]] += 1
    if got != want:
        sys.exit(f"{what}: the programs say {got!r}, recomputed {want!r}")


def rows(name):
    """The rows of a file with their line numbers, without comments and blank lines."""
    with gzip.open(DATA / name, "rt", encoding="utf-8", newline="\n") as f:
        for number, line in enumerate(f, 1):
            line = line.rstrip("\r\n")
            if line.strip() and not line.startswith("#"):
                yield number, line


def records(name):
    with open(OUT / name, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def decimal(x):
    """Six significant digits, as every decimal of a score is written."""
    return "0" if x == 0 else "%.5e" % float(x)


def mean(values):
    return sum(values, Fraction(0)) / len(values)


# The graph: a page's number is its row.
names = [line for _, line in rows("articles.tsv.gz")]
number = {name: i for i, name in enumerate(names)}


def title(name):
    return " ".join(urllib.parse.unquote(name).replace("_", " ").split())


titles = [title(name) for name in names]
by_title = {t: i for i, t in enumerate(titles)}


def page(name):
    """The page of a name in a game, which need not have the codes of the list; None for no page."""
    return by_title.get(title(name))


out = [set() for _ in names]
into = [set() for _ in names]
for _, line in rows("links.tsv.gz"):
    a, b = (number[name] for name in line.split("\t"))
    if a != b:
        out[a].add(b)
        into[b].add(a)
mask = [sum(1 << v for v in pages) for pages in into]


def levels_to(target):
    """Every page's distance to target, None where no path leads there: sets of pages as integers."""
    dist = [None] * len(names)
    seen = frontier = 1 << target
    d = 0
    while frontier:
        members = [i for i, bit in enumerate(reversed(bin(frontier)[2:])) if bit == "1"]
        reached = 0
        for u in members:
            dist[u] = d
            reached |= mask[u]
        frontier = reached & ~seen
        seen |= frontier
        d += 1
    return dist


columns = {}


def distance(source, target):
    if target not in columns:
        columns[target] = levels_to(target)
    return columns[target][source]


def largest_component():
    """Pages that reach, and are reached from, a page that most others belong with."""

    def reach(start, edges):
        seen, todo = {start}, [start]
        while todo:
            for v in edges[todo.pop()]:
                if v not in seen:
                    seen.add(v)
                    todo.append(v)
        return seen

    best, left = set(), set(range(len(names)))
    while len(left) > len(best):
        u = min(left)
        one = reach(u, out) & reach(u, into)
        best = max(best, one, key=len)
        left -= one
    return best


# What people played: finished games are pages alone, unfinished ones have clicks back.
finished = [(n, [page(name) for name in line.split(";")]) for n, line in rows("paths_finished_nodes.txt.gz")]
unfinished = [(n, line.split("\t")) for n, line in rows("paths_unfinished.tsv.gz")]


def place_of(id):
    """The place of an instance among those of its split, from 0."""
    return int(id.rsplit("-", 1)[1]) - 1


def check_listed():
    """The rows of the file as pairs: instances in their order, and what is none."""
    instances, left, first = [], [], {}
    for line, path in finished:
        ends = (path[0], path[-1])
        if ends[0] == ends[1]:
            left.append((line, "source_is_target", ""))
        elif ends in first:
            left.append((line, "duplicate", first[ends]))
        else:
            first[ends] = "wr-humans-%04d" % (len(instances) + 1)
            instances.append(ends)
    games = Counter((path[0], path[-1]) for _, path in finished)
    same("rows: all of the file", sum(games.values()), len(instances) + len(left))
    published = records("release/splits/humans.jsonl")
    same("instances: as inspect prints them", records("instances.jsonl"), published)
    same("instances", len(published), len(instances))
    by_id = sorted(published, key=lambda x: place_of(x["id"]))
    for i, (x, ends) in enumerate(zip(by_id, instances)):
        same("ids", x["id"], "wr-humans-%04d" % (i + 1))
        same("pairs: " + x["id"], (x["source"]["node"], x["target"]["node"]), ends)
        same("titles: " + x["id"], (x["source"]["title"], x["target"]["title"]), tuple(titles[u] for u in ends))
        check_features(x, *ends)
    got = records("release/splits/humans.rows")
    same("rows", [(r["line"], r["reason"], r["instance"]) for r in got], left)
    for r in got:
        if r["reason"] == "duplicate":
            same("games of a pair: " + r["instance"], tuple(r["nodes"]), instances[place_of(r["instance"])])
    repeated = Counter(r["instance"] for r in got)
    for i, ends in enumerate(instances):
        same("games of a pair", repeated["wr-humans-%04d" % (i + 1)] + 1, games[ends])
    same("rows: listed", [(r["line"], r["reason"]) for r in records("listed.jsonl")],
         [(n, "source_is_target" if p[0] == p[-1] else "") for n, p in finished])
    at = Counter(distance(*ends) for ends in instances)
    quotas = json.load(open(OUT / "release/splits/quotas.json"))
    same("distances", {q["distance"]: q["got"] for q in quotas}, dict(at))
    same("distances: of the build's summary", [q for p in json.load(open(OUT / "build.json"))["parts"]
                                              if p["part"] == "wikirace" for q in p["quotas"]], quotas)
    split = json.load(open(OUT / "release/manifest.json"))["splits"]["humans"]
    same("manifest", (split["n"], split["distances"], split["status"]), (len(instances), sorted(at), "ok"))
    return instances


def check_features(x, source, target):
    """Those that follow from the shortest paths and the degrees."""
    d = distance(source, target)
    same("distance", x["distance"], d)
    layer, widths, narrow, first = {source: 1}, [], [], 0
    for depth in range(d):
        nearer = defaultdict(int)
        for u, paths in layer.items():
            for v in out[u]:
                if distance(v, target) == d - depth - 1:
                    nearer[v] += paths
        if depth == 0:
            first = len(nearer)
        if depth + 1 < d:
            widths.append(len(nearer))
            narrow += list(nearer) if len(nearer) == 1 else []
        layer = nearer
    f, path = x["features"], x["witness"]
    same("features", (f["n_shortest_paths"], f["opt_first"], f["dag_layers"], f["bottlenecks"]),
         (layer[target], first, widths, narrow))
    same("degrees", (f["out_degree"], f["source_in_degree"], f["target_out_degree"], f["target_in_degree"]),
         (len(out[source]), len(into[source]), len(out[target]), len(into[target])))
    smallest, u = [source], source
    while u != target:
        u = min(v for v in out[u] if distance(v, target) == distance(u, target) - 1)
        smallest.append(u)
    same("witness", path, smallest)


def check_component():
    """The same files on the largest component: which rows leave it."""
    inside = sorted(largest_component())
    place = {u: i for i, u in enumerate(inside)}
    want = []
    pairs = [("humans", n, p[0], p[-1]) for n, p in finished]
    for n, fields in unfinished:
        start = fields[3].split(";")[0]
        pairs.append(("lost", n, page(start), page(fields[4])))
    for split, n, source, target in pairs:
        if source is None or target is None:
            want.append((split, n, [], "unknown_title"))
        elif source not in place or target not in place:
            want.append((split, n, [], "outside_graph"))
        else:
            ends = [place[source], place[target]]
            want.append((split, n, ends, "source_is_target" if source == target else ""))
    got = [(r["split"], r["line"], r["nodes"], r["reason"]) for r in records("component.jsonl")]
    for g, w in zip(got, want):
        same("largest component", g, w)
    same("largest component: rows", len(got), len(want))


class Game:
    """What counts of a game: its pair, whether it was won, and what it took beyond the shortest way."""

    def __init__(self, source, target, won, turns, path):
        self.pair, self.won = (source, target), won
        self.excess, self.loops = turns - distance(source, target), len(set(path)) < len(path)


def check_won():
    imported = {r["game"]: r for r in records("won/games.jsonl")}
    games = []
    same("games won", len(imported), len(finished))
    for i, (_, path) in enumerate(finished):
        r = imported["player-g%06d" % (i + 1)]
        same("paths", (r["path"], r["moves"], r["outcome"]), (path, len(path) - 1, "success"))
        same("keys", r["instance"], "edges:%d:%d" % (path[0] + 1, path[-1] + 1))
        for a, b in zip(path, path[1:]):
            same("clicks are links", b in out[a], True)
        games.append(Game(path[0], path[-1], True, len(path) - 1, path))
    check_rows("won.json", "suboptimal_effective", games)
    return games


def check_lost():
    """Unfinished games with their clicks back: which are on the graph, and what became of them."""
    rejected, types, games, clicks = Counter(), Counter(), [], []
    for _, fields in unfinished:
        path = fields[3].split(";")
        pages = [page(name) for name in path if name != "<"] + [page(fields[4])]
        if None in pages:
            rejected["outside_graph"] += 1
            continue
        stack, visited, reason = [], [], ""
        for name in path:
            if name != "<":
                if stack and page(name) not in out[stack[-1]]:
                    reason = "missing_edge"
                    break
                stack.append(page(name))
            elif len(stack) < 2:
                reason = "back_underflow"
                break
            else:
                stack.pop()
            visited.append(stack[-1])
        if not reason and distance(pages[0], pages[-1]) is None:
            reason = "unreachable_target"
        if reason:
            rejected[reason] += 1
            continue
        types[fields[5]] += 1
        won = stack[-1] == pages[-1]
        games.append(Game(pages[0], pages[-1], won, len(visited) - 1, visited))
        clicks.append(visited)
    said = json.load(open(OUT / "lost/import.json"))
    same("games given up", (said["rows"], said["games"], said["rejected"], said["types"]),
         (len(unfinished), len(games), dict(rejected), dict(types)))
    for r, path, g in zip(records("lost/games.jsonl"), clicks, games):
        same("clicks", (r["path"], r["turns"], r["outcome"]), (path, len(path) - 1, "success" if g.won else "gave_up"))
    check_rows("lost.json", "suboptimal_steps", games)
    return games


def check_model(instances):
    games, seen = [], set()
    for r in records("model/games.jsonl"):
        source, target = instances[place_of(r["instance"])]
        path = r["path"]
        won = path[-1] == target
        same("moves of the player", (path[0], all(b in out[a] for a, b in zip(path, path[1:]))), (source, True))
        same("ends of the player", (won, len(path) - 1 <= 30), (r["outcome"] == "success", True))
        games.append(Game(source, target, won, r["turns"], path))
        seen.add(r["instance"])
    same("games of the player", (len(games), len(seen)), (len(instances), len(instances)))
    check_rows("model.json", "suboptimal_steps", games)
    return games


def check_rows(name, excess, games):
    """The rows of a score: of all games, and by distance."""
    scores = json.load(open(OUT / name))
    same("disagreements: " + name, scores["disagreements"], [])
    groups = {"": games}
    for g in games:
        groups.setdefault(str(distance(*g.pair)), []).append(g)
    found = 0
    for row in scores["rows"]:
        if [by["name"] for by in row["by"]] not in ([], ["distance"]):
            continue
        found += 1
        group = groups["".join(by["value"] for by in row["by"])]
        won = [g for g in group if g.won]
        loops = [g for g in group if g.loops]
        m, where = row["metrics"], "%s %s" % (name, row["by"])
        same("score: n " + where, row["n"], len(group))
        for metric, part, whole in (("success_rate", len(won), len(group)), ("loop_frequency", len(loops), len(group)),
                                    (excess, sum(g.excess for g in won), len(won))):
            same("score: %s %s" % (metric, where), (m[metric]["num"], m[metric]["den"], m[metric]["value"]),
                 (part, whole, decimal(Fraction(part, whole)) if whole else None))
    same("score: rows of " + name, found, len(groups))


def check_report(people, model):
    """People and the player on the pairs that both played."""
    of, by = defaultdict(list), defaultdict(list)
    for g in people:
        of[g.pair].append(g)
    for g in model:
        by[g.pair].append(g)
    share = lambda games: Fraction(sum(g.won for g in games), len(games))
    extra = lambda games: mean([Fraction(g.excess) for g in games if g.won])
    both = [p for p in by if p in of]
    won = [p for p in both if share(of[p]) and share(by[p])]
    [row] = json.load(open(OUT / "report.json"))["human"]
    same("report: pairs", (row["played"], row["pairs"]), (len(both), len(won)))
    same("report: games", (row["human_games"], row["model_games"]),
         (sum(g.won for p in won for g in of[p]), sum(g.won for p in won for g in by[p])))
    for field, pairs, value in (
        ("human_success", both, lambda p: share(of[p])),
        ("model_success", both, lambda p: share(by[p])),
        ("success_difference", both, lambda p: share(by[p]) - share(of[p])),
        ("human", won, lambda p: extra(of[p])),
        ("model", won, lambda p: extra(by[p])),
        ("difference", won, lambda p: extra(by[p]) - extra(of[p])),
    ):
        same("report: " + field, (row[field]["value"], row[field]["den"]),
             (decimal(mean([value(p) for p in pairs])), len(pairs)))
    return row


instances = check_listed()
check_component()
won, lost = check_won(), check_lost()
row = check_report(won + lost, check_model(instances))
print("Wikispeedia: %d finished games on %d pairs, %d given up: %d numbers are those of the public files"
      % (len(won), len(instances), len(lost), sum(compared.values())))
print("  " + ", ".join("%s %d" % item for item in sorted(compared.items())[:12]))
print("  both played %d pairs: people won %s of their games, the player %s; beyond the shortest way %s and %s"
      % tuple([row["played"]] + [row[k]["value"] for k in ("human_success", "model_success", "human", "model")]))
