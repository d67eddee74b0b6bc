"""The ten tasks and essential states of A3's Table 8, over the apps of the virtual phone where they fit.

Each is played on a virtual phone in this process and judged by rules; what the paper says stands beside it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.rule_judge import RuleJudge
from collector.model.action import Action, Answer, Key, Tap, Type
from collector.model.expected_answer import ExpectedAnswer
from collector.model.task import Task
from collector.model.trajectory import RUN
from collector.model.verdicts.judgement import Judgement
from collector.rules.grammar.rule_reader import read_rules
from collector.virtual.system.phone import Phone
from tests.helpers import libyaml
from tests.helpers.judged import first_steps
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen
from tests.helpers.phone_driver import bounds, find, has, tap_at
from tests.helpers.virtual import profile

_ENTER = 66
_PATIENCE_S = 20.0


@dataclass
class Played:
    """Acts on a phone and records what a recorder would: the screen before each action, and the last one."""

    phone: Phone
    screens: list[RecordedScreen] = field(default_factory=list)

    def tap(self, **attributes: str) -> None:
        self._wait(**attributes)
        center = bounds(find(self.phone, **attributes)).center
        self._note(Tap(center.x, center.y))
        tap_at(self.phone, center.x, center.y)

    def type(self, text: str, **into: str) -> None:
        self._wait(**into)
        self._note(Type(text, len(text)))
        assert self.phone.commit_text(text)

    def enter(self) -> None:
        self._note(Key("enter"))
        self.phone.press_button(_ENTER)

    def end(self, signal: Action | None = None, **shown: str) -> None:
        self._wait(**shown)
        self._note(signal)

    def _note(self, action: Action | None) -> None:
        front = self.phone.focused
        assert front is not None
        self.screens.append(
            RecordedScreen(self.phone.hierarchy_xml(), action, None, front.package, front.activity)
        )

    def _wait(self, **attributes: str) -> None:
        """Until such a node is on the screen."""
        end, frame = time.monotonic() + _PATIENCE_S, self.phone.capture()
        while not has(self.phone, **attributes):
            assert time.monotonic() < end, attributes
            frame = self.phone.wait_picture(frame.generation, 0.2) or frame


def books(phone: Played) -> None:
    phone.tap(text="Books")
    phone.tap(text="Book: The colour of posters")
    phone.end(Answer("Book: The colour of posters"), resource_id="add_to_cart")


def posters(phone: Played) -> None:
    phone.tap(resource_id="search_box")
    phone.type("poster", resource_id="query")
    phone.enter()
    phone.tap(resource_id="chip_filter")
    phone.tap(resource_id="in_stock")
    phone.tap(resource_id="free_delivery", text="Free delivery")
    phone.tap(resource_id="apply")
    phone.tap(resource_id="chip_sort")
    phone.tap(text="Customer rating")
    phone.end(text="Customer rating", resource_id="chip_sort")


def price(phone: Played) -> None:
    phone.tap(resource_id="search_box")
    phone.type("poster", resource_id="query")
    phone.enter()
    phone.tap(resource_id="chip_filter")
    phone.tap(resource_id="in_stock")
    phone.tap(resource_id="apply")
    phone.end(Answer("It costs $14.90"), text="In stock", resource_id="chip_filter")


def message(phone: Played) -> None:
    phone.tap(resource_id="new_chat")
    phone.tap(text="Ben Okafor", resource_id="person_name")
    phone.tap(resource_id="message")
    phone.type("When is the meeting?", resource_id="message")
    phone.tap(resource_id="send")
    phone.end(text="When is the meeting?", resource_id="message_text")


def dark(phone: Played) -> None:
    phone.tap(resource_id="search_action_bar")
    phone.type("dark", resource_id="query")
    phone.tap(text="Dark theme", resource_id="title")
    phone.tap(content_desc="Dark theme")
    phone.end(content_desc="Dark theme", checked="true")


def trip(phone: Played) -> None:
    phone.tap(content_desc="Open menu")
    phone.tap(text="Trip", resource_id="option_title")
    phone.tap(resource_id="span_all")
    phone.tap(text="Charge camera", resource_id="task_title")
    phone.tap(resource_id="delete")
    phone.tap(resource_id="confirm_delete")
    phone.tap(text="Print tickets", resource_id="task_title")
    phone.tap(text="Work", resource_id="list_chip")
    phone.tap(resource_id="save")
    phone.end(Answer("1"), resource_id="add")


def schedule(phone: Played) -> None:
    phone.tap(resource_id="search_action_bar")
    phone.type("battery", resource_id="query")
    phone.tap(text="Battery", resource_id="title")
    phone.tap(text="Battery saver", resource_id="title")
    phone.end(text="Set a schedule")


PLAYS: dict[str, Callable[[Played], None]] = {
    "cnn": books, "trip": posters, "amazon": price, "gmail": message, "workout": dark, "supercook": trip,
    "wikipedia": schedule,
}  # fmt: skip
TABLE = libyaml.safe_load(Path(__file__).with_name("table_8.yaml").read_text(encoding="utf-8"))
AUTHORED = {row["here"]["states"][0]["id"].rpartition("-")[0]: row["here"] for row in TABLE if "here" in row}


@pytest.mark.parametrize("name", AUTHORED)
def test_a_task_of_the_table_is_judged_by_its_states(name: str) -> None:
    here = AUTHORED[name]
    states = read_rules(libyaml.safe_dump({"states": here["states"]})).rules
    answer = here.get("expected_answer")
    task = Task(
        name, here["instruction"], package=here["package"],
        essential_states=tuple(state.id for state in states),
        expected_answer=ExpectedAnswer((answer["text"],), answer["rule"]) if answer else None,
    )  # fmt: skip
    phone = Phone(profile("shop", "todo", "messenger", "settings"))
    try:
        phone.launch(here["package"])
        played = Played(phone)
        PLAYS[name](played)
    finally:
        phone.close()

    def judged(screens: list[RecordedScreen]) -> dict[str, Judgement]:
        trajectory = JudgedTrajectory.of(MemoryTrajectory(name, screens, RUN), [task], states)
        return {item.subject.state or "task": item for item in RuleJudge().judge(trajectory)}

    found = judged(played.screens)
    assert list(first_steps(found).values()) == here["steps"]
    assert found["task"].verdict == "success"
    # Without the step that reaches its last state the task is not done.
    cut = judged([*played.screens[: max(here["steps"]) - 1], RecordedScreen(played.screens[0].xml)])
    assert (cut[states[-1].id].verdict, cut["task"].verdict) == ("missed", "uncompleted")


def test_every_state_of_the_table_is_authored_or_says_why_not() -> None:
    assert len(TABLE) == 10
    for row in TABLE:
        here, left_out = row.get("here"), row.get("left_out", {})
        if here is None:
            assert row["does_not_fit"]
        else:
            assert len(here["states"]) + len(left_out) == len(row["states"])
            assert all(left_out.values())
