"""load.py FOLDER...: every task as the package harbor reads it and as inspect-harbor, which has a
reader of its own, makes a sample of it: no key that they do not know, no warning but that of the
older versions' own key, nothing to build that is not there. Its compose file is read by the grammar
of the Compose specification (compose-spec), and its Dockerfiles by hadolint."""
import logging, pathlib, subprocess, sys, tomllib, typing, warnings

import inspect_harbor
from compose_spec import PyCompose
from harbor.models.registry import Registry
from harbor.models.task.config import TaskConfig
from harbor.models.task.task import Task
from pydantic import BaseModel

TOOLS = pathlib.Path(sys.executable).parent
# What a kind of tasks, told by a file of tests/, says in its instruction, and how long an agent has.
KINDS = {"leg.json": ("# Riddle", 600), "task.json": ("# How to play", 1800)}
heard = []
catcher = logging.Handler(logging.WARNING)
catcher.emit = lambda record: heard.append(record.getMessage())
logging.getLogger("inspect_harbor").addHandler(catcher)


def unknown(table, model, place=""):
    """The keys of a table of task.toml that a model of harbor does not have; it would ignore them."""
    for key, value in table.items():
        field = model.model_fields.get(key)
        if field is None:
            yield place + key
            continue
        kinds = [k for k in (field.annotation, *typing.get_args(field.annotation))
                 if isinstance(k, type) and issubclass(k, BaseModel)]
        for part in value if isinstance(value, list) else [value]:
            if kinds and isinstance(part, dict):
                yield from unknown(part, kinds[0], f"{place}{key}.")


misspelt = {"environment": {"cpu": 1}, "task": {"authors": [{"nom": ""}]}}
assert list(unknown(misspelt, TaskConfig)) == ["environment.cpu", "task.authors.nom"]


def kind(path):
    found, = (what for file, what in KINDS.items() if (path / "tests" / file).exists())
    return found


def read(path):
    """A task as harbor reads it, and its version."""
    table = tomllib.loads((path / "task.toml").read_text())
    version = table.pop("version", None) or table["schema_version"]
    assert not list(unknown(table, TaskConfig)), (path, list(unknown(table, TaskConfig)))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        task = Task(path)
    said = [str(w.message) for w in said]
    assert len(said) == (version != "1.4") and all("allow_internet" in w for w in said), (path, said)
    assert task.config.schema_version == version, (path, version)
    assert task.config.environment.network_mode.value == "no-network", (path, version)
    words, seconds = kind(path)
    assert (task.config.verifier.timeout_sec, task.config.agent.timeout_sec) == (300, seconds), path
    assert Task.is_valid_dir(path) and words in task.instruction, path
    return task, version


def build(sample, path):
    """What would be built and run of a sample: an image for each container, from files that are
    there, and one that stays up."""
    services = sample.sandbox.config.services
    for name, service in services.items():
        assert service.build and service.command and service.network_mode == "none", (path, name, service)
        context = pathlib.Path(service.build.context)
        file = context / (service.build.dockerfile or "Dockerfile")
        assert context.is_absolute() and file.is_file(), (path, name, service.build)
    return sorted(services)


def lint(paths):
    """The different files among paths, each read once."""
    different = {path.read_text(): path for path in paths}
    for text, path in different.items():
        if path.suffix == ".yaml":
            PyCompose.from_yaml(text).validate()
        else:
            subprocess.run([TOOLS / "hadolint", path], check=True)
    return len(different)


def refuses(text):
    try:
        PyCompose.from_yaml(text).validate()
    except Exception:
        return True


assert refuses('services: {main: {imag: a}}')
assert refuses('services: {main: {image: a, depends_on: {tools: {condition: healthy}}}}')
for folder in map(pathlib.Path, sys.argv[1:]):
    entries = Registry.from_path(folder / "registry.json").datasets[0].tasks
    paths = [folder / entry.path for entry in entries]
    tasks, versions = zip(*map(read, paths))
    samples = {s.metadata["task_dir"]: s for s in inspect_harbor.harbor(path=str(folder.resolve())).dataset}
    shapes = {str(build(samples[str(path.resolve())], path)) for path in paths}
    assert len(samples) == len(set(e.name for e in entries)) == len(tasks), (folder, len(samples))
    assert all(kind(pathlib.Path(p))[0] in str(s.input) for p, s in samples.items()) and not heard, heard
    linted = lint([f for path in paths for f in (path / "environment").iterdir()
                   if f.name.startswith(("Dockerfile", "docker-compose"))])
    print(f"{folder.name}: {len(tasks)} tasks of version {set(versions)} in harbor and inspect-harbor, "
          f"containers {shapes}, {linted} files linted")
