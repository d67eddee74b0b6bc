"""A recording is paused, finished, mended and gone on with; what the disk refuses is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.model.action import (
    Complete,
    Tap,
)  # fmt: skip
from collector.model.errors import UserError
from collector.model.phone.touch import TouchAction
from collector.model.trajectory import Step
from collector.recorder.events import (
    Phase,
    RecorderNotice,
    RecordingState,
    RerecordArmed,
    StepsChanged,
)  # fmt: skip
from collector.store.files.errors import StoreError
from collector.store.trajectory.edit_journal import EditHistory
from collector.store.trajectory.trajectory_files import read_steps
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.recorder_rig import BUY, SELL, RecorderRig, shade


def test_paused_acts_on_the_phone_and_records_nothing(rig: RecorderRig) -> None:
    rig.tap()
    rig.recorder.pause()
    rig.tap()
    rig.recorder.text("x")
    rig.recorder.resume()
    rig.tap()
    assert len(rig.actions()) == 2
    assert len(rig.source.sent) == 7
    kinds = rig.file("events.jsonl").decode().splitlines()
    assert ["pause" in kinds[0], "resume" in kinds[1]] == [True, True]


def test_the_clock_of_the_steps_stands_still_during_a_pause(rig: RecorderRig) -> None:
    rig.pass_ms(1000)
    rig.tap()
    rig.recorder.pause()
    paused = rig.recorder.elapsed_ms
    rig.pass_ms(60_000)
    assert rig.recorder.elapsed_ms == paused
    rig.recorder.resume()
    rig.pass_ms(500)
    rig.tap()
    first, second = (step.t_ms for step in rig.steps()[:2])
    assert second - first < 2000
    assert second <= rig.recorder.elapsed_ms < second + 30_000


def test_a_lost_device_pauses_and_its_return_resumes_unless_the_person_paused(rig: RecorderRig) -> None:
    rig.touch(TouchAction.DOWN, 5, 5)
    rig.recorder.device_lost("The phone is offline")
    assert rig.recorder.phase is Phase.PAUSED
    assert any(isinstance(event, RecorderNotice) for event in rig.events)
    rig.recorder.device_back()
    assert rig.recorder.phase is Phase.RECORDING
    rig.recorder.pause()
    rig.recorder.device_lost("again")
    rig.recorder.device_back()
    assert rig.recorder.phase is Phase.PAUSED
    assert rig.actions() == []


def test_finishing_adds_the_state_the_last_action_led_to(rig: RecorderRig) -> None:
    rig.tap()
    rig.pass_ms(100)
    rig.source.show(222, SELL)
    rig.recorder.complete()
    rig.recorder.finish()
    steps = rig.steps()
    assert [type(step.action) for step in steps] == [Tap, Complete, type(None)]
    assert shade(rig.file(steps[-1].state.screenshot)) == 222
    assert b"Sell" in rig.file(steps[-1].state.tree)
    assert rig.writer.header.status == "finished"
    assert rig.events[-1] == RecordingState(Phase.FINISHED)


def test_steps_are_undone_redone_deleted_trimmed_and_reworded_in_order(rig: RecorderRig) -> None:
    for x in (10, 20, 30, 40):
        rig.tap(x, 50)
        rig.pass_ms(400)

    def places() -> list[int]:
        return [action.x for action in rig.actions()]

    rig.recorder.undo()
    assert places() == [10, 20, 30]
    rig.recorder.redo()
    assert places() == [10, 20, 30, 40]
    rig.recorder.delete(1)
    rig.recorder.reword(0, note="first")
    rig.recorder.reword(0, intention="to buy")
    rig.recorder.reword(0, description="Buy it")
    assert places() == [10, 30, 40]
    assert (rig.writer.steps[0].note, rig.writer.steps[0].intention) == ("first", "to buy")
    assert rig.writer.steps[0].description == "Buy it"
    rig.recorder.trim(1, 3)
    assert places() == [30, 40]
    changed = [event for event in rig.events if isinstance(event, StepsChanged)]
    assert len(changed) == 7
    assert len(changed[-1].steps) == 2


def test_undo_right_after_a_tap_takes_that_tap_back(rig: RecorderRig) -> None:
    rig.tap()
    rig.recorder.undo()
    assert rig.actions() == []


def test_a_step_is_recorded_anew_with_its_note_kept(rig: RecorderRig) -> None:
    for x in (10, 20):
        rig.tap(x, 50)
        rig.pass_ms(400)
    rig.recorder.reword(0, note="kept")
    rig.recorder.rerecord(0)
    rig.tap(11, 50)
    rig.pass_ms(400)
    rig.tap(30, 50)
    assert [action.x for action in rig.actions()] == [11, 20, 30]
    assert rig.writer.steps[0].note == "kept"


def test_a_rerecording_stays_armed_until_it_is_used_cancelled_or_steps_are_edited(rig: RecorderRig) -> None:
    for x in (10, 20):
        rig.tap(x, 50)
        rig.pass_ms(400)
    rig.recorder.rerecord(0)
    rig.recorder.reword(1, note="armed still")
    assert rig.recorder.rerecords == 0
    rig.recorder.cancel_rerecord()
    rig.recorder.cancel_rerecord()
    rig.tap(30, 50)
    rig.pass_ms(400)
    rig.recorder.rerecord(1)
    rig.tap(21, 50)
    rig.pass_ms(400)
    rig.recorder.rerecord(1)
    rig.recorder.delete(0)
    rig.tap(40, 50)
    assert [action.x for action in rig.actions()] == [21, 30, 40]
    armed = [event.index for event in rig.events if isinstance(event, RerecordArmed)]
    assert armed == [0, None, 1, None, 1, None]


def test_steps_are_inserted_one_after_the_other_until_it_is_cancelled(rig: RecorderRig) -> None:
    for x in (10, 20):
        rig.tap(x, 50)
        rig.pass_ms(400)
    rig.recorder.insert(1)
    for x in (11, 12):
        rig.tap(x, 50)
        rig.pass_ms(400)
    assert rig.recorder.inserts == 3
    assert not rig.recorder.place.is_elsewhere
    rig.recorder.cancel_rerecord()
    rig.tap(30, 50)
    assert [action.x for action in rig.actions()] == [10, 11, 12, 20, 30]
    times = [step.t_ms for step in rig.writer.steps]
    assert times == sorted(times)
    armed = [(event.index, event.inserts) for event in rig.events if isinstance(event, RerecordArmed)]
    assert armed == [(1, True), (2, True), (3, True), (None, False)]


def test_undo_of_an_inserted_step_lets_the_next_one_take_its_place(rig: RecorderRig) -> None:
    for x in (10, 20):
        rig.tap(x, 50)
        rig.pass_ms(400)
    rig.recorder.insert(0)
    rig.tap(1, 50)
    rig.pass_ms(400)
    rig.recorder.undo()
    assert rig.recorder.inserts == 0
    rig.tap(2, 50)
    rig.pass_ms(400)
    assert [action.x for action in rig.actions()] == [2, 10, 20]
    rig.recorder.undo()
    rig.recorder.undo()
    assert rig.recorder.inserts is None


def test_the_rest_is_recorded_again_and_one_undo_brings_it_back(rig: RecorderRig) -> None:
    for x in (10, 20, 30):
        rig.tap(x, 50)
        rig.pass_ms(400)
    rig.recorder.drop_rest(1)
    assert rig.recorder.flush(5)
    assert rig.recorder.place.is_elsewhere
    assert rig.writer.undo_title == "re-record from step 2"
    rig.recorder.undo()
    assert [action.x for action in rig.actions()] == [10, 20, 30]


def test_a_golden_that_is_recorded_again_from_a_step_is_finished_with_its_end_alone(rig: RecorderRig) -> None:
    for x in (10, 20):
        rig.tap(x, 50)
    rig.recorder.finish()
    assert [rig.actions()[-1], rig.writer.header.is_golden] == [None, True]
    ended = rig.writer.header
    rig.recorder.close()
    rig.recorder = rig.record()
    rig.recorder.drop_rest(1)
    assert [len(rig.steps()), rig.writer.header.shown_kind] == [1, "unfinished"]
    rig.recorder.undo()
    assert [len(rig.steps()), rig.writer.header] == [3, ended]
    rig.recorder.redo()
    assert [len(rig.steps()), rig.writer.header.is_golden] == [1, False]
    rig.tap(40, 50)
    rig.recorder.finish()
    assert [rig.actions()[-1], rig.writer.header.is_golden] == [None, True]
    rig.recorder.close()
    again = rig.writer.steps, rig.writer.header
    for _time in range(2):
        assert rig.writer.undo() == "re-record from step 2"
        assert [len(rig.writer.steps), rig.writer.header, rig.writer.undo_title] == [3, ended, ""]
        assert [edit.title for edit in _history(rig).redoable] == ["re-record from step 2"]
        assert rig.writer.redo() == "re-record from step 2"
        assert (rig.writer.steps, rig.writer.header) == again
        assert _history(rig).newest(is_sealed=True).title == "re-record from step 2"


def _history(rig: RecorderRig) -> EditHistory:
    """The edits as they are read after a restart."""
    return read_steps(rig.writer.folder).history


def test_finish_wants_an_action_and_the_recording_goes_on(rig: RecorderRig) -> None:
    with pytest.raises(UserError, match="Nothing is recorded yet"):
        rig.recorder.finish()
    assert rig.recorder.phase is Phase.RECORDING
    rig.tap()
    rig.recorder.undo()
    rig.steps()
    with pytest.raises(UserError):
        rig.recorder.finish()
    rig.recorder.answer("nothing to do")
    rig.recorder.finish()
    assert [len(rig.steps()), rig.writer.header.is_golden] == [2, True]


def test_an_edit_of_a_step_that_is_gone_is_told_and_breaks_nothing(rig: RecorderRig) -> None:
    rig.recorder.delete(7)
    rig.tap()
    assert len(rig.actions()) == 1
    assert any(isinstance(event, RecorderNotice) for event in rig.events)


def test_a_full_disk_pauses_and_what_was_captured_is_written_on_resume(
    rig: RecorderRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_given: object) -> Step:
        raise StoreError("The disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(TrajectoryWriter, "append", full)
        rig.tap(10, 50)
        rig.pass_ms(400)
        rig.tap(20, 50)
        assert rig.actions() == []
        assert rig.recorder.phase is Phase.PAUSED
    rig.recorder.resume()
    assert [action.x for action in rig.actions()][:1] == [10]
    rig.tap(30, 50)
    assert [action.x for action in rig.actions()][-1] == 30


def test_a_finished_recording_goes_on_without_its_old_final_state(rig: RecorderRig) -> None:
    rig.tap()
    rig.recorder.finish()
    assert len(rig.steps()) == 2
    rig.recorder.close()
    rig.recorder = rig.record()
    assert len(rig.steps()) == 2
    assert rig.writer.header.status == "finished"
    rig.tap(99, 50)
    steps = rig.steps()
    assert [step.action for step in steps] == [Tap(50, 50, 60), Tap(99, 50, 60)]
    assert steps[1].t_ms > steps[0].t_ms
    assert rig.writer.header.status == "recording"


def test_the_watching_thread_commits_without_being_called(tmp_path: Path) -> None:
    rig = RecorderRig(tmp_path)
    rig.screen(40, BUY)
    rig.recorder.start()
    rig.touch(TouchAction.DOWN, 50, 50)
    rig.touch(TouchAction.UP, 50, 50)
    rig.recorder.close()
    assert [step.action for step in rig.writer.steps] == [Tap(50, 50, 0)]
    rig.writer.close()


def test_pending_counts_what_is_captured_and_not_on_the_disk(
    rig: RecorderRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_given: object) -> Step:
        raise StoreError("The disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(TrajectoryWriter, "append", full)
        rig.tap(10, 50)
        rig.steps()
        assert rig.recorder.pending == 1
    rig.recorder.resume()
    rig.steps()
    assert rig.recorder.pending == 0


@pytest.mark.expected_log("a job of the recorder failed")
def test_a_picture_that_cannot_be_encoded_costs_its_step_and_no_other(
    rig: RecorderRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_frame: object) -> bytes:
        raise ValueError("torn")

    with monkeypatch.context() as patch:
        patch.setattr("collector.device.frame.Frame.rgb", broken)
        rig.tap(10, 50)
        rig.steps()
    rig.tap(20, 50)
    assert rig.actions() == [Tap(20, 50, 60)]
    assert rig.recorder.pending == 0
    assert any(isinstance(event, RecorderNotice) and "torn" in event.what for event in rig.events)
