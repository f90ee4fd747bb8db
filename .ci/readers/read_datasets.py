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
loaded = [t for name in configs for t in datasets.load_dataset(repository, name).values()]
print(f"datasets: load_dataset(DIR, CONFIG) of {len(configs)} configs ({', '.join(configs)}): "
      f"{len(loaded)} splits, {sum(t.num_rows for t in loaded)} rows")


def table(kind, place):
    return datasets.load_dataset(kind, data_files=place, split="train")


filled = {f["path"] for f in facts.manifest["files"] if f.get("rows") != 0}
for kind, ending in ("parquet", ".parquet"), ("arrow", ".arrow"), ("json", ".jsonl"):
    for path, place in facts.paths(ending):
        try:
            if path not in filled:
                facts.skip(path, "load_dataset refuses a split without rows")
            elif kind == "json":
                facts.add(path, table(kind, place).num_rows)
            else:
                facts.add(path, *columns(table(kind, place).data.table))
        except datasets.exceptions.DatasetGenerationError as err:
            facts.skip(path, err.__cause__)
facts.write()
