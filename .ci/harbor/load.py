"""load.py FOLDER...: every task as the package harbor reads it, and as inspect-harbor does."""
import pathlib, sys

from harbor.models.registry import Registry
from harbor.models.task.task import Task
from inspect_harbor import load_harbor_tasks

for folder in map(pathlib.Path, sys.argv[1:]):
    dataset = Registry.from_path(folder / "registry.json").datasets[0]
    for entry in dataset.tasks:
        task = Task(folder / entry.path)
        policy = task.config.environment.network_mode
        assert policy.value == "no-network", (entry.path, policy)
        assert task.config.verifier.timeout_sec == 300 and task.config.agent.timeout_sec == 600
        assert task.paths.is_valid() and "Final" not in task.instruction and "# Riddle" in task.instruction
    print("harbor:", folder.name, len(dataset.tasks), "tasks")
