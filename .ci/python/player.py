"""A model for tests: it knows the prompts of wikinav's families, and plays some of them well.

It takes the link to the target where there is one, walks grids towards their goal, and answers
questions from the samples in the folder PLAYER_KEY or wrongly, so that of ten games some are won
and some are lost.
"""

import functools
import json
import os
import pathlib
import re

# Where its games can be won; all splits elsewhere.
SPLIT = {"wikirace": "easy", "lumina": "grid/dev"}


def reply(messages, tools=()):
    """Returns the message with which the model answers: content, and tool_calls where it calls."""
    asked = messages[-1]["content"]
    whole = "\n".join(m["content"] or "" for m in messages)
    if "Final Answer" in whole or tools:
        return scavenge(messages, whole, tools)
    if "<answer>" in asked:
        return said(f"<answer>{link(asked)}</answer>")
    if "next_page" in asked:
        return said(json.dumps({"next_page": page(asked), "reasoning": "near the target",
                                "restriction_reasoning": "no such page"}))
    if "\\boxed" in asked:
        return said("\\boxed{yes}")
    if "STEP NUM" in asked:
        return said(known().get(asked, "[]") if len(asked) % 2 else "[]")
    return said(f"```python\n{call(whole)}\n```")


def said(text):
    return {"role": "assistant", "content": text}


@functools.cache
def known():
    """What is right to say to the first prompts of mazes."""
    files = pathlib.Path(os.environ["PLAYER_KEY"], "mango").glob("*.jsonl")
    lines = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    return {line["input"]: line["target"] for line in lines}


def scavenge(messages, whole, tools):
    """Reads the first page, then says a digit."""
    if tools and len(messages) < 4:
        url = re.search(r"https?://\S+", whole)[0]
        function = {"name": "fetch_webpage", "arguments": json.dumps({"url": url})}
        return {"role": "assistant", "content": "",
                "tool_calls": [{"id": "call-1", "type": "function", "function": function}]}
    return said("Final Answer: 7")


def link(asked):
    """The number of the link to the target, or of the one most like it that was not visited."""
    target = re.search(r'reach the page "(.*?)" by', asked)[1]
    visited = re.search(r"in order: (.*)", asked)[1]
    links = re.findall(r"^(\d+)\. (.*)$", asked, re.M)
    at = {title: i for i, title in links}
    fresh = [title for title in at if title not in visited] or list(at)
    return at[target] if target in at else at[max(fresh, key=lambda t: alike(t, target))]


def alike(title, target):
    return len(set(title.lower()) & set(target.lower()))


def page(asked):
    target = re.search(r'Target page: "(.*)"', asked)[1]
    visited = re.search(r"in order: (.*)", asked)[1]
    links = asked.split("one title a line:\n")[1].split("\n\n")[0].split("\n")
    fresh = [t for t in links if f'"{t}"' not in visited] or links
    return target if target in links else max(fresh, key=lambda t: alike(t, target))


def call(whole):
    """A step on the grid towards its goal, around no hole; elsewhere the end."""
    task = whole.rsplit("=== Your task ===", 1)[-1]
    at = re.findall(r"(?:Start|Position): \((\d+), (\d+)\)", task)
    goal = re.search(r"Goal: \((\d+), (\d+)\)", task)
    if not at or not goal:
        return "done()"
    (row, column), (to_row, to_column) = map(int, at[-1]), map(int, goal.groups())
    if row != to_row:
        return "up()" if row > to_row else "down()"
    if column != to_column:
        return "left()" if column > to_column else "right()"
    return "done()"
