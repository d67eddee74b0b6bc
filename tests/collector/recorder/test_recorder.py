"""What a person does becomes steps that are whole, in order, and never waited for."""

from __future__ import annotations

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
from collector.model.touch import TouchAction
from collector.recorder.events import (
    NextStateReady,
    StepCaptured,
    StepCommitted,
)  # fmt: skip
from tests.helpers.desk import BUY, FIELD, SELL, Desk, shade
from tests.helpers.dumps import node
from tests.helpers.fake_source import SCREEN, FakeSource


def test_a_tap_carries_the_screen_and_tree_of_its_touch_down(desk: Desk) -> None:
    desk.touch(TouchAction.DOWN, 50, 60)
    desk.clock.pass_ms(1)
    desk.screen(200, SELL)  # the tap's own effect
    desk.pass_ms(59)
    desk.touch(TouchAction.UP, 50, 60)
    (step,) = desk.steps()
    assert step.action == Tap(50, 60, 60)
    assert step.description == "Tap 'Buy'"
    assert step.target is not None
    assert step.target.selectors[0] == "resource-id='app:id/buy'"
    assert step.target.attributes["text"] == "Buy"
    assert (step.state.package, step.state.activity) == ("com.example.shop", ".Main")
    assert step.state.source == {"frame": "fake", "tree": "fake-dump"}
    assert (step.state.size, step.state.tree_age_ms, step.state.skew) == (SCREEN, 0, 0.0)
    assert step.state.problem == ""
    assert shade(desk.file(step.state.screenshot)) == 40
    assert b"Buy" in desk.file(step.state.tree)


def test_a_double_tap_is_one_step_with_the_screen_before_its_first_touch(desk: Desk) -> None:
    desk.tap()
    desk.screen(200, SELL)
    desk.pass_ms(100)
    desk.tap()
    (step,) = desk.steps()
    assert step.action == DoubleTap(50, 50)
    assert shade(desk.file(step.state.screenshot)) == 40
    assert step.description == "Double-tap 'Buy'"


def test_a_tap_right_after_a_double_tap_is_its_own_step(desk: Desk) -> None:
    for _number in range(3):
        desk.tap()
        desk.pass_ms(100)
    assert desk.actions() == [DoubleTap(50, 50), Tap(50, 50, 60)]


def test_a_cancelled_touch_leaves_nothing_behind(desk: Desk) -> None:
    desk.tap()
    desk.touch(TouchAction.DOWN, 300, 700)
    desk.touch(TouchAction.CANCEL, 300, 700)
    desk.tap(99, 99)
    assert desk.actions() == [Tap(50, 50, 60), Tap(99, 99, 60)]


def test_everything_reaches_the_phone_at_once_and_in_order(desk: Desk) -> None:
    desk.tap()
    desk.recorder.text("a")
    desk.recorder.key("enter")
    desk.recorder.open_app("com.example.shop")
    kinds = [sent[0] for sent in desk.source.sent]
    assert kinds == [TouchAction.DOWN, TouchAction.UP, "text", "key", "open_app"]


def test_every_kind_of_step_is_recorded_in_the_order_it_began(desk: Desk) -> None:
    place = Position(Point(10, 10), SCREEN)
    desk.tap()
    desk.screen(60, FIELD)
    for letter in "posx":
        desk.recorder.text(letter)
    desk.recorder.key("delete")
    desk.recorder.text("ter")
    desk.recorder.key("enter")
    desk.recorder.scroll(place, 0, -1)
    desk.recorder.scroll(place, 0, -2)
    desk.recorder.open_app("com.example.shop", "Shop")
    desk.recorder.wait(500)
    desk.recorder.answer("42")
    desk.recorder.complete()
    assert desk.actions() == [
        Tap(50, 50, 60), Type("poster", 6), Key("enter"), Scroll(10, 10, "down"),
        OpenApp("com.example.shop", "Shop"), Wait(500), Answer("42"), Complete(),
    ]  # fmt: skip
    assert desk.writer.steps[1].description == "Type 'poster' into 'Search products'"
    times = [step.t_ms for step in desk.writer.steps]
    assert times == sorted(times)


