"""Whether the phone is where the next action goes: after undo, deletion, and a step recorded again."""

from __future__ import annotations

import threading

import pytest

from collector.model.errors import UserError
from collector.recorder.events import Phase, PhonePlaceChanged, RecorderEvent, StepsChanged
from collector.store.trajectory.undone_steps import undone_step
from tests.helpers.recorder_rig import BUY, SELL, RecorderRig


@pytest.fixture
def two(rig: RecorderRig) -> RecorderRig:
    """Two taps, each of which led to another screen."""
    rig.tap()
    rig.pass_ms(100)
    rig.screen(90, SELL)
    rig.steps()
    rig.tap()
    rig.pass_ms(100)
    rig.screen(200, BUY)
    assert len(rig.steps()) == 2
    return rig


def _changes(rig: RecorderRig) -> list[bool]:
    return [event.is_elsewhere for event in rig.events if isinstance(event, PhonePlaceChanged)]


def test_an_undone_step_leaves_the_phone_elsewhere_until_its_screen_was_compared(two: RecorderRig) -> None:
    recorder, behind_two = two.recorder, two.recorder.place.wanted
    seen = recorder.screen_at_end
    assert seen is not None
    assert not recorder.place.is_elsewhere
    recorder.undo()
    two.steps()
    assert recorder.place.is_elsewhere
    assert recorder.screen_at_end is None
    recorder.confirm_place(behind_two)  # it was compared with what is no longer wanted
    assert recorder.place.is_elsewhere
    recorder.redo()
    two.steps()
    assert recorder.place.is_elsewhere  # somebody may have moved it meanwhile
    assert recorder.screen_at_end is seen
    recorder.confirm_place(behind_two)
    assert _changes(two) == [True, False]


def test_a_screen_elsewhere_does_not_become_the_end_unless_the_person_goes_on_from_it(
    two: RecorderRig,
) -> None:
    two.recorder.undo()
    two.steps()
    for _time in range(2):
        with pytest.raises(UserError, match="not where the steps end"):
            two.recorder.finish()
    assert two.recorder.phase is Phase.RECORDING
    two.recorder.pause()
    two.recorder.resume()
    two.recorder.place.leave()  # a replay moved it since then
    with pytest.raises(UserError, match="not where the steps end"):
        two.recorder.finish()
    two.recorder.pause()
    two.recorder.resume()
    two.recorder.finish()
    assert len(two.steps()) == 2
    assert two.writer.header.is_golden


def test_nothing_is_finished_before_the_undo_is_written_that_moves_its_end(two: RecorderRig) -> None:
    holding, held = threading.Event(), threading.Event()

    def hold(event: RecorderEvent) -> None:
        """On the writer's thread, which comes to the undo later."""
        if isinstance(event, StepsChanged):
            holding.set()
            assert held.wait(10)

    two.recorder.events.subscribe(hold)
    two.recorder.reword(0, note="here")
    assert holding.wait(10)
    two.recorder.undo()  # of these words
    two.recorder.undo()
    try:
        with pytest.raises(UserError, match="An edit is still being written"):
            two.recorder.finish()
    finally:
        held.set()
    two.steps()
    with pytest.raises(UserError, match="not where the steps end"):
        two.recorder.finish()
    two.recorder.delete(7)  # which is refused, and holds nothing up
    two.steps()
    two.recorder.place.accept()
    two.recorder.finish()
    assert two.recorder.phase is not Phase.RECORDING


def test_a_step_recorded_elsewhere_says_so(two: RecorderRig) -> None:
    two.recorder.undo()
    two.steps()
    two.tap()
    last = two.steps()[-1]
    assert last.state.problem == "The phone was not where step 1 had led"
    assert not two.recorder.place.is_elsewhere


def test_a_step_in_the_middle_that_is_recorded_again_leaves_the_phone_behind_it(two: RecorderRig) -> None:
    recorder = two.recorder
    recorder.rerecord(0)
    assert recorder.place.is_elsewhere
    recorder.confirm_place(recorder.place.wanted)
    two.tap()
    first, last = two.steps()
    assert (first.state.problem, last.state.problem) == ("", "")
    assert recorder.place.is_elsewhere
    recorder.rerecord(0)
    recorder.cancel_rerecord()
    assert recorder.place.is_elsewhere


def test_words_and_steps_before_the_last_move_nobody(two: RecorderRig) -> None:
    two.recorder.reword(1, note="here")
    two.recorder.delete(0)
    assert len(two.steps()) == 1
    assert _changes(two) == []


def test_the_undone_step_is_known_from_the_journal(two: RecorderRig) -> None:
    first, second = two.steps()
    folder = two.writer.folder
    assert undone_step(folder) is None
    two.recorder.undo()
    two.recorder.reword(0, note="here")
    two.steps()
    step = undone_step(folder)
    assert step is not None
    assert step.state.screenshot == second.state.screenshot
    two.recorder.delete(0)
    two.steps()
    step = undone_step(folder)
    assert step is not None
    assert step.state.screenshot == first.state.screenshot
    two.tap()
    two.steps()
    assert undone_step(folder) is None
