"""Live verdicts follow the steps of a recorder: each committed one, the live screen, and every edit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from collector.judge.evaluation.steps_evaluation import LiveVerdicts
from collector.judge.evaluation.task_rules import TaskRules
from collector.judge.live_judge import LiveJudge
from collector.recorder.recorder import Recorder
from collector.rules.grammar.rule_reader import read_rules
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.dumps import node
from tests.helpers.recorder_rig import RecorderRig

STATES = read_rules(
    """
states:
- {id: found, description: The poster, conditions: {all: [{type: element_exists, selector: "text='Poster'"}]}}
- {id: carted, after: [found], conditions: {all: [{type: element_exists, selector: "text='In the cart'"}]}}
- {id: liked, description: People say so}
"""
).rules
SUCCESS = read_rules(
    "bought: {conditions: [{type: element_exists, selector: \"text='Thank you'\"}]}", kind="success"
).rules[0]
RULES = TaskRules(STATES, SUCCESS)


class _Judged:
    """A recorder on a fake phone with its live judge; the newest verdicts are noted."""

    def __init__(self, folder: Path) -> None:
        self.rig = RecorderRig(folder)
        self.newest = LiveVerdicts()
        self.judge = self.follow()
        self.show("Home")

    def follow(self) -> LiveJudge:
        judge = LiveJudge(self.rig.recorder, self.rig.writer, RULES)
        judge.events.subscribe(self._noted)
        return judge

    def _noted(self, event: object) -> None:
        assert isinstance(event, LiveVerdicts), event
        self.newest = event

    def show(self, text: str) -> None:
        grey = 20 + sum(text.encode()) % 200
        self.rig.source.show(grey, node(text=text, clickable="true", bounds="[0,0][360,400]"))
        self.rig.source.dump()
        self.rig.recorder.look()

    def tap_to(self, text: str) -> None:
        """Tap, and have the phone show another screen, which comes to rest."""
        self.rig.tap()
        self.show(text)
        self.rig.pass_ms(2000)

    def settle(self) -> dict[str, int]:
        """The states reached, with their steps, once everything is written and judged."""
        assert self.rig.recorder.flush(30)
        assert self.judge.flush(30)
        assert self.rig.recorder.flush(30)  # the lines of the verdicts
        return {state: at.step for state, at in self.newest.states.items()}

    def lines(self) -> list[dict[str, Any]]:
        lines = map(json.loads, self.rig.file("events.jsonl").splitlines())
        return [line for line in lines if line["kind"] == "verdict"]

    def said(self) -> list[tuple[str, str, int]]:
        return [(line.get("state", "task"), line["verdict"], line["step"]) for line in self.lines()]

    def close(self) -> None:
        self.rig.recorder.close()
        self.judge.close()
        self.rig.writer.close()


@pytest.fixture
def judged(tmp_path: Path) -> Iterator[_Judged]:
    followed = _Judged(tmp_path)
    yield followed
    followed.close()


def test_a_state_is_reached_on_the_live_screen_and_written_with_its_step(judged: _Judged) -> None:
    judged.tap_to("Poster")
    assert judged.settle() == {"found": 1}  # the screen after the one step that is written
    assert judged.said() == []
    assert judged.newest.judged == {"found", "carted"}
    judged.tap_to("In the cart")
    assert judged.settle() == {"found": 1, "carted": 2}
    assert judged.said() == [("found", "reached", 1)]
    assert judged.lines()[0]["judge"] == "rules"
    assert judged.lines()[0]["reason"] == "There is a node with the text 'Poster'"
    judged.tap_to("Thank you")
    judged.settle()
    assert judged.newest.done is not None
    assert judged.newest.done.step == 3
    judged.rig.recorder.finish()
    judged.rig.pass_ms(3000)
    judged.settle()
    assert judged.said() == [("found", "reached", 1), ("carted", "reached", 2), ("task", "success", 3)]


def test_undo_redo_and_delete_take_ticks_back_and_give_them_again(judged: _Judged) -> None:
    for text in ("Poster", "Else", "In the cart", "Home"):
        judged.tap_to(text)
    assert judged.settle() == {"found": 1, "carted": 3}
    recorder = judged.rig.recorder
    recorder.undo()  # of the step taken in the cart
    assert judged.settle() == {"found": 1}
    recorder.redo()
    assert judged.settle() == {"found": 1, "carted": 3}
    recorder.delete(2)  # a step before it: the state moves with its screen
    assert judged.settle() == {"found": 1, "carted": 2}
    recorder.delete(1)  # the poster: what comes after it waits in vain
    assert judged.settle() == {}
    recorder.undo()
    assert judged.settle() == {"found": 1, "carted": 2}
    assert judged.said() == [
        ("found", "reached", 1), ("carted", "reached", 3), ("carted", "withdrawn", 3),
        ("carted", "reached", 3), ("carted", "reached", 2), ("found", "withdrawn", 1),
        ("carted", "withdrawn", 2), ("found", "reached", 1), ("carted", "reached", 2),
    ]  # fmt: skip


def test_other_rules_are_used_from_then_on(judged: _Judged) -> None:
    judged.tap_to("Poster")
    judged.tap_to("Home")
    assert judged.settle() == {"found": 1}
    judged.judge.use_rules(TaskRules(STATES[1:]))
    judged.settle()
    assert judged.newest.states == {}
    assert not judged.newest.has_success_rule
    assert judged.said() == [("found", "reached", 1), ("found", "withdrawn", 1)]


def test_a_recording_that_goes_on_says_nothing_twice(judged: _Judged) -> None:
    judged.tap_to("Poster")
    judged.tap_to("Home")
    judged.settle()
    judged.close()
    judged.rig.writer = TrajectoryWriter.open(judged.rig.writer.folder)
    judged.rig.recorder = Recorder(judged.rig.source, judged.rig.writer, clock=judged.rig.clock)
    judged.newest = LiveVerdicts()
    judged.judge = judged.follow()
    assert judged.settle() == {"found": 1}
    assert judged.said() == [("found", "reached", 1)]
    judged.tap_to("In the cart")
    judged.tap_to("Home")
    judged.settle()
    assert judged.said() == [("found", "reached", 1), ("carted", "reached", 3)]


def test_the_last_screens_are_judged_when_the_recording_is_closed(judged: _Judged) -> None:
    judged.tap_to("Poster")
    judged.rig.tap()  # still being captured
    judged.rig.recorder.close()
    judged.judge.close()
    assert judged.said() == [("found", "reached", 1)]
