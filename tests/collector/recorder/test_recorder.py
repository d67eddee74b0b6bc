"""What a person does becomes steps that are whole, in order, and never waited for."""

from __future__ import annotations

import weakref
from pathlib import Path

import pytest

from collector.model.action import (
    Answer,
    Complete,
    DoubleTap,
    Key,
    OpenApp,
    Scroll,
    Swipe,
    Tap,
    Type,
    Wait,
)  # fmt: skip
from collector.model.geometry import Point, Position
from collector.model.phone.touch import TouchAction
from collector.recorder.events import (
    NextStateReady,
    StepCaptured,
    StepCommitted,
)  # fmt: skip
from tests.helpers.dumps import node
from tests.helpers.fake_source import SCREEN, FakeSource
from tests.helpers.recorder_rig import BUY, FIELD, SELL, RecorderRig, shade


def test_a_tap_carries_the_screen_and_tree_of_its_touch_down(rig: RecorderRig) -> None:
    rig.touch(TouchAction.DOWN, 50, 60)
    rig.clock.pass_ms(1)
    rig.screen(200, SELL)  # the tap's own effect
    rig.pass_ms(59)
    rig.touch(TouchAction.UP, 50, 60)
    (step,) = rig.steps()
    assert step.action == Tap(50, 60, 60)
    assert step.description == "Tap 'Buy'"
    assert step.target is not None
    assert step.target.selectors[0] == "resource-id='app:id/buy'"
    assert step.target.attributes["text"] == "Buy"
    assert (step.state.package, step.state.activity) == ("com.example.shop", ".Main")
    assert step.state.source == {"frame": "fake", "tree": "fake-dump"}
    assert (step.state.size, step.state.tree_age_ms, step.state.skew) == (SCREEN, 0, 0.0)
    assert step.state.problem == ""
    assert shade(rig.file(step.state.screenshot)) == 40
    assert b"Buy" in rig.file(step.state.tree)


def test_a_double_tap_is_one_step_with_the_screen_before_its_first_touch(rig: RecorderRig) -> None:
    rig.tap()
    rig.screen(200, SELL)
    rig.pass_ms(100)
    rig.tap()
    (step,) = rig.steps()
    assert step.action == DoubleTap(50, 50)
    assert shade(rig.file(step.state.screenshot)) == 40
    assert step.description == "Double-tap 'Buy'"


def test_a_tap_right_after_a_double_tap_is_its_own_step(rig: RecorderRig) -> None:
    for _number in range(3):
        rig.tap()
        rig.pass_ms(100)
    assert rig.actions() == [DoubleTap(50, 50), Tap(50, 50, 60)]


def test_a_cancelled_touch_leaves_nothing_behind(rig: RecorderRig) -> None:
    rig.tap()
    rig.touch(TouchAction.DOWN, 300, 700)
    rig.touch(TouchAction.CANCEL, 300, 700)
    rig.tap(99, 99)
    assert rig.actions() == [Tap(50, 50, 60), Tap(99, 99, 60)]


def test_everything_reaches_the_phone_at_once_and_in_order(rig: RecorderRig) -> None:
    rig.tap()
    rig.recorder.text("a")
    rig.recorder.key("enter")
    rig.recorder.open_app("com.example.shop")
    kinds = [sent[0] for sent in rig.source.sent]
    assert kinds == [TouchAction.DOWN, TouchAction.UP, "text", "key", "open_app"]


def test_every_kind_of_step_is_recorded_in_the_order_it_began(rig: RecorderRig) -> None:
    place = Position(Point(10, 10), SCREEN)
    rig.tap()
    rig.screen(60, FIELD)
    for letter in "posx":
        rig.recorder.text(letter)
    rig.recorder.key("delete")
    rig.recorder.text("ter")
    rig.recorder.key("enter")
    rig.recorder.scroll(place, 0, -1)
    rig.recorder.scroll(place, 0, -2)
    rig.recorder.open_app("com.example.shop", "Shop")
    rig.recorder.open_app("My Shop")
    rig.recorder.wait(500)
    rig.recorder.answer("42")
    rig.recorder.complete()
    assert rig.actions() == [
        Tap(50, 50, 60), Type("poster", 6), Key("enter"), Scroll(10, 10, "down"),
        OpenApp("com.example.shop", "Shop"), OpenApp(name="My Shop"), Wait(500), Answer("42"), Complete(),
    ]  # fmt: skip
    assert rig.writer.steps[1].description == "Type 'poster' into 'Search products'"
    times = [step.t_ms for step in rig.writer.steps]
    assert times == sorted(times)


@pytest.mark.parametrize("closer", ["pause", "gesture"])
def test_a_pause_or_a_gesture_closes_typing(rig: RecorderRig, closer: str) -> None:
    rig.recorder.text("a")
    if closer == "pause":
        rig.pass_ms(1600)
    else:
        rig.tap()
    rig.recorder.text("b")
    typed = [action for action in rig.actions() if isinstance(action, Type)]
    assert [action.text for action in typed] == ["a", "b"]


