"""Tests of the core: python3 -m unittest discover tests, with WIKINAV_EVAL, and in WIKINAV_RELEASE
a release that has a split easy."""

from __future__ import annotations

import os
import random
import re
import shutil
import stat
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

import wikinav
from wikinav.integrations._table import Table

RELEASE = os.environ.get("WIKINAV_RELEASE", "")
NOTHING = "name a release in WIKINAV_RELEASE, and wikinav-eval in WIKINAV_EVAL"


def keys(value: Any) -> set[str]:
    """Returns all keys of an object, however deep."""
    if isinstance(value, dict):
        return set(value).union(*(keys(v) for v in value.values()))
    if isinstance(value, list):
        return set().union(*(keys(v) for v in value))
    return set()


def program(folder: str, text: str) -> str:
    """Writes a program that takes the place of wikinav-eval."""
    path = Path(folder) / "program"
    path.write_text(f"#!{sys.executable}\n{text}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


class ProgramTest(unittest.TestCase):
    def test_a_program_of_another_protocol_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            other = program(
                folder, """print('{"protocol":"wikinav.env/9","program":"wikinav-eval v9"}')"""
            )
            with self.assertRaisesRegex(
                wikinav.ProgramError,
                "wikinav-eval v9 speaks wikinav.env/9, this package wikinav.env/1",
            ):
                wikinav.env("release", binary=other)

    def test_a_program_that_ends_says_why(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for text, said in {
                "import sys; sys.exit('there is no such release')": "no such release",
                "": "ended without a word",
                "print('hello', flush=True)": "answers no JSON",
            }.items():
                with self.assertRaisesRegex(wikinav.ProgramError, said):
                    wikinav.env("release", binary=program(folder, text))

    def test_a_program_that_is_not_there_is_named(self) -> None:
        with self.assertRaisesRegex(wikinav.ProgramError, "/nowhere/wikinav-eval is no program"):
            wikinav.env("release", binary="/nowhere/wikinav-eval")


@unittest.skipUnless(RELEASE, NOTHING)
class EnvTest(unittest.TestCase):
    def test_an_episode_in_the_manner_of_gymnasium(self) -> None:
        with wikinav.env(RELEASE, split="easy") as env:
            observation, info = env.reset(seed=7)
            self.assertEqual(info["instance"], observation["instance"])
            observation, reward, terminated, truncated, info = env.step(0)
            self.assertIs(type(reward), float)
            self.assertEqual(
                (observation["step"], terminated, truncated, info["valid"]), (2, False, False, True)
            )
            self.assertFalse(env.step(10_000).info["valid"])
            self.assertTrue(env.step({"title": observation["links"][0]["title"]}).info["counted"])
            self.assertTrue(env.give_up().truncated)
            with self.assertRaises(wikinav.ActionError) as refused:
                env.step(0)
            self.assertEqual((refused.exception.code, refused.exception.slot), ("game_over", 0))
            again, info = env.reset(
                instance=info.get("instance", observation["instance"]), options={"max_steps": 1}
            )
            self.assertEqual(again["steps_left"], 1)
        with self.assertRaisesRegex(wikinav.Error, "closed"):
            env.reset()

    def test_equal_seeds_and_actions_bring_equal_answers(self) -> None:
        def play() -> list[Any]:
            with wikinav.batch(
                RELEASE, size=8, split="easy", reward=["success", "shaped", "accuracy"]
            ) as batch:
                seen: list[Any] = list(batch.reset(range(8)))
                for n in range(60):
                    seen += batch.step([(n * 7 + i) % 5 for i in range(8)], autoreset=True)
                return seen

        self.assertEqual(play(), play())

    def test_shaped_rewards_sum_to_the_distance_that_was_gained(self) -> None:
        distance = {i["id"]: i["distance"] for i in wikinav.Release(RELEASE).instances("easy")}
        draw, episodes, moved = random.Random(3), 0, 0
        with wikinav.batch(
            RELEASE, size=50, split="easy", reward="shaped", expose_oracle=True
        ) as batch:
            at = [info["instance"] for _, info in batch.reset()]
            sums = [0.0] * batch.size
            while episodes < 1000:
                actions: list[wikinav.Action] = [draw.randrange(4) for _ in range(50)]
                for i, step in enumerate(batch.step(actions, autoreset=True)):
                    sums[i] += step.reward
                    self.assertEqual(sums[i], distance[at[i]] - step.info["oracle"]["left"])
                    if "next" in step.info:
                        episodes, moved = episodes + 1, moved + (sums[i] != 0)
                        at[i], sums[i] = step.info["next"][1]["instance"], 0.0
        self.assertGreater(moved, episodes // 4)

    def test_no_distance_reaches_an_observation_unless_asked_for(self) -> None:
        secret = {"oracle", "left", "distance", "d_before", "d_after", "optimal", "advice", "plan"}
        for exposed in (False, True):
            found: set[str] = set()
            for text in (False, True):
                with wikinav.batch(
                    RELEASE, size=4, split="easy", text=text, expose_oracle=exposed
                ) as batch:
                    for _, info in batch.reset():
                        found |= keys(info)
                    for _ in range(40):
                        for step in batch.step(
                            ["<answer>0</answer>" if text else 0] * 4, autoreset=True
                        ):
                            self.assertFalse(secret & keys(step.observation))
                            found |= keys({**step.info, "next": list(step.info.get("next", ()))})
            self.assertEqual(bool(secret & found), exposed)

    def test_what_is_sent_is_what_step_does(self) -> None:
        with (
            wikinav.batch(RELEASE, size=4, split="easy", seed=3) as one,
            wikinav.batch(RELEASE, size=4, split="easy", seed=3) as two,
        ):
            one.reset()
            two.reset()
            one.send([0, 1], slots=[0, 1])
            first = one.receive()
            one.send([0, 1], slots=[2, 3])
            self.assertEqual(first + one.receive(), two.step([0, 1, 0, 1]))

    def test_an_answer_goes_to_its_own_request_alone(self) -> None:
        with wikinav.batch(RELEASE, size=2, split="easy") as batch:
            batch.reset([1, 2])
            with self.assertRaisesRegex(wikinav.Error, "send a request first"):
                batch.receive()
            batch.send([0, 0])
            for ask in (batch.reset, lambda: batch.step([1, 1]), lambda: batch.send([1, 1])):
                with self.assertRaisesRegex(wikinav.Error, "was not read: receive it first"):
                    ask()
            self.assertEqual([s.observation["step"] for s in batch.receive()], [2, 2])
            batch.reset([1, 2])
            answers = batch._process._process.stdout
            with mock.patch.object(batch._process._process, "stdout") as broken:
                broken.readline.side_effect = KeyboardInterrupt
                with self.assertRaises(KeyboardInterrupt):
                    batch.step([0, 0])
            self.assertIs(batch._process._process.stdout, answers)
            with self.assertRaisesRegex(wikinav.Error, "open another environment"):
                batch.reset()

    def test_what_a_slot_refuses_touches_no_other(self) -> None:
        with wikinav.batch(RELEASE, size=3, split="easy", strict=True) as batch:
            batch.reset([1, 1, 1])
            with self.assertRaises(wikinav.BatchError) as refused:
                batch.step([0, 999, 0])
            self.assertEqual(list(refused.exception.errors), [1])
            self.assertEqual(refused.exception.errors[1].code, "bad_choice")
            self.assertEqual([r is None for r in refused.exception.results], [False, True, False])
            self.assertEqual(batch.step([0], slots=[1])[0].observation["step"], 2)
            with self.assertRaisesRegex(ValueError, "a list of 3"):
                batch.step([0])
            with self.assertRaises(wikinav.ActionError):
                batch.step([0], slots=[3])

    def test_in_words_an_episode_is_played_as_a_model_is_asked(self) -> None:
        with wikinav.env(RELEASE, split="easy", text=True) as env:
            _, info = env.reset(seed=1)
            self.assertEqual(info["text"], info["messages"][-1]["content"])
            step = env.step("half of a pair: \ud83d <answer>0</answer>")
            self.assertTrue(step.info["valid"])
            with self.assertRaisesRegex(wikinav.ActionError, "in words"):
                env.step(0)

    def test_what_was_played_is_scored(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            with wikinav.env(RELEASE, split="easy", log=folder, model="mine") as env:
                won = 0
                for item in env.instances("easy"):
                    env.reset(instance=item["id"])
                    while not (step := env.step(0)).terminated and not step.truncated:
                        pass
                    won += step.info["won"]
            scores = wikinav.score(RELEASE, folder)
            row = scores["rows"][0]
            self.assertEqual(
                (scores["disagreements"], row["n"], row["outcomes"].get("success", 0)),
                ([], env.tasks, won),
            )

    def test_who_is_paid_by_distances_plays_with_an_oracle(self) -> None:
        for reward, oracle in (("success", False), ("shaped", True), ("accuracy", True)):
            with tempfile.TemporaryDirectory() as folder:
                with wikinav.env(RELEASE, split="easy", reward=reward, log=folder) as env:
                    env.reset()
                    env.give_up()
                row = wikinav.score(RELEASE, folder, partial=True)["rows"][0]
                self.assertEqual("ORACLE" in row["flags"], oracle)

    def test_a_setting_that_there_is_not_is_named(self) -> None:
        with self.assertRaisesRegex(TypeError, "no setting 'splits'; the settings are family, spl"):
            wikinav.env(RELEASE, splits="easy")  # type: ignore[call-arg]

    def test_who_left_a_seat_plays_no_turn_of_the_next_player(self) -> None:
        with Table(RELEASE, "wikirace", split="easy", seats=2, words=False) as table:
            first = table.take()
            first.start(seed=1)
            table.leave(first)
            table.leave(first)
            second, third = table.take(), table.take()
            self.assertEqual({second.slot, third.slot}, {0, 1})
            second.start(seed=2)
            third.start(seed=3)
            with self.assertRaisesRegex(wikinav.Error, "the seat was left"):
                first.step({"choice": 0})
            self.assertEqual(second.step({"choice": 0})["valid"], True)
            self.assertEqual(third.observation["step"], 1)

    def test_words_are_read_again_by_their_parser(self) -> None:
        for action, read in (("<answer>0</answer>", True), (0, False)):
            with tempfile.TemporaryDirectory() as folder:
                with wikinav.env(RELEASE, split="easy", log=folder) as env:
                    env.reset()
                    env.step(action)
                    env.give_up()
                scores = wikinav.score(RELEASE, folder, partial=True)
                self.assertEqual(scores["rules"]["parser"] is not None, read)
                self.assertEqual((scores["disagreements"], scores["rows"][0]["n"]), ([], 1))


@unittest.skipUnless(RELEASE, NOTHING)
class ReleaseTest(unittest.TestCase):
    def test_a_release_says_what_it_has(self) -> None:
        release = wikinav.Release(RELEASE)
        self.assertIn("easy", release.splits("wikirace"))
        self.assertEqual(release.id, wikinav.env(release).release_id)
        self.assertTrue(all("distance" in i for i in release.instances("easy")))
        with self.assertRaisesRegex(wikinav.Error, "nothing of 'chess'; it has wikirace"):
            release.splits("chess")
        with self.assertRaisesRegex(wikinav.Error, "0 files are of split 'none'"):
            list(release.instances("none"))

    def test_a_file_that_was_changed_is_not_read(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy"
            shutil.copytree(RELEASE, copy)
            file = next(f for f in wikinav.Release(copy).files if f.split("/")[-1] == "easy.jsonl")
            wikinav.Release(copy).verify()
            (copy / file).write_bytes((copy / file).read_bytes().replace(b"easy", b"hard"))
            with self.assertRaisesRegex(wikinav.Error, "is not the file of the manifest"):
                list(wikinav.Release(copy).instances("easy"))
            with self.assertRaises(wikinav.ProgramError):
                wikinav.Release(copy).verify()

    def test_a_folder_without_a_manifest_is_no_release(self) -> None:
        with self.assertRaisesRegex(wikinav.Error, "is no release"):
            wikinav.Release("/nowhere")


@unittest.skipUnless(RELEASE, NOTHING)
class ReadmeTest(unittest.TestCase):
    def test_its_examples_run(self) -> None:
        text = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
        blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        self.assertGreater(len(blocks), 2)
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(os.path.abspath(RELEASE), Path(folder) / "demo-release")
            os.chdir(folder)
            try:
                names: dict[str, Any] = {}
                for block in blocks:
                    exec(block.replace("    ...", "    env.reset(); env.give_up()"), names)
            finally:
                os.chdir(before)


if __name__ == "__main__":
    unittest.main()
