"""The program wikinav-eval: finding it, running a verb of it, and speaking to its verb env."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

PROGRAM = "wikinav-eval"
PROTOCOL = "wikinav.env/1"


class Error(Exception):
    """What went wrong, and what to do."""


class ProgramError(Error):
    """The program is not there, failed, or is of another version."""

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code  # its exit code, None if it did not end


class ActionError(Error):
    """A request that changed nothing: code says in a word what is wrong with it, field where."""

    def __init__(
        self, message: str, code: str = "", field: str = "", slot: int | None = None
    ) -> None:
        super().__init__(message)
        self.code, self.field, self.slot = code, field, slot


class BatchError(Error):
    """Some slots of a batch refused what was asked; results has what the others answered."""

    def __init__(self, errors: dict[int, ActionError], results: Sequence[Any]) -> None:
        first = errors[min(errors)]
        super().__init__(f"{len(errors)} slots refused, first slot {min(errors)}: {first}")
        self.errors, self.results = errors, results


def find_program(binary: str | os.PathLike[str] | None = None) -> str:
    """Returns the path of the program: binary, else $WIKINAV_EVAL, else the one beside this
    package, else that in PATH."""
    beside = Path(__file__).parent / "bin" / PROGRAM
    named = binary or os.environ.get("WIKINAV_EVAL")
    if named:
        found = shutil.which(os.fspath(named))
        if found is None:
            raise ProgramError(
                f"{os.fspath(named)} is no program; name {PROGRAM} by binary= or WIKINAV_EVAL"
            )
        return found
    if os.access(beside, os.X_OK):
        return str(beside)
    in_path = shutil.which(PROGRAM)
    if in_path is None:
        raise ProgramError(
            f"{PROGRAM} is not in PATH; build it with make build, and name it by binary= or "
            "WIKINAV_EVAL"
        )
    return in_path


def run_program(
    args: Iterable[str], binary: str | os.PathLike[str] | None = None, codes: Sequence[int] = (0,)
) -> Any:
    """Runs a verb that prints one JSON object, and returns that. An exit code that is not one of
    codes raises ProgramError."""
    done = subprocess.run(
        [find_program(binary), *args], capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode not in codes:
        raise ProgramError(last_line(done.stderr), done.returncode)
    return json.loads(done.stdout)


def last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else f"{PROGRAM} ended without a word"


class Process:
    """One `wikinav-eval env`: a request and its answer at a time, from any thread."""

    def __init__(self, args: Sequence[str], binary: str | os.PathLike[str] | None = None) -> None:
        program = find_program(binary)
        self._lock = threading.Lock()
        self._errors = tempfile.TemporaryFile()
        self._owed = False  # whether the answer to a request has not been read
        self._process: subprocess.Popen[bytes] | None = subprocess.Popen(
            [program, "env", *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        self.hello: dict[str, Any] = self._hello()

    def _hello(self) -> dict[str, Any]:
        try:
            hello = self._read()
        except ProgramError:
            self.close()
            raise
        if hello.get("protocol") != PROTOCOL:
            self.close()
            raise ProgramError(
                f"{hello.get('program', PROGRAM)} speaks {hello.get('protocol')}, this package "
                f"{PROTOCOL}: install the package and the program of one version"
            )
        return hello

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def ask(self, line: str) -> dict[str, Any]:
        """Sends a request, a JSON object in one line, and returns its answer."""
        with self._lock:
            self.send(line)
            return self.receive()

    def send(self, line: str) -> None:
        """Sends a request. Its answer is to be received before the next one is sent, which would
        take it for its own otherwise."""
        if self._process is None:
            raise Error("the environment is closed")
        if self._owed:
            raise Error(
                "the answer to the last request was not read: receive it first, or open another "
                "environment if its reading was interrupted"
            )
        stdin = self._process.stdin
        assert stdin is not None
        data = line.encode() + b"\n"
        self._owed = True
        try:
            stdin.write(data)
            stdin.flush()
        except (BrokenPipeError, ValueError):
            raise self._ended() from None

    def receive(self) -> dict[str, Any]:
        """Returns the answer to the request that was sent."""
        if self._process is None:
            raise Error("the environment is closed")
        if not self._owed:
            raise Error("there is no answer to receive: send a request first")
        answer = self._read()
        self._owed = False
        if "error" in answer:
            raise refusal(answer["error"])
        return answer

    def _read(self) -> dict[str, Any]:
        assert self._process is not None and self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            raise self._ended()
        try:
            return cast("dict[str, Any]", json.loads(line))
        except ValueError:
            raise ProgramError(f"{self._process.args!r} answers no JSON: {line[:100]!r}") from None

    def _ended(self) -> ProgramError:
        assert self._process is not None
        code = self._process.wait()
        self._errors.seek(0)
        return ProgramError(last_line(self._errors.read().decode(errors="replace")), code)

    def close(self) -> None:
        """Ends the program, which keeps what it has to keep. A second call does nothing."""
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass
        process.stdout.close()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._errors.close()


def refusal(error: dict[str, Any], slot: int | None = None) -> ActionError:
    return ActionError(
        error.get("message", ""), error.get("code", ""), error.get("field", ""), slot
    )