@pytest.mark.parametrize("closer", ["pause", "gesture"])
def test_a_pause_or_a_gesture_closes_typing(desk: Desk, closer: str) -> None:
    desk.recorder.text("a")
    if closer == "pause":
        desk.pass_ms(1600)
    else:
        desk.tap()
    desk.recorder.text("b")
    typed = [action for action in desk.actions() if isinstance(action, Type)]
    assert [one.text for one in typed] == ["a", "b"]


def test_a_person_twice_a_second_for_a_minute_loses_no_step_though_trees_are_slow(tmp_path: Path) -> None:
    desk = Desk(tmp_path, tree_ms=3000)
    desk.screen(0, BUY)
    for number in range(120):
        desk.source.show(number * 2 % 256, node(text=f"screen {number}", clickable="true"))
        desk.recorder.look()
        desk.tap(number, 300)
        desk.pass_ms(440)
    steps = desk.steps()
    assert [step.action.point for step in steps] == [Point(number, 300) for number in range(120)]
    assert [shade(desk.file(step.state.screenshot)) for step in steps] == [n * 2 % 256 for n in range(120)]
    stale = [step for step in steps if step.state.problem]
    assert len(stale) > 100
    assert all("hierarchy is" in step.state.problem for step in stale)
    assert all(step.state.tree_age_ms is not None and step.state.tree_age_ms >= 0 for step in steps)
    assert sum(isinstance(event, StepCommitted) for event in desk.events) == 120
    assert sum(isinstance(event, StepCaptured) for event in desk.events) == 120
    desk.recorder.close()
    desk.writer.close()


def test_the_next_state_is_told_when_the_screen_rests_and_its_tree_is_there(desk: Desk) -> None:
    desk.tap()
    desk.events.clear()
    for grey in (80, 120, 160):
        desk.pass_ms(200)
        desk.source.show(grey, SELL)
    desk.pass_ms(300)
    assert not [event for event in desk.events if isinstance(event, NextStateReady)]
    desk.pass_ms(600)
    (ready,) = [event for event in desk.events if isinstance(event, NextStateReady)]
    assert ready == NextStateReady(1, 600, in_time=True)
    desk.tap()
    assert desk.steps()[-1].description == "Tap 'Sell'"
    assert desk.steps()[-1].state.problem == ""


def test_a_tree_older_than_a_change_is_marked_with_its_age_and_share(desk: Desk) -> None:
    desk.pass_ms(200)
    desk.source.show(250)
    desk.recorder.look()
    desk.tap()
    (step,) = desk.steps()
    assert step.state.skew is not None
    assert step.state.skew > 0.9
    assert step.state.tree_age_ms == 200
    assert "200 ms old" in step.state.problem


def test_without_a_picture_or_a_tree_a_step_says_so(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.tap(7, 9)
    (step,) = desk.steps()
    assert step.description == "Tap at 7, 9"
    assert "no picture" in step.state.problem
    assert "no hierarchy" in step.state.problem
    desk.recorder.close()
    desk.writer.close()


def test_positions_of_a_smaller_picture_become_device_pixels(desk: Desk) -> None:
    half = Position(Point(25, 30), type(SCREEN)(SCREEN.width // 2, SCREEN.height // 2))
    desk.recorder.touch(TouchAction.DOWN, 0, half)
    desk.recorder.touch(TouchAction.UP, 0, half)
    assert desk.actions() == [Tap(50, 60, 0)]


def test_a_swipe_is_recorded_with_its_way(desk: Desk) -> None:
    desk.touch(TouchAction.DOWN, 50, 700)
    for y in range(650, 100, -50):
        desk.pass_ms(20)
        desk.touch(TouchAction.MOVE, 50, y)
    desk.touch(TouchAction.UP, 50, 100)
    (step,) = desk.steps()
    assert isinstance(step.action, Swipe)
    assert step.description == "Swipe up"
    assert len(step.action.path) > 5


def test_a_recorder_goes_on_with_another_connection_to_the_phone(desk: Desk) -> None:
    desk.tap()
    before = len(desk.source.sent)
    first, desk.source = desk.source, FakeSource(desk.clock)
    desk.recorder.use_source(desk.source)
    desk.screen(200, SELL)
    desk.pass_ms(2000)
    desk.tap()
    assert [step.description for step in desk.steps()] == ["Tap 'Buy'", "Tap 'Sell'"]
    assert len(first.sent) == before
    assert len(desk.source.sent) == 2
