"""load.py FOLDER...: every task as the package harbor reads it, and as inspect-harbor makes samples of it."""
import pathlib, sys

import inspect_harbor
from harbor.models.registry import Registry
from harbor.models.task.task import Task

for folder in map(pathlib.Path, sys.argv[1:]):
    names = set()
    for entry in Registry.from_path(folder / "registry.json").datasets[0].tasks:
        task = Task(folder / entry.path)
        environment = task.config.environment
        assert environment.network_mode.value == "no-network", (entry.path, environment)
        assert (task.config.verifier.timeout_sec, task.config.agent.timeout_sec) == (300, 600)
        assert Task.is_valid_dir(folder / entry.path) and "# Riddle" in task.instruction
        names.add(entry.name)
    samples = inspect_harbor.harbor(path=str(folder.resolve())).dataset
    assert len(samples) == len(names) and all("# Riddle" in str(s.input) for s in samples)
    print(folder.name, len(names), "tasks in harbor and in inspect-harbor")
