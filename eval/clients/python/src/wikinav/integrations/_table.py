"""One process of wikinav-eval at which many players sit, each with a game of its own.

Frameworks play samples side by side, in threads or tasks; a seat may be used by one of them at a
time, different seats by any number.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from .. import BatchError, Error, batch


def client_name(model: str) -> str:
    """Returns a model's name as wikinav's logs may call who plays."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", model).strip("._-")[:64] or "model"


def rules_of(options: str | Iterable[str]) -> dict[str, str]:
    """Reads NAME=VALUE, several in a list or with commas between them. Error for anything else."""
    texts = options.split(",") if isinstance(options, str) else list(options)
    wrong = [text for text in texts if text and "=" not in text]
    if wrong:
        raise Error(f"option {wrong[0]!r}: want NAME=VALUE")
    return dict(text.split("=", 1) for text in texts if text)


def calls_of(tool_calls: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the tool calls of a message, as chat completions write them, as the protocol's."""
    calls = []
    for call in tool_calls:
        arguments = call["function"]["arguments"]
        try:
            read = json.loads(arguments)
        except ValueError:
            read = arguments
        calls.append({"id": call["id"], "name": call["function"]["name"],
                      "arguments": read if isinstance(read, dict) else arguments})
    return calls


class Table:
    """The games of a family of a release: in words, unless words is False."""

    def __init__(self, release: str, family: str, *, options: str | Iterable[str] = (),
                 client: str = "python", seats: int = 4096, words: bool = True,
                 **settings: Any) -> None:
        """Starts the process. client is whose games the log says they are, settings are further
        ones of wikinav.batch."""
        self._batch = batch(release, size=seats, family=family, text=words, model=client,
                            options=rules_of(options), **settings)
        self._lock = threading.Lock()
        self._free = list(range(seats))[::-1]
        self.family, self.release_id = self._batch.family, self._batch.release_id
        self.rules = self._batch.options
        self.tasks: list[dict[str, Any]] = [
            {**item, "split": name} for name in self._batch.splits
            for item in self._batch.instances(name)]

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process; games that run are kept nowhere. A second call does nothing."""
        self._batch.close()

    def take(self) -> Seat:
        """Returns a free seat."""
        with self._lock:
            if not self._free:
                raise Error("all seats of the table are taken: end games, or open more seats")
            return Seat(self._batch, self._free.pop())

    def leave(self, seat: Seat) -> None:
        """Frees a seat. A game that runs there is kept nowhere, so that score counts it missing. A
        second call does nothing."""
        if seat.leave():
            with self._lock:
                self._free.append(seat.slot)

    @contextmanager
    def seat(self) -> Iterator[Seat]:
        """Lends a seat."""
        seat = self.take()
        try:
            yield seat
        finally:
            self.leave(seat)

    def opening(self, task: str) -> list[dict[str, Any]]:
        """Returns the messages before the first turn of a task."""
        with self.seat() as seat:
            messages: list[dict[str, Any]] = seat.start(task)["messages"]
            return messages


@lru_cache
def table_of(**settings: Any) -> Table:
    """Returns the one table of this process that has these settings."""
    return Table(**settings)


class Seat:
    """A player's place, with the game that is played there."""

    def __init__(self, table: Any, slot: int) -> None:
        self._table, self.slot = table, slot
        self._lock, self._left = threading.Lock(), False
        self.outcome: str | None = None
        self.turns = 0
        self.reward = self.last_reward = 0.0
        self._begin(None, {})

    def start(self, instance: str | None = None, seed: int | None = None) -> dict[str, Any]:
        """Begins the game of a task, by its id or drawn by a seed, and returns the info."""
        what = seed if instance is None else instance
        observation, info = self._ask(self._table.reset, what)
        self._begin(info["instance"], observation)
        return dict(info)

    def step(self, turn: dict[str, Any]) -> dict[str, Any]:
        """Makes a turn of the protocol and returns the info after it."""
        observation, reward, terminated, self.truncated, info = self._ask(self._table.step, turn)
        self.observation, self.last_reward = observation, reward
        self.reward += reward
        self.turns += info["counted"]
        self.done, self.outcome = terminated or self.truncated, info.get("outcome")
        return dict(info)

    def leave(self) -> bool:
        """Ends the use of the seat, and reports whether it was in use. A turn under way is waited
        for: a framework that gives up on a thread does not stop it."""
        with self._lock:
            left, self._left = self._left, True
        return not left

    def result(self) -> dict[str, Any]:
        """Returns the game so far in a few words and numbers."""
        return {"instance": self.instance, "reward": self.reward, "turns": self.turns,
                "outcome": self.outcome or "unfinished", "truncated": self.truncated}

    def _begin(self, instance: str | None, observation: dict[str, Any]) -> None:
        self.instance, self.observation, self.outcome = instance, observation, None
        self.reward = self.last_reward = 0.0
        self.turns, self.truncated, self.done = 0, False, instance is None

    def _ask(self, do: Any, what: Any) -> Any:
        with self._lock:
            if self._left:
                raise Error("the seat was left: another player may have it")
            try:
                return do([what], slots=[self.slot])[0]
            except BatchError as e:
                raise e.errors[self.slot] from None
