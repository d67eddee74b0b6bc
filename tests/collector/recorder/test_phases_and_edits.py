"""A recording is paused, finished, mended and gone on with; what the disk refuses is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.model.action import (
    Complete,
    Tap,
)  # fmt: skip
from collector.model.touch import TouchAction
from collector.model.trajectory import Step
from collector.recorder.events import (
    Phase,
    RecorderNotice,
    RecordingState,
    StepsChanged,
)  # fmt: skip
from collector.store.errors import StoreError
from collector.store.writer import TrajectoryWriter
from tests.helpers.desk import BUY, SELL, Desk, shade


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
    assert any(isinstance(event, RecorderNotice) for event in desk.events)
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
    assert shade(desk.file(steps[-1].state.screenshot)) == 222
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
    desk.recorder.reword(0, note="first")
    desk.recorder.reword(0, intention="to buy")
    desk.recorder.reword(0, description="Buy it")
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
    desk.recorder.reword(0, note="kept")
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
    assert any(isinstance(event, RecorderNotice) for event in desk.events)


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


@pytest.mark.expected_log("a job of the recorder failed")
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
    assert any(isinstance(event, RecorderNotice) and "torn" in event.what for event in desk.events)
