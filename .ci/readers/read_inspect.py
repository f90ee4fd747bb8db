"""Inspect: the exported samples by its reader of JSON lines, and runs with a mock model."""

import os
import sys
import tempfile

import inspect_ai
from inspect_ai import Task
from inspect_ai.dataset import json_dataset
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, system_message

from facts import EXPORTS, Facts


def run(dataset, replies):
    """The share of samples that a model gets right which says these replies."""
    outputs = [ModelOutput.from_content("mockllm/model", r) for r in replies]
    for o in outputs:
        o.usage = ModelUsage()  # else tokens would be counted, with a table from the network
    solver = [generate()]
    if "system" in dataset[0].metadata:
        solver.insert(0, system_message("{system}"))
    with tempfile.TemporaryDirectory() as logs:
        log, = inspect_ai.eval(Task(dataset=dataset, solver=solver, scorer=includes()), log_dir=logs, display="none",
                               model=get_model("mockllm/model", custom_outputs=outputs),
                               max_connections=1, max_samples=1)
    assert log.status == "success", log.error.message
    return log.results.scores[0].metrics["accuracy"].value


facts = Facts(f"Inspect {inspect_ai.__version__}")
folder = os.path.join(EXPORTS, "inspect")
families, samples = set(), 0
for family in sorted(f for f in os.listdir(folder) if os.path.isdir(os.path.join(folder, f))):
    for name in sorted(os.listdir(os.path.join(folder, family))):
        data = json_dataset(os.path.join(folder, family, name))
        assert len({s.id for s in data}) == len(data) > 0, (family, name)
        for s in data:
            assert isinstance(s.id, str) and isinstance(s.input, str) and s.input and isinstance(s.target, str), s.id
            assert s.target and s.metadata["manifest_id"] == facts.manifest["id"], s.id
            assert not s.choices or s.target in s.choices and set(s.metadata.get("targets", [])) <= set(s.choices), s.id
        n = len(data)
        if family == "wikirace":
            n = facts.manifest["splits"].get(data[0].metadata["split"], {}).get("n", n)
        assert n == len(data), (family, name, n)
        first = data[:3]
        right, wrong = run(first, [s.target for s in first]), run(first, ["-"] * len(first))
        assert (right, wrong) == (1, 0), (family, name, right, wrong)
        families.add(family)
        samples += len(data)
print(f"{facts.said['reader']}: {samples} samples of {len(families)} families ({', '.join(sorted(families))}), "
      "a run of each file with a mock model: its targets score 1, other words 0")
facts.write()
