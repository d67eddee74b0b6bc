"""What a person does becomes steps that are whole, in order, and never waited for."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

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
from collector.model.geometry import Point, Position, Rect
from collector.model.touch import TouchAction
from collector.model.trajectory import Step, TrajectoryHeader
from collector.recorder.events import (
    NextStateReady,
    Phase,
    Problem,
    RecorderEvent,
    RecordingState,
    StepCaptured,
    StepCommitted,
    StepsChanged,
)  # fmt: skip
from collector.recorder.recorder import Recorder
from collector.store.errors import StoreError
from collector.store.writer import TrajectoryWriter
from tests.helpers.dumps import node
from tests.helpers.fake_source import SCREEN, FakeClock, FakeSource

BUY = node(text="Buy", clickable="true", resource_id="app:id/buy", bounds="[0,0][360,400]")
SELL = node(text="Sell", clickable="true", resource_id="app:id/sell", bounds="[0,0][360,400]")
FIELD = node(class_="android.widget.EditText", focused="true", hint="Search products", bounds="[0,0][360,90]")
SECRET = node(
    class_="android.widget.EditText", focused="true", password="true", text="hunter2",
    resource_id="app:id/password", clickable="true", bounds="[0,100][360,200]",
)  # fmt: skip


class Desk:
    """A recorder at work over a fake device, with a person at it."""

    def __init__(self, folder: Path, tree_ms: float = 100) -> None:
        self.clock = FakeClock()
        self.source = FakeSource(self.clock, tree_ms)
        self.writer = TrajectoryWriter.create(folder, TrajectoryHeader("one", "task"))
        self.events: list[RecorderEvent] = []
        self.recorder = self.record()

    def record(self, *, hide_passwords: bool = True) -> Recorder:
        recorder = Recorder(self.source, self.writer, clock=self.clock, hide_passwords=hide_passwords)
        recorder.events.add(self.events.append)
        return recorder

    def screen(self, shade: int, *roots: str) -> None:
        self.source.show(shade, *roots)
        self.source.dump()
        self.recorder.look()

    def touch(self, action: TouchAction, x: int, y: int) -> None:
        self.recorder.pointer(action, 0, Position(Point(x, y), SCREEN))

    def tap(self, x: int = 50, y: int = 50) -> None:
        self.touch(TouchAction.DOWN, x, y)
        self.pass_ms(60)
        self.touch(TouchAction.UP, x, y)

    def pass_ms(self, ms: float, every: float = 40) -> None:
        while ms > 0:
            self.clock.pass_ms(min(ms, every))
            self.recorder.look()
            ms -= every

    def steps(self) -> tuple[Step, ...]:
        self.pass_ms(2000)
        assert self.recorder.flush(30)
        return self.writer.steps

    def actions(self) -> list[object]:
        return [step.action for step in self.steps()]

    def file(self, name: str) -> bytes:
        return (self.writer.folder / name).read_bytes()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    one = Desk(tmp_path)
    one.screen(40, BUY)
    yield one
    one.recorder.close()
    one.writer.close()


def _shade(png: bytes) -> int:
    return int(np.asarray(Image.open(io.BytesIO(png)))[-1, -1, 0])


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
    assert _shade(desk.file(step.state.screenshot)) == 40
    assert b"Buy" in desk.file(step.state.tree)


def test_a_double_tap_is_one_step_with_the_screen_before_its_first_touch(desk: Desk) -> None:
    desk.tap()
    desk.screen(200, SELL)
    desk.pass_ms(100)
    desk.tap()
    (step,) = desk.steps()
    assert step.action == DoubleTap(50, 50)
    assert _shade(desk.file(step.state.screenshot)) == 40
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
    assert [_shade(desk.file(step.state.screenshot)) for step in steps] == [n * 2 % 256 for n in range(120)]
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
    for shade in (80, 120, 160):
        desk.pass_ms(200)
        desk.source.show(shade, SELL)
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


def test_a_password_never_reaches_the_disk(desk: Desk) -> None:
    desk.screen(90, SECRET)
    desk.tap(50, 150)
    desk.recorder.text("hunter2")
    desk.pass_ms(2000)
    desk.recorder.finish()
    steps = desk.steps()
    assert steps[1].action == Type("", 7, redacted=True)
    assert steps[1].description == "Type 7 characters into 'password'"
    assert all(step.redacted for step in steps)
    everything = b"".join(path.read_bytes() for path in desk.writer.folder.rglob("*") if path.is_file())
    assert b"hunter2" not in everything
    pixels = np.asarray(Image.open(io.BytesIO(desk.file(steps[0].state.screenshot))))
    assert pixels[100:200].max() == 0
    assert pixels[200:].min() == 90


def test_passwords_are_recorded_where_a_person_allowed_it(desk: Desk) -> None:
    desk.recorder.close()
    desk.recorder = desk.record(hide_passwords=False)
    desk.screen(90, SECRET)
    desk.tap(50, 150)
    desk.recorder.text("hunter2")
    desk.pass_ms(2000)
    desk.recorder.finish()
    steps = desk.steps()
    assert steps[1].action == Type("hunter2", 7)
    assert not any(step.redacted for step in steps)
    pixels = np.asarray(Image.open(io.BytesIO(desk.file(steps[0].state.screenshot))))
    assert pixels[100:200].max() == 90


def test_typing_where_focus_is_not_known_and_a_password_field_is_near_is_redacted(desk: Desk) -> None:
    desk.screen(
        90, node(node(password="true", bounds="[0,100][360,200]"), FIELD.replace('focused="true"', ""))
    )
    desk.tap(50, 150)
    desk.pass_ms(100)
    desk.recorder.text("hunter2")
    assert desk.actions()[-1] == Type("", 7, redacted=True)


def test_marked_regions_are_black(desk: Desk) -> None:
    desk.recorder.set_private_regions((Rect(0, 0, 360, 100),))
    desk.tap()
    (step,) = desk.steps()
    pixels = np.asarray(Image.open(io.BytesIO(desk.file(step.state.screenshot))))
    assert pixels[:100].max() == 0
    assert pixels[100:].min() == 40
    assert step.redacted


def test_words_in_a_marked_region_reach_neither_tree_nor_caption_nor_typed_text(desk: Desk) -> None:
    desk.screen(60, node(node(text="4111 1111", clickable="true", bounds="[0,200][360,300]"), FIELD))
    desk.recorder.set_private_regions((Rect(0, 0, 360, 300),))
    desk.tap(50, 250)
    desk.recorder.text("my card")
    desk.recorder.finish()
    steps = desk.steps()
    assert steps[1].action == Type("", 7, redacted=True)
    everything = b"".join(path.read_bytes() for path in desk.writer.folder.rglob("*") if path.is_file())
    assert b"4111" not in everything
    assert b"my card" not in everything
    assert b"Search products" not in everything


def test_paused_acts_on_the_phone_and_records_nothing(desk: Desk) -> None:
    desk.tap()
    desk.recorder.pause()
    desk.tap()
    desk.recorder.text("x")
    desk.recorder.resume()
    desk.tap()
    assert len(desk.actions()) == 2
    assert len(desk.source.sent) == 7
    kinds = desk.file("events.jsonl").decode().splitlines()
    assert ["pause" in kinds[0], "resume" in kinds[1]] == [True, True]


def test_a_lost_device_pauses_and_its_return_resumes_unless_the_person_paused(desk: Desk) -> None:
    desk.touch(TouchAction.DOWN, 5, 5)
    desk.recorder.device_lost("The phone is offline")
    assert desk.recorder.phase is Phase.PAUSED
    assert any(isinstance(event, Problem) for event in desk.events)
    desk.recorder.device_back()
    assert desk.recorder.phase is Phase.RECORDING
    desk.recorder.pause()
    desk.recorder.device_lost("again")
    desk.recorder.device_back()
    assert desk.recorder.phase is Phase.PAUSED
    assert desk.actions() == []


def test_finishing_adds_the_state_the_last_action_led_to(desk: Desk) -> None:
    desk.tap()
    desk.pass_ms(100)
    desk.source.show(222, SELL)
    desk.recorder.complete()
    desk.recorder.finish()
    steps = desk.steps()
    assert [type(step.action) for step in steps] == [Tap, Complete, type(None)]
    assert _shade(desk.file(steps[-1].state.screenshot)) == 222
    assert b"Sell" in desk.file(steps[-1].state.tree)
    assert desk.writer.header.status == "finished"
    assert desk.events[-1] == RecordingState(Phase.FINISHED)


def test_steps_are_undone_redone_deleted_trimmed_and_reworded_in_order(desk: Desk) -> None:
    for x in (10, 20, 30, 40):
        desk.tap(x, 50)
        desk.pass_ms(400)

    def places() -> list[int]:
        return [action.x for action in desk.actions()]

    desk.recorder.undo()
    assert places() == [10, 20, 30]
    desk.recorder.redo()
    assert places() == [10, 20, 30, 40]
    desk.recorder.delete(1)
    desk.recorder.note(0, "first")
    desk.recorder.intention(0, "to buy")
    desk.recorder.describe(0, "Buy it")
    assert places() == [10, 30, 40]
    assert (desk.writer.steps[0].note, desk.writer.steps[0].intention) == ("first", "to buy")
    assert desk.writer.steps[0].description == "Buy it"
    desk.recorder.trim(1, 3)
    assert places() == [30, 40]
    changed = [event for event in desk.events if isinstance(event, StepsChanged)]
    assert len(changed) == 7
    assert len(changed[-1].steps) == 2


def test_undo_right_after_a_tap_takes_that_tap_back(desk: Desk) -> None:
    desk.tap()
    desk.recorder.undo()
    assert desk.actions() == []


def test_a_step_is_recorded_anew_with_its_note_kept_and_others_are_put_between(desk: Desk) -> None:
    for x in (10, 20):
        desk.tap(x, 50)
        desk.pass_ms(400)
    desk.recorder.note(0, "kept")
    desk.recorder.rerecord(0)
    desk.tap(11, 50)
    desk.pass_ms(400)
    desk.recorder.insert_before(1)
    desk.tap(12, 50)
    desk.pass_ms(400)
    desk.tap(13, 50)
    desk.pass_ms(400)
    desk.recorder.append_at_end()
    desk.tap(30, 50)
    assert [action.x for action in desk.actions()] == [11, 12, 13, 20, 30]
    assert desk.writer.steps[0].note == "kept"


def test_an_edit_of_a_step_that_is_gone_is_told_and_breaks_nothing(desk: Desk) -> None:
    desk.recorder.delete(7)
    desk.tap()
    assert len(desk.actions()) == 1
    assert any(isinstance(event, Problem) for event in desk.events)


def test_a_full_disk_pauses_and_what_was_captured_is_written_on_resume(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_given: object) -> Step:
        raise StoreError("The disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(TrajectoryWriter, "append", full)
        desk.tap(10, 50)
        desk.pass_ms(400)
        desk.tap(20, 50)
        assert desk.actions() == []
        assert desk.recorder.phase is Phase.PAUSED
    desk.recorder.resume()
    assert [action.x for action in desk.actions()][:1] == [10]
    desk.tap(30, 50)
    assert [action.x for action in desk.actions()][-1] == 30


def test_a_finished_recording_goes_on_without_its_old_final_state(desk: Desk) -> None:
    desk.tap()
    desk.recorder.finish()
    assert len(desk.steps()) == 2
    desk.recorder.close()
    desk.recorder = desk.record()
    assert len(desk.steps()) == 2
    assert desk.writer.header.status == "finished"
    desk.tap(99, 50)
    steps = desk.steps()
    assert [step.action for step in steps] == [Tap(50, 50, 60), Tap(99, 50, 60)]
    assert steps[1].t_ms > steps[0].t_ms
    assert desk.writer.header.status == "recording"


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
    desk.recorder.pointer(TouchAction.DOWN, 0, half)
    desk.recorder.pointer(TouchAction.UP, 0, half)
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


def test_the_watching_thread_commits_without_being_called(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.screen(40, BUY)
    desk.recorder.start()
    desk.touch(TouchAction.DOWN, 50, 50)
    desk.touch(TouchAction.UP, 50, 50)
    desk.recorder.close()
    assert [step.action for step in desk.writer.steps] == [Tap(50, 50, 0)]
    desk.writer.close()


def test_pending_counts_what_is_captured_and_not_on_the_disk(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_given: object) -> Step:
        raise StoreError("The disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(TrajectoryWriter, "append", full)
        desk.tap(10, 50)
        desk.steps()
        assert desk.recorder.pending == 1
    desk.recorder.resume()
    desk.steps()
    assert desk.recorder.pending == 0


@pytest.mark.expected_log("a recorder's job failed")
def test_a_picture_that_cannot_be_encoded_costs_its_step_and_no_other(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_frame: object) -> bytes:
        raise ValueError("torn")

    with monkeypatch.context() as patch:
        patch.setattr("collector.device.frame.Frame.rgb", broken)
        desk.tap(10, 50)
        desk.steps()
    desk.tap(20, 50)
    assert desk.actions() == [Tap(20, 50, 60)]
    assert desk.recorder.pending == 0
    assert any(isinstance(event, Problem) and "torn" in event.what for event in desk.events)