def test_a_person_twice_a_second_for_a_minute_loses_no_step_though_trees_are_slow(tmp_path: Path) -> None:
    rig = RecorderRig(tmp_path, tree_ms=3000)
    rig.screen(0, BUY)
    for number in range(120):
        rig.source.show(number * 2 % 256, node(text=f"screen {number}", clickable="true"))
        rig.recorder.look()
        rig.tap(number, 300)
        rig.pass_ms(440)
    steps = rig.steps()
    assert [step.action.point for step in steps] == [Point(number, 300) for number in range(120)]
    assert [shade(rig.file(step.state.screenshot)) for step in steps] == [n * 2 % 256 for n in range(120)]
    stale = [step for step in steps if step.state.problem]
    assert len(stale) > 100
    assert all("UI tree is" in step.state.problem for step in stale)
    assert all(step.state.tree_age_ms is not None and step.state.tree_age_ms >= 0 for step in steps)
    assert sum(isinstance(event, StepCommitted) for event in rig.events) == 120
    assert sum(isinstance(event, StepCaptured) for event in rig.events) == 120
    rig.recorder.close()
    rig.writer.close()


def test_the_next_state_is_told_when_the_screen_rests_and_its_tree_is_there(rig: RecorderRig) -> None:
    rig.tap()
    rig.events.clear()
    for grey in (80, 120, 160):
        rig.pass_ms(200)
        rig.source.show(grey, SELL)
    rig.pass_ms(300)
    assert not [event for event in rig.events if isinstance(event, NextStateReady)]
    rig.pass_ms(600)
    (ready,) = [event for event in rig.events if isinstance(event, NextStateReady)]
    assert ready == NextStateReady(1, 600, in_time=True)
    rig.tap()
    assert rig.steps()[-1].description == "Tap 'Sell'"
    assert rig.steps()[-1].state.problem == ""


def test_a_tree_older_than_a_change_is_marked_with_its_age_and_share(rig: RecorderRig) -> None:
    rig.pass_ms(200)
    rig.source.show(250)
    rig.recorder.look()
    rig.tap()
    (step,) = rig.steps()
    assert step.state.skew is not None
    assert step.state.skew > 0.9
    assert step.state.tree_age_ms == 200
    assert "200 ms old" in step.state.problem


def test_without_a_picture_or_a_tree_a_step_says_so(tmp_path: Path) -> None:
    rig = RecorderRig(tmp_path)
    rig.tap(7, 9)
    (step,) = rig.steps()
    assert step.description == "Tap at 7, 9"
    assert "no picture" in step.state.problem
    assert "no UI tree" in step.state.problem
    rig.recorder.close()
    rig.writer.close()


def test_positions_of_a_smaller_picture_become_device_pixels(rig: RecorderRig) -> None:
    half = Position(Point(25, 30), type(SCREEN)(SCREEN.width // 2, SCREEN.height // 2))
    rig.recorder.touch(TouchAction.DOWN, 0, half)
    rig.recorder.touch(TouchAction.UP, 0, half)
    assert rig.actions() == [Tap(50, 60, 0)]


def test_a_swipe_is_recorded_with_its_way(rig: RecorderRig) -> None:
    rig.touch(TouchAction.DOWN, 50, 700)
    for y in range(650, 100, -50):
        rig.pass_ms(20)
        rig.touch(TouchAction.MOVE, 50, y)
    rig.touch(TouchAction.UP, 50, 100)
    (step,) = rig.steps()
    assert isinstance(step.action, Swipe)
    assert step.description == "Swipe up"
    assert len(step.action.path) > 5


def test_a_recorder_goes_on_with_another_connection_to_the_phone(rig: RecorderRig) -> None:
    rig.tap()
    before = len(rig.source.sent)
    first, rig.source = rig.source, FakeSource(rig.clock)
    rig.recorder.use_source(rig.source)
    rig.screen(200, SELL)
    rig.pass_ms(2000)
    rig.tap()
    assert [step.description for step in rig.steps()] == ["Tap 'Buy'", "Tap 'Sell'"]
    assert len(first.sent) == before
    assert len(rig.source.sent) == 2


def test_a_recorder_that_was_closed_holds_no_screen(rig: RecorderRig) -> None:
    """A window that records for hours keeps the recorders of before until cycles are collected."""
    rig.tap()
    rig.screen(200, SELL)
    rig.pass_ms(2000)
    rig.touch(TouchAction.DOWN, 50, 50)  # and never up
    seen = weakref.ref(rig.source.newest_frame())
    rig.recorder.close()
    rig.events.clear()
    rig.source.show(10)
    assert seen() is None
