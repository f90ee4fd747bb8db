"""OpenEnv: a server of environments, `python -m wikinav.integrations.openenv --release DIR`.

Each session has a game of its own, all in one process of wikinav-eval. WikinavEnv is the client;
any other client of OpenEnv speaks to the server as well, whose /schema says what an action is.
"""

from __future__ import annotations

import argparse
from typing import Any

import uvicorn
from fastapi import FastAPI
from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
from pydantic import Field

from .. import Error, __version__
from ._table import Seat, Table


class WikinavAction(Action):
    """A turn: one of choice, title, text, back, calls and answer."""

    choice: int | None = Field(None, description="number of a link or answer that is listed")
    title: str | None = Field(None, description="title of such a link")
    text: str | None = Field(None, description="a reply in words, as a model gives it")
    back: bool | None = Field(None, description="the way back, in games that have one")
    calls: list[dict[str, Any]] | None = Field(None, description="calls of tools: name, arguments")
    answer: str | None = Field(None, description="what is handed in, in games that end with that")
    usage: dict[str, int] | None = Field(None, description="tokens: prompt, output, reasoning")


class WikinavObservation(Observation):
    observation: dict[str, Any] = Field(description="what a player may see")
    messages: list[dict[str, Any]] = Field(description="the same as messages to a model")
    tools: list[dict[str, Any]] = Field([], description="tools that a model may call")
    outcome: str | None = Field(None, description="how the game ended; null while it runs")
    truncated: bool = Field(False, description="whether a limit ended the game")


class WikinavState(State):
    instance: str | None = None
    outcome: str | None = None


class WikinavEnvironment(Environment[WikinavAction, WikinavObservation, WikinavState]):
    """A player, who takes a seat at the server's table with the first game."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self._seat: Seat | None = None
        self._episode_id: str | None = None

    def reset(self, seed: int | None = None, episode_id: str | None = None,
              instance: str | None = None, split: str | None = None, index: int | None = None,
              **_: Any) -> WikinavObservation:
        """Begins the game of an instance, of an index in a split, or of a seed."""
        if instance is None and index is not None:
            instance = self.get_task(split, index)["id"]
        self._episode_id = episode_id
        self._seat = self._seat or self.table.take()
        return self._seen(self._seat, self._seat.start(instance, seed))

    def step(self, action: WikinavAction, timeout_s: float | None = None,
             **_: Any) -> WikinavObservation:
        if self._seat is None:
            raise Error("no game was begun: reset first")
        turn = action.model_dump(exclude={"metadata"}, exclude_none=True)
        return self._seen(self._seat, self._seat.step(turn))

    @property
    def state(self) -> WikinavState:
        if self._seat is None:
            return WikinavState()
        s = self._seat
        return WikinavState(episode_id=self._episode_id, step_count=s.turns, instance=s.instance,
                            outcome=s.outcome)

    def close(self) -> None:
        seat, self._seat = self._seat, None
        if seat is not None:
            self.table.leave(seat)

    def get_metadata(self) -> EnvironmentMetadata:
        return EnvironmentMetadata(name=f"wikinav {self.table.family}", version=__version__,
                                   description=f"{self.table.family} of release "
                                               f"{self.table.release_id}")

    def list_splits(self) -> list[str]:
        return list(dict.fromkeys(t["split"] for t in self.table.tasks))

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        return [t for t in self.table.tasks if t["split"] == split]

    def num_tasks(self, split: str) -> int:
        return len(self.list_tasks(split))

    def get_task(self, split: str | None, index: int) -> dict[str, Any]:
        tasks = self.table.tasks if split is None else self.list_tasks(split)
        if not 0 <= index < len(tasks):
            raise IndexError(f"index {index}: there are {len(tasks)} tasks in {split or 'all'}")
        return tasks[index]

    def _seen(self, s: Seat, info: dict[str, Any]) -> WikinavObservation:
        return WikinavObservation(
            observation=s.observation, messages=info.get("messages", []),
            tools=info.get("tools", []), outcome=s.outcome, done=s.done, truncated=s.truncated,
            reward=s.last_reward, metadata={"instance": s.instance})


class WikinavEnv(EnvClient[WikinavAction, WikinavObservation, WikinavState]):
    """A client of the server: `with WikinavEnv(base_url=URL).sync() as env`."""

    def _step_payload(self, action: WikinavAction) -> dict[str, Any]:
        return action.model_dump(exclude_none=True)

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[WikinavObservation]:
        reward, done = payload.get("reward"), payload.get("done", False)
        observation = WikinavObservation(**{**payload["observation"], "reward": reward,
                                            "done": done})
        return StepResult(observation=observation, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> WikinavState:
        return WikinavState(**payload)


def application(table: Table, sessions: int) -> FastAPI:
    """Returns the server of a table with room for sessions at a time."""
    return create_app(lambda: WikinavEnvironment(table), WikinavAction, WikinavObservation,
                      env_name="wikinav", max_concurrent_envs=sessions, state_cls=WikinavState)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m wikinav.integrations.openenv",
                                     description="Serves a family of a release to OpenEnv.")
    parser.add_argument("--release", required=True, metavar="DIR")
    parser.add_argument("--family", default="wikirace")
    parser.add_argument("--split", help="by default all")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--reward", default="success", help="success, shaped or accuracy")
    parser.add_argument("--numbers", action="store_true",
                        help="play by numbers and titles, without messages")
    parser.add_argument("--prompt", metavar="FILE", help="templates in place of the family's words")
    parser.add_argument("--log", metavar="DIR", help="keeps every game in run directories")
    parser.add_argument("--client", default="openenv", help="whose games the log says they are")
    parser.add_argument("--sessions", type=int, default=64, metavar="N", help="at a time")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    a = parser.parse_args(arguments)
    try:
        table = opened(a)
    except Error as e:
        parser.exit(2, f"{parser.prog}: {e}\n")
    uvicorn.run(application(table, a.sessions), host=a.host, port=a.port)


def opened(a: argparse.Namespace) -> Table:
    return Table(a.release, a.family, split=a.split, options=a.option, reward=a.reward,
                 prompt=a.prompt, log=a.log, client=a.client, seats=a.sessions,
                 words=not a.numbers)


if __name__ == "__main__":
    main()
