"""Hugging Face datasets, offline: the export by its configs, then every table and every file of JSON lines."""

import os
import re

import datasets

from facts import EXPORTS, Facts
from tables import columns

datasets.disable_progress_bars()
facts = Facts(f"datasets {datasets.__version__}")
repository = os.path.join(EXPORTS, "hf")
with open(os.path.join(repository, "README.md")) as f:
    card = f.read().split("---\n")[1]
configs = [name.strip('"') for name in re.findall(r"config_name: (\S+)", card)]
loaded = []
for name in configs:
    try:
        loaded += datasets.load_dataset(repository, name).values()
    except ValueError as err:  # load_dataset refuses a table without rows, such as a set that came out empty
        assert "corresponds to no data" in str(err), err
        assert any(f["path"].endswith(".parquet") and f["rows"] == 0 for f in facts.manifest["files"]), err
        print(f"datasets: config {name} has no rows, which load_dataset refuses")
print(f"datasets: load_dataset(DIR, CONFIG) of {len(configs)} configs ({', '.join(configs)}): "
      f"{len(loaded)} splits, {sum(t.num_rows for t in loaded)} rows")
for kind in "parquet", "arrow":
    facts.read(lambda place: columns(datasets.load_dataset(kind, data_files=place, split="train").data.table), "." + kind)
for path, place in facts.paths(".jsonl"):
    try:
        facts.add(path, datasets.load_dataset("json", data_files=place, split="train").num_rows)
    except datasets.exceptions.DatasetGenerationError as err:
        facts.skip(path, err.__cause__)
facts.write()
