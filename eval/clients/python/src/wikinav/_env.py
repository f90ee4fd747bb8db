"""Environments: Env plays one episode at a time, Batch many over one process."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, TypeVar, Union

from ._process import BatchError, Process, refusal

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._release import Release

Observation = dict[str, Any]
Info = dict[str, Any]

Action = Union[int, str, Mapping[str, Any]]
"""A turn: the number of a choice that the observation lists, a reply in words, or an object of the
protocol, such as {"title": "Bee"}, {"back": True}, {"calls": [...]}, {"answer": "7"} or
{"give_up": True}."""

Reset = Union[None, int, str, Mapping[str, Any]]
"""What is begun: a seed by which a task is drawn, the id of an instance, None for the next of the
slot's own draws, or an object with instance or seed, and options that differ from the
environment's."""

PathLike = Union[str, "os.PathLike[str]"]


class Step(NamedTuple):
    """What a turn brought, in the order of gymnasium."""

    observation: Observation
    reward: float
    terminated: bool  # the episode ended by itself
    truncated: bool  # it ran out of turns, time or tokens, or was given up

    # valid, counted, reason, outcome, won, rewards, text, messages, tools, oracle, next, as far as
    # there are such.
    info: Info


class Settings(TypedDict, total=False):
    """What is played, and how it is paid. What is left out is the program's default."""

    family: str
    split: str | Iterable[str]
    """The splits that are played; all by default."""
    instances: str | Iterable[str]
    """The only instances that are played."""
    options: Mapping[str, object]
    """Rules of the family that differ from its defaults."""
    reward: str | Iterable[str]
    """success, shaped or accuracy, or several, whose sum is paid."""
    gamma: float
    """The discount of the potential of shaped."""
    seed: int
    """Of the tasks in slots that are reset without a seed."""
    text: bool
    """Play in words, as a model is asked: actions are texts or calls."""
    prompt: PathLike
    """A file with a prompt of your own, a template with named fields."""
    strict: bool
    """Refuse a choice that is not listed, which is an invalid turn otherwise."""
    expose_oracle: bool
    """Tell distances and optimal turns in info["oracle"]."""
    log: PathLike
    """Keep episodes that end in run directories below this one."""
    model: str
    """Who plays, as the log says it."""
    attempts: int
    """Episodes of each instance in one run of the log."""
    currency: str
    """Of the costs that actions tell."""
    binary: PathLike
    """The program wikinav-eval."""


# Settings by the name of their flag, where that is another.
_FLAGS = {"instances": "instance", "options": "option", "expose_oracle": "expose-oracle"}


def _arguments(release: PathLike | Release, size: int, settings: Settings) -> list[str]:
    args = ["--release", os.fspath(release), "--slots", str(size)]
    unknown = settings.keys() - Settings.__annotations__.keys()
    if unknown:
        known = ", ".join(Settings.__annotations__)
        raise TypeError(f"there is no setting {min(unknown)!r}; the settings are {known}")
    for name, value in settings.items():
        if name != "binary" and value is not None:
            args += [f"--{_FLAGS.get(name, name)}={word}" for word in _words(value)]
    return args


def _words(value: Any) -> list[str]:
    """Returns a setting as its flag is told, once for each value that it has."""
    if isinstance(value, Mapping):
        on = {True: "on", False: "off"}
        return [f"{k}={on[v] if isinstance(v, bool) else v}" for k, v in value.items()]
    if isinstance(value, bool):
        return [str(value).lower()]
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [str(v) for v in value]
    return [os.fspath(value) if hasattr(value, "__fspath__") else str(value)]


class _Open:
    """A running program, and what it says it plays."""

    def __init__(self, release: PathLike | Release, size: int, settings: Settings) -> None:
        self._process = Process(_arguments(release, size, settings), settings.get("binary"))
        hello = self._process.hello
        self.size = size
        self.family: str = hello["family"]
        self.release_id: str = hello["release"]
        self.splits: list[str] = hello["splits"]
        self.tasks: int = hello["tasks"]  # how many there are
        self.options: dict[str, Any] = hello["options"]
        self.options_sha256: str = hello["options_sha256"]
        self.rewards: list[str] = hello["rewards"]
        self.text: bool = hello["text"]
        self.program: str = hello["program"]

    def instances(self, split: str = "") -> list[dict[str, Any]]:
        """Lists what may be reset, of a split or of all: ids, and what a player may know before."""
        items: list[dict[str, Any]] = []
        while True:
            page = {"op": "list", "split": split, "offset": len(items), "limit": 1000}
            listed = self._process.ask(json.dumps(page))
            items += listed["items"]
            if len(items) >= listed["total"]:
                return items

    @property
    def pid(self) -> int | None:
        """The id of the program's process, None once it is closed."""
        return self._process.pid

    def close(self) -> None:
        """Ends the program. Episodes under way are left."""
        self._process.close()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        process = getattr(self, "_process", None)
        if process is not None:
            process.close()


Self = TypeVar("Self", bound=_Open)


