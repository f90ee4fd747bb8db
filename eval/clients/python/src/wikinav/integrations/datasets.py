"""Hugging Face datasets: the instances of a release, and its first prompts, as a Dataset.

    from wikinav.integrations.datasets import load
    load("demo-release", "wikirace", split="easy")             # the published records
    load("demo-release", "wikirace", "easy", prompts=True)     # id, split, prompt: chat messages
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pyarrow
from datasets import Dataset

from .. import Release
from ._table import Table


QUESTIONS = ".questions.jsonl.gz"


def load(release: str, family: str = "wikirace", split: str | None = None, *,
         prompts: bool = False, options: str | Iterable[str] = (),
         binary: str | None = None) -> Dataset:
    """Returns the instances of a split, or of all splits of a family with the split as a column.

    A field whose values Arrow cannot hold in one type, as the stops of a leg, becomes JSON text;
    such columns are named in the description. With prompts the rows are the tasks that the family
    plays under the options, and prompt is what a model reads first, as trainers such as TRL want
    it.
    """
    if prompts:
        with Table(release, family, split=split, options=options, seats=1, binary=binary) as table:
            return Dataset.from_list([
                {"id": t["id"], "split": t["split"], "prompt": table.opening(t["id"])}
                for t in table.tasks])
    opened = Release(release, binary=binary)
    names = [split] if split else opened.splits(family)
    return dataset_of([{"split": name, **row}
                       for name in names for row in records(opened, family, name)])


def records(release: Release, family: str, split: str) -> Iterable[dict[str, Any]]:
    """Reads the records of a split: its file, or the questions of a family that has no such file
    but one for each maze, whose task is the split."""
    questions = [f for f in release.files if f.startswith(family + "/") and f.endswith(QUESTIONS)]
    if not questions:
        return release.instances(split)
    return (row for f in questions for row in release.records(f) if row["task"] == split)


def dataset_of(rows: list[dict[str, Any]]) -> Dataset:
    """Returns rows as a Dataset, with JSON text where a column has no one type."""
    texts = []
    for name in dict.fromkeys(key for row in rows for key in row):
        try:
            pyarrow.array([row.get(name) for row in rows])
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):
            texts.append(name)
            for row in rows:
                row[name] = json.dumps(row.get(name), ensure_ascii=False, sort_keys=True)
    made = Dataset.from_list(rows)
    if texts:
        made.info.description = "columns of JSON text: " + ", ".join(texts)
    return made
