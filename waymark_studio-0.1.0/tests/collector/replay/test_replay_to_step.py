"""Bring a phone to where a step begins: what is replayed, what is reset, and the sentence when it fails."""

from __future__ import annotations

import threading

import pytest

from collector.device.errors import CallCancelled
from collector.model.action import Tap, Type
from collector.model.errors import UserError
from collector.model.geometry import Rect
from collector.model.task import RESET_APP
from collector.replay.replay_options import ReplayOptions
from collector.replay.replay_to_step import ReplayToStep
from collector.reset.reset_record import ResetPlan
from tests.helpers.dumps import hierarchy, node
from tests.helpers.fake_phone import APP, FakePhone, recorded_step
from tests.helpers.memory_trajectory import MemoryTrajectory

_BOX = Rect(0, 100, 400, 200)
_ORDER = {"Home": "List", "List": "Item", "Item": "Item"}
_WORDS = {"Home": "Shop", "List": "Poster", "Item": "Thank you"}
_SCREENS = {screen: (node(text=text, clickable="true", bounds=str(_BOX)),) for screen, text in _WORDS.items()}


class _Recorded(MemoryTrajectory):
    def __init__(self, steps) -> None:
        super().__init__("task", ())
        self._steps = steps

    steps = property(lambda self: self._steps)

    def tree(self, step):
        return hierarchy(*_SCREENS[step.state.activity[1:]]).encode()


def _tap(screen, index):
    text = _WORDS[screen]
    selectors = (f"text='{text}'",)
    return recorded_step(Tap(50, 150), selectors, _BOX, index=index, activity=f".{screen}", text=text)


_STEPS = [_tap("Home", 0), _tap("List", 1), _tap("Item", 2)]


@pytest.fixture
def phone():
    return FakePhone(dict(_SCREENS), "Home", led=lambda shown, _what: _ORDER[shown])


def _bring(phone, index, steps=_STEPS, reset=None, cancelled=None):
    progress = []
    target = ReplayToStep(_Recorded(steps), index, ReplayOptions(APP, patience_s=0.3), reset)
    target.run(
        phone.phone, cancelled or threading.Event(), lambda done, count: progress.append((done, count))
    )
    return progress


def test_the_steps_before_are_replayed_and_no_more(phone):
    assert _bring(phone, 2) == [(0, 2), (1, 2), (2, 2)]
    assert phone.shown == "Item"
    assert any(f"force-stop {APP}" in line for line in phone.commands)
    assert not any("pm clear" in line for line in phone.commands)


def test_what_was_reset_before_the_recording_is_reset_first(phone):
    shell = phone.shell
    phone.shell = lambda command, **more: (
        _Success() if "pm clear" in str(command) and not phone.commands.append(str(command))
        else shell(command, **more)
    )  # fmt: skip
    _bring(phone, 1, reset=ResetPlan(RESET_APP, APP))
    cleared = next(number for number, line in enumerate(phone.commands) if "pm clear" in line)
    stopped = next(number for number, line in enumerate(phone.commands) if "force-stop" in line)
    assert cleared < stopped
    assert phone.shown == "List"


class _Success:
    ok, status, text, error_text = True, 0, "Success\n", ""


def test_without_a_step_and_a_reset_there_is_nothing_to_bring_it_by(phone):
    with pytest.raises(UserError, match="no step is left"):
        _bring(phone, 0)
    assert phone.commands == []


def test_a_step_whose_screen_does_not_come_is_named_with_the_reason(phone):
    phone.led = lambda shown, _what: "Offer"
    phone.screens["Offer"] = (node(text="Buy now"),)
    with pytest.raises(UserError) as raised:
        _bring(phone, 2)
    assert raised.value.what == "The phone stopped before step 2"
    assert "Buy now" in raised.value.why


def test_the_screen_of_a_step_to_be_recorded_again_is_checked(phone):
    phone.led = lambda shown, _what: "Item"
    with pytest.raises(UserError) as raised:
        _bring(phone, 1)
    assert raised.value.what == "The phone stopped before step 2"


def test_a_hidden_text_is_left_to_the_person(phone):
    phone.screens["List"] = (node(class_="android.widget.EditText", focused="true"),)
    steps = [_STEPS[0], recorded_step(Type("", 8, redacted=True), index=1, activity=".List")]
    with pytest.raises(UserError, match="before step 2") as raised:
        _bring(phone, 2, steps)
    assert "hidden" in raised.value.why
    assert phone.typed == []


def test_it_is_cancelled_between_two_steps(phone):
    cancelled = threading.Event()
    phone.led = lambda shown, _what: cancelled.set() or _ORDER[shown]
    with pytest.raises(CallCancelled):
        _bring(phone, 2, cancelled=cancelled)
    assert phone.shown == "List"
