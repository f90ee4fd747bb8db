"""Releases as files, and scores of what was played on them."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from ._process import Error, run_program

PathLike = str | os.PathLike[str]


class Release:
    """A release directory. What is read of it is checked against its manifest."""

    def __init__(self, path: PathLike, *, binary: PathLike | None = None) -> None:
        self.path, self._binary = Path(path), binary
        try:
            text = (self.path / "manifest.json").read_bytes()
        except OSError as e:
            raise Error(f"{os.fspath(path)} is no release: {e.strerror} (manifest.json)") from None
        self.manifest: dict[str, Any] = json.loads(text)

    def __fspath__(self) -> str:
        return os.fspath(self.path)

    def __repr__(self) -> str:
        return f"Release({os.fspath(self.path)!r})"

    @property
    def id(self) -> str:
        return cast(str, self.manifest["id"])

    @property
    def name(self) -> str:
        return cast(str, self.manifest["release"]["name"])

    @property
    def files(self) -> list[str]:
        """The published files."""
        return [f["path"] for f in self.manifest["files"]]

    def families(self) -> dict[str, list[str]]:
        """Lists the families that can be played, and the splits of each."""
        told = run_program(["env", "--release", os.fspath(self), "--families"], self._binary)
        return {f["family"]: f["splits"] for f in told["families"]}

    def splits(self, family: str) -> list[str]:
        families = self.families()
        if family not in families:
            raise Error(f"the release has nothing of {family!r}; it has {', '.join(families)}")
        return families[family]

    def instances(self, split: str) -> Iterator[dict[str, Any]]:
        """Reads the records of a split, answers included: a name such as easy, or the path of a
        file of JSON lines."""
        return self.records(self._file_of(split))

    def records(self, file: str) -> Iterator[dict[str, Any]]:
        """Reads a published file of JSON lines."""
        data = self.read(file)
        for line in (gzip.decompress(data) if file.endswith(".gz") else data).splitlines():
            yield json.loads(line)

    def read(self, file: str) -> bytes:
        """Returns a published file, checked against the manifest."""
        known = {f["path"]: f["sha256"] for f in self.manifest["files"]}
        if file not in known:
            raise Error(f"the release has no file {file!r}")
        data = (self.path / file).read_bytes()
        if hashlib.sha256(data).hexdigest() != known[file]:
            raise Error(
                f"{self.path / file} is not the file of the manifest: download the release again"
            )
        return data

    def verify(self) -> dict[str, Any]:
        """Checks every file and what the release says of itself; raises ProgramError for one that
        is not as published."""
        return cast(
            "dict[str, Any]", run_program(["verify", os.fspath(self), "--json"], self._binary)
        )

    def _file_of(self, split: str) -> str:
        lines = {f: f.split(".jsonl")[0] for f in self.files if f.endswith((".jsonl", ".jsonl.gz"))}
        if split in lines:
            return split
        stem = split.replace("/", "-")
        found = [f for f, name in lines.items() if name == split or name.rsplit("/", 1)[-1] == stem]
        found = found or [f for f, name in lines.items() if name.endswith("-" + stem)]
        if len(found) != 1:
            raise Error(
                f"{len(found)} files are of split {split!r}; "
                f"name one of {', '.join(found or lines)}"
            )
        return found[0]


def runs(log: PathLike) -> list[Path]:
    """Lists the run directories below log, or log itself if it is one."""
    top = Path(log)
    if (top / "run.json").exists():
        return [top]
    return sorted(p.parent for p in top.glob("*/run.json"))


def score(
    release: PathLike | Release,
    run: PathLike,
    *,
    partial: bool = False,
    binary: PathLike | None = None,
) -> dict[str, Any]:
    """Scores a run directory by playing it again. partial leaves out what was not played, which is
    a failure otherwise."""
    found = runs(run)
    if len(found) != 1:
        raise Error(
            f"{os.fspath(run)} has {len(found)} runs; name one of wikinav.runs({os.fspath(run)!r})"
        )
    family = json.loads((found[0] / "run.json").read_text(encoding="utf-8"))["family"]
    args = [
        "score",
        "--release",
        os.fspath(release),
        "--family",
        family,
        "--trajectories",
        str(found[0]),
        "--json",
    ]
    return cast("dict[str, Any]", run_program(args + (["--partial"] if partial else []), binary))
