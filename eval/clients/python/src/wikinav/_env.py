"""Environments: Env plays one episode at a time, Batch many over one process."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, Union

from ._process import BatchError, Process, refusal

if TYPE_CHECKING:
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


def env(release: PathLike | Release, **settings: Any) -> Env:
    """Opens a release to play one episode at a time. Settings are those of Batch, but for size."""
    return Env(release, **settings)


def batch(release: PathLike | Release, *, size: int, **settings: Any) -> Batch:
    """Opens a release to play size episodes at a time. Settings are those of Batch."""
    return Batch(release, size=size, **settings)


def _arguments(release: PathLike | Release, size: int, s: Mapping[str, Any]) -> list[str]:
    args = ["--release", os.fspath(release), "--slots", str(size), "--family", s["family"]]
    many = {
        "split": _list(s["split"]),
        "instance": _list(s["instances"]),
        "reward": _list(s["reward"]),
    }
    many["option"] = [f"{name}={_word(value)}" for name, value in (s["options"] or {}).items()]
    for name, values in many.items():
        for value in values:
            args += [f"--{name}", value]
    for name in ("gamma", "seed", "model", "attempts"):
        args += [f"--{name}", str(s[name])]
    for name in ("log", "prompt"):
        if s[name] is not None:
            args += [f"--{name}", os.fspath(s[name])]
    return args + [
        f"--{name.replace('_', '-')}" for name in ("text", "strict", "expose_oracle") if s[name]
    ]


def _list(value: str | Iterable[str] | None) -> list[str]:
    return [value] if isinstance(value, str) else list(value or [])


def _word(value: object) -> str:
    return (
        {True: "on", False: "off"}.get(value, str(value)) if isinstance(value, bool) else str(value)
    )


class Batch:
    """Episodes of one family of a release in slots 0 to size-1, over one process.

    Equal seeds and actions bring equal observations and rewards. What a slot refuses changes
    nothing in it and nothing in others.
    """

    def __init__(
        self,
        release: PathLike | Release,
        *,
        size: int,
        family: str = "wikirace",
        split: str | Iterable[str] | None = None,
        instances: str | Iterable[str] | None = None,
        options: Mapping[str, object] | None = None,
        reward: str | Iterable[str] = "success",
        gamma: float = 1.0,
        seed: int = 0,
        text: bool = False,
        prompt: PathLike | None = None,
        strict: bool = False,
        expose_oracle: bool = False,
        log: PathLike | None = None,
        model: str = "anonymous",
        attempts: int = 1,
        binary: PathLike | None = None,
    ) -> None:
        """Starts the program.

        split and instances choose what is played, all by default; options are rules of the family
        that differ from its defaults. reward is one of success, shaped and accuracy, or several,
        whose sum is paid. text plays in words, as a model is asked, by the templates of the file
        prompt if there is one: actions are then texts or calls. strict refuses a choice that is
        not listed, which is an invalid turn otherwise. log keeps episodes that end in run
        directories, as those of model.
        """
        settings = {
            k: v for k, v in locals().items() if k not in ("self", "release", "size", "binary")
        }
        self.size = size
        self._process = Process(_arguments(release, size, settings), binary)
        hello = self._process.hello
        self.family: str = hello["family"]
        self.release_id: str = hello["release"]
        self.splits: list[str] = hello["splits"]
        self.tasks: int = hello["tasks"]  # how many there are
        self.options: dict[str, Any] = hello["options"]
        self.options_sha256: str = hello["options_sha256"]
        self.rewards: list[str] = hello["rewards"]
        self.text: bool = hello["text"]
        self.program: str = hello["program"]

    def reset(
        self, what: Sequence[Reset] | None = None, *, slots: Sequence[int] | None = None
    ) -> list[tuple[Observation, Info]]:
        """Begins an episode in each slot, or in those of slots. One under way there is left."""
        slots = self._slots(slots)
        entries = [
            _reset(slot, r) for slot, r in zip(slots, self._each(what, slots, None), strict=True)
        ]
        answers = self._process.ask(_request("reset", entries))["slots"]
        _check(answers, _begun)
        return [_begun(a) for a in answers]

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
        line = self._turns(actions, slots, autoreset)
        return self._steps(self._process.ask(line))

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
        return self._steps(self._process.receive())

    def instances(self, split: str = "") -> list[dict[str, Any]]:
        """Lists what may be reset, of a split or of all: ids, and what a player may know before."""
        items: list[dict[str, Any]] = []
        while True:
            page = self._process.ask(
                json.dumps({"op": "list", "split": split, "offset": len(items), "limit": 1000})
            )
            items += page["items"]
            if len(items) >= page["total"]:
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

    def _slots(self, slots: Sequence[int] | None) -> Sequence[int]:
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
        slots = self._slots(slots)
        tail = ',"next":true}' if autoreset else "}"
        return _request(
            "step",
            [
                _action(slot, a, tail)
                for slot, a in zip(slots, self._each(actions, slots, {}), strict=True)
            ],
        )

    def _steps(self, answer: dict[str, Any]) -> list[Step]:
        _check(answer["slots"], _step)
        return [_step(a) for a in answer["slots"]]


Self = TypeVar("Self", bound=Batch)


class Env(Batch):
    """One episode at a time, in the manner of gymnasium."""

    def __init__(self, release: PathLike | Release, **settings: Any) -> None:
        """Starts the program. Settings are those of Batch, but for size."""
        super().__init__(release, size=1, **settings)

    def reset(  # type: ignore[override]
        self,
        *,
        instance: str | None = None,
        seed: int | None = None,
        options: Mapping[str, object] | None = None,
    ) -> tuple[Observation, Info]:
        """Begins an episode: of an instance, of the task that seed draws, or of the next draw."""
        given = {"instance": instance, "seed": seed, "options": options}
        try:
            return super().reset([{k: v for k, v in given.items() if v is not None}])[0]
        except BatchError as e:
            raise e.errors[0] from None

    def step(self, action: Action) -> Step:  # type: ignore[override]
        """Makes a turn."""
        try:
            return super().step([action])[0]
        except BatchError as e:
            raise e.errors[0] from None

    def give_up(self) -> Step:
        """Ends the episode, as the choice of its player."""
        return self.step({"give_up": True})


def _request(op: str, entries: list[str]) -> str:
    return f'{{"op":"{op}","slots":[{",".join(entries)}]}}'


def _check(answers: list[dict[str, Any]], read: Callable[[dict[str, Any]], Any]) -> None:
    """Raises BatchError if a slot refused."""
    errors = {a["slot"]: refusal(a["error"], a["slot"]) for a in answers if "error" in a}
    if errors:
        raise BatchError(errors, [None if "error" in a else read(a) for a in answers])


def _begun(a: dict[str, Any]) -> tuple[Observation, Info]:
    return a.pop("observation"), a


def _reset(slot: int, r: Reset) -> str:
    if r is None:
        return f'{{"slot":{slot}}}'
    if isinstance(r, str):
        r = {"instance": r}
    elif not isinstance(r, Mapping):
        r = {"seed": int(r)}
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


def _step(a: dict[str, Any]) -> Step:
    following = a.get("next")
    if following is not None:
        if "error" in following:
            raise refusal(following["error"], a["slot"])
        a["next"] = _begun(following)
    return Step(
        a.pop("observation"), float(a.pop("reward")), a.pop("terminated"), a.pop("truncated"), a
    )