class Batch(_Open):
    """Episodes of one family of a release in slots 0 to size-1, over one process.

    Equal seeds and actions bring equal observations and rewards. What a slot refuses changes
    nothing in it and nothing in others.
    """

    def __init__(
        self, release: PathLike | Release, *, size: int, **settings: Unpack[Settings]
    ) -> None:
        """Starts the program."""
        super().__init__(release, size, settings)

    def reset(
        self, what: Sequence[Reset] | None = None, *, slots: Sequence[int] | None = None
    ) -> list[tuple[Observation, Info]]:
        """Begins an episode in each slot, or in those of slots. One under way there is left."""
        places = self._places(slots)
        begun = self._each(what, places, None)
        entries = [_reset(slot, r) for slot, r in zip(places, begun, strict=True)]
        return _read(self._process.ask(_request("reset", entries)), _begun)

    def step(
        self,
        actions: Sequence[Action],
        *,
        slots: Sequence[int] | None = None,
        autoreset: bool = False,
    ) -> list[Step]:
        """Makes a turn in each slot, or in those of slots.

        autoreset begins the next episode of a slot's draws where a turn ends one: its first
        observation and info are then the pair info["next"].
        """
        return _read(self._process.ask(self._turns(actions, slots, autoreset)), _step)

    def send(
        self,
        actions: Sequence[Action],
        *,
        slots: Sequence[int] | None = None,
        autoreset: bool = False,
    ) -> None:
        """Begins what step does: the program works while this one does something else, such as
        choosing actions for other slots."""
        self._process.send(self._turns(actions, slots, autoreset))

    def receive(self) -> list[Step]:
        """Ends what send began, before anything else is asked."""
        return _read(self._process.receive(), _step)

    def _places(self, slots: Sequence[int] | None) -> Sequence[int]:
        return range(self.size) if slots is None else slots

    def _each(self, given: Sequence[Any] | None, slots: Sequence[int], none: Any) -> Sequence[Any]:
        if given is None:
            return [none] * len(slots)
        if isinstance(given, (str, Mapping)) or len(given) != len(slots):
            raise ValueError(f"want a list of {len(slots)}, one for each slot")
        return given

    def _turns(
        self, actions: Sequence[Action], slots: Sequence[int] | None, autoreset: bool
    ) -> str:
        places = self._places(slots)
        tail = ',"next":true}' if autoreset else "}"
        turns = zip(places, self._each(actions, places, {}), strict=True)
        return _request("step", [_action(slot, a, tail) for slot, a in turns])


class Env(_Open):
    """One episode at a time, in the manner of gymnasium."""

    def __init__(self, release: PathLike | Release, **settings: Unpack[Settings]) -> None:
        """Starts the program."""
        super().__init__(release, 1, settings)

    def reset(
        self,
        *,
        instance: str | None = None,
        seed: int | None = None,
        options: Mapping[str, object] | None = None,
    ) -> tuple[Observation, Info]:
        """Begins an episode: of an instance, of the task that seed draws, or of the next draw."""
        given = {"instance": instance, "seed": seed, "options": options}
        entry = _reset(0, {k: v for k, v in given.items() if v is not None})
        return _one(self._process.ask(_request("reset", [entry])), _begun)

    def step(self, action: Action) -> Step:
        """Makes a turn."""
        return _one(self._process.ask(_request("step", [_action(0, action, "}")])), _step)

    def give_up(self) -> Step:
        """Ends the episode, as the choice of its player."""
        return self.step({"give_up": True})


def env(release: PathLike | Release, **settings: Unpack[Settings]) -> Env:
    """Opens a release to play one episode at a time."""
    return Env(release, **settings)


def batch(release: PathLike | Release, *, size: int, **settings: Unpack[Settings]) -> Batch:
    """Opens a release to play size episodes at a time."""
    return Batch(release, size=size, **settings)


def _request(op: str, entries: list[str]) -> str:
    return f'{{"op":"{op}","slots":[{",".join(entries)}]}}'


def _reset(slot: int, r: Reset) -> str:
    if r is None:
        return f'{{"slot":{slot}}}'
    if isinstance(r, str):
        r = {"instance": r}
    elif not isinstance(r, Mapping):
        r = {"seed": r.__index__()}
    return _dump({"slot": slot, **r})


def _action(slot: int, a: Action, tail: str) -> str:
    if isinstance(a, str):
        return _dump({"slot": slot, "text": a})[:-1] + tail
    if isinstance(a, Mapping):
        return _dump({"slot": slot, **a})[:-1] + tail
    return f'{{"slot":{slot},"choice":{a.__index__()}{tail}'


def _dump(entry: Mapping[str, Any]) -> str:
    """Returns an entry as JSON. Half a surrogate pair, which models do write, becomes a question
    mark."""
    text = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode("utf-8")


Told = TypeVar("Told")


def _read(answer: dict[str, Any], read: Callable[[dict[str, Any]], Told]) -> list[Told]:
    """Reads the answers of slots, and raises BatchError if one of them refused."""
    slots = answer["slots"]
    errors = {a["slot"]: refusal(a["error"], a["slot"]) for a in slots if "error" in a}
    if errors:
        raise BatchError(errors, [None if "error" in a else read(a) for a in slots])
    return [read(a) for a in slots]


def _one(answer: dict[str, Any], read: Callable[[dict[str, Any]], Told]) -> Told:
    """Reads the answer of the only slot."""
    a = answer["slots"][0]
    if "error" in a:
        raise refusal(a["error"], a["slot"])
    return read(a)


def _begun(a: dict[str, Any]) -> tuple[Observation, Info]:
    return a.pop("observation"), a


def _step(a: dict[str, Any]) -> Step:
    following = a.get("next")
    if following is not None:
        if "error" in following:
            raise refusal(following["error"], a["slot"])
        a["next"] = _begun(following)
    reward = float(a.pop("reward"))
    return Step(a.pop("observation"), reward, a.pop("terminated"), a.pop("truncated"), a)
