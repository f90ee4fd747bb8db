"""check.py PAGE RELEASE DATA...: data as users load them, and what they share with a release."""

import glob
import json
import os
import re
import sys

import datasets
import jinja2

datasets.disable_progress_bars()
page, release, folders = sys.argv[1], sys.argv[2], sys.argv[3:]

# The function on the page, as it stands there.
snippet = re.search(r"```python\n(.*?)```", open(page).read(), re.S).group(1)
exec(snippet)

# A template of the usual form: tools first, and calls whose arguments are objects.
TEMPLATE = jinja2.Environment().from_string(
    "{% if tools %}<tools>{% for t in tools %}{{ t.function.name }}:{{ t | tojson }}\n{% endfor %}"
    "</tools>{% endif %}"
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}"
    "{% for c in m.tool_calls or [] %}<call>{{ c.function.name }} "
    "{% for k, v in c.function.arguments.items() %}{{ k }}={{ v | tojson }} {% endfor %}"
    "</call>{% endfor %}<|end|>{% endfor %}")


def lines(*path):
    for name in sorted(glob.glob(os.path.join(*path))):
        with open(name) as f:
            yield from (json.loads(line) for line in f)


# What the release has frozen, read by itself: pairs, targets, legs by their riddles.
pairs, targets = set(), set()
for folder in "splits", "probe", "onestep", "constrained":
    for x in lines(release, folder, "*.jsonl"):
        if "source" in x:
            pairs.add((x["source"]["page_id"], x["target"]["page_id"]))
            targets.add(x["target"]["page_id"])
riddles = {x["riddle"] for x in lines(release, "aar", "legs-*.jsonl")}
assert len(pairs) > 100 and riddles, (len(pairs), len(riddles))


def plain(row):
    """A row without the columns that one of the two forms leaves out."""
    messages = [{k: v for k, v in m.items() if v is not None and v != []} for m in row["messages"]]
    columns = [row[name] for name in ("id", "walk", "turn", "left", "train")]
    return columns, messages, row.get("tools") or ""


for folder in folders:
    learnt = tools = 0
    for x in lines(folder, "walks", "*.jsonl"):
        if x["source"]:
            s, t = x["source"]["page_id"], x["target"]["page_id"]
            assert (s, t) not in pairs and (t, s) not in pairs and t not in targets, x["id"]
    for name in sorted(glob.glob(os.path.join(folder, "*.parquet"))):
        rows = datasets.load_dataset("parquet", data_files=name, split="train")
        message = rows.features["messages"].feature
        calls = "tools" in rows.column_names
        want = ["role", "content"] + (["tool_calls", "tool_call_id"] if calls else [])
        assert list(message) == want, (name, rows.features)
        text = name.replace(".parquet", ".jsonl")
        same = datasets.load_dataset("json", data_files=text, split="train")
        assert rows.num_rows == same.num_rows > 0, name
        for row, twin, raw in zip(rows, same, lines(text)):
            assert plain(row) == plain(raw), row["id"]
            assert len(row["messages"]) == len(row["train"]) and row["train"][-1], row["id"]
            assert [m["role"] for m in row["messages"]] == [m["role"] for m in twin["messages"]]
            assert not any(r in m["content"] for m in row["messages"] for r in riddles), row["id"]
            learnt += sum(row["train"])
            messages, offered = for_template(row)
            shown = TEMPLATE.render(messages=messages, tools=offered)
            assert shown.count("<|assistant|>") == sum(m["role"] == "assistant" for m in messages)
            tools += shown.count("<call>")
    readme = open(os.path.join(folder, "README.md")).read()
    readme = re.search(r"```python\n(.*?)```", readme, re.S).group(1)
    os.chdir(folder)
    exec(readme)
    assert learnt > 100, learnt
    print(f"{os.path.basename(folder)}: {learnt} replies to be learnt, {tools} calls of tools, "
          f"by datasets {datasets.__version__} from both forms, and through a chat template")
