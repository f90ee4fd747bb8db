"""gymnasium: `gymnasium.make("wikinav.integrations.gymnasium:wikinav/wikirace-v0", release=DIR)`.

An action is the number of a link where the observations of a family list links, and a reply in
words otherwise; actions="text" asks for words in any family. The text of an observation is the
message that a model would read, the first with what stands before it, and where actions are numbers
the observation as JSON, beside the mask of those that are listed, which the info has as well. A
number that is not listed is an invalid turn.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from . import FAMILIES
from ._table import Table


MOST = 2048  # numbers of a game that offers all links of a page


class Words(spaces.Space[str]):
    """All texts; sample draws a short one of digits and letters."""

    def __init__(self, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(dtype=str, seed=seed)
        self._samples = spaces.Text(8, seed=self.np_random)

    @property
    def is_np_flattenable(self) -> bool:
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        return self._samples.sample()

    def contains(self, x: Any) -> bool:
        return isinstance(x, str)

    def seed(self, seed: int | None = None) -> Any:
        result = super().seed(seed)
        self._samples = spaces.Text(8, seed=self.np_random)
        return result

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Words)

    def __repr__(self) -> str:
        return "Words()"


class WikinavEnv(gymnasium.Env[dict[str, Any], Any]):
    """A game of a family. reset takes options={"instance": ID}; a seed draws one."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(self, release: str, family: str = "wikirace", split: str | None = None,
                 options: Sequence[str] = (), reward: str = "success", log: str | None = None,
                 client: str = "gymnasium", actions: str = "auto", most: int | None = None,
                 render_mode: str | None = None, binary: str | None = None) -> None:
        """most is how many numbers there are, by default the rule max_links, else MOST."""
        if actions not in ("auto", "text"):
            raise ValueError(f"actions={actions!r}: want auto or text")
        self.render_mode = render_mode
        rules: dict[str, Any] = {
            "split": split, "options": options, "reward": reward, "log": log, "client": client,
            "seats": 1, "binary": binary,
        }
        self._table = Table(release, family, words=actions == "text", **rules)
        self._seat = self._table.take()
        self._seat.start(self._table.tasks[0]["id"])
        numbered = actions == "auto" and "links" in self._seat.observation
        self._numbers = (most or self._table.rules.get("max_links") or MOST) if numbered else 0
        if actions == "auto" and not self._numbers:
            self._table.close()
            self._table = Table(release, family, words=True, **rules)
            self._seat = self._table.take()
        seen: dict[str, spaces.Space[Any]] = {"text": Words()}
        if self._numbers:
            seen["action_mask"] = spaces.MultiBinary(self._numbers)
        self.observation_space = spaces.Dict(seen)
        self.action_space = spaces.Discrete(self._numbers) if self._numbers else Words()

    def reset(self, *, seed: int | None = None,
              options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        instance = (options or {}).get("instance")
        drawn = None if instance else int(self.np_random.integers(2**31))
        return self._seen(self._seat.start(instance, drawn))

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        turn = {"choice": int(action)} if self._numbers else {"text": action}
        observation, info = self._seen(self._seat.step(turn))
        s = self._seat
        return observation, s.last_reward, s.done and not s.truncated, s.truncated, info

    def render(self) -> str | None:
        return self._text if self.render_mode == "ansi" else None

    def close(self) -> None:
        self._table.close()

    def _seen(self, info: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        s = self._seat
        self._text = info.get("text") or json.dumps(s.observation, ensure_ascii=False)
        if s.turns == 0 and "messages" in info:
            self._text = "\n\n".join(m["content"] for m in info["messages"])
        observation: dict[str, Any] = {"text": self._text}
        known: dict[str, Any] = {"instance": s.instance, "outcome": s.outcome, "turns": s.turns}
        if self._numbers:
            observation["action_mask"] = self._mask()
            known["action_mask"] = self._mask()
        return observation, known

    def _mask(self) -> np.ndarray[Any, Any]:
        """Returns which numbers are listed; none once the game is over."""
        listed = 0 if self._seat.done else len(self._seat.observation["links"])
        if listed > self._numbers:
            raise ValueError(f"{listed} links are listed and most is {self._numbers}: "
                             f"pass most={listed} or more")
        mask = np.zeros(self._numbers, dtype=np.int8)
        mask[:listed] = 1
        return mask


for _family in FAMILIES:
    gymnasium.register(id=f"wikinav/{_family}-v0", kwargs={"family": _family},
                       entry_point="wikinav.integrations.gymnasium:WikinavEnv")
