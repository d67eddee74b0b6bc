"""An anomaly between the steps: noted in their order, marked on what was done under it."""

from __future__ import annotations

from collector.recorder.events import EventRecorded
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.dumps import node
from tests.helpers.recorder_rig import BUY, SELL, RecorderRig

DIALOG = "com.example.adbsmarttest"
ALLOW = node(text="Allow", clickable="true", package=DIALOG, bounds="[0,0][360,400]")


def inject(rig: RecorderRig, native: bool = False) -> int:
    now = rig.clock()
    line = {"injection": "a1", "anomaly": "low", "transition": "injected", "native": native}
    rig.recorder.note_event("anomaly", now, line)
    rig.recorder.interrupt("a1", "low", now, "" if native else DIALOG)
    return now


def gone(rig: RecorderRig) -> None:
    now = rig.clock()
    line = {"injection": "a1", "anomaly": "low", "transition": "answered", "answer": "accept"}
    rig.recorder.note_event("anomaly", now, line)
    rig.recorder.interruption_over("a1", now)


def test_a_golden_path_with_an_interruption(rig: RecorderRig) -> None:
    rig.tap()
    rig.pass_ms(500)
    assert rig.recorder.next_index == 1
    inject(rig)
    rig.screen(120, ALLOW)
    rig.tap()
    rig.pass_ms(500)
    gone(rig)
    rig.screen(40, BUY)
    rig.tap()
    steps = rig.steps()
    mark = {"anomaly": {"injection": "a1", "anomaly": "low"}}
    assert [step.extra for step in steps] == [{}, mark, {}]
    stored = open_trajectory(rig.writer.folder)
    (interruption,) = stored.interruptions()
    assert (interruption.slot, interruption.steps, interruption.answered_by, interruption.answer) == (
        1,
        (1,),
        1,
        "accept",
    )
    assert stored.header.extra["interrupted"] == ["low"]
    assert [line["step"] for line in stored.events()] == [1, 2]
    assert [event.line["transition"] for event in rig.events if isinstance(event, EventRecorded)] == [
        "injected", "answered",
    ]  # fmt: skip


def test_a_step_made_before_the_answer_was_heard_is_not_under_the_dialog(rig: RecorderRig) -> None:
    inject(rig)
    rig.screen(120, ALLOW)
    rig.tap()
    rig.pass_ms(500)
    rig.screen(40, SELL)  # the dialog went at once, its log comes late
    rig.pass_ms(400)
    rig.tap()
    rig.pass_ms(500)
    gone(rig)
    steps = rig.steps()
    assert [bool(step.extra) for step in steps] == [True, False]


def test_what_was_typed_before_is_a_step_of_its_own(rig: RecorderRig) -> None:
    rig.recorder.text("po")
    inject(rig)
    rig.recorder.text("ster")
    steps = rig.steps()
    assert [step.action.text for step in steps] == ["po", "ster"]  # type: ignore[union-attr]
    assert [bool(step.extra) for step in steps] == [False, True]


def test_a_changed_phone_marks_no_step_but_the_header(rig: RecorderRig) -> None:
    inject(rig, native=True)
    rig.tap()
    assert [step.extra for step in rig.steps()] == [{}]
    assert rig.writer.header.extra["interrupted"] == ["low"]


def test_events_are_told_while_paused_and_survive_the_undo_of_steps(rig: RecorderRig) -> None:
    rig.tap()
    rig.pass_ms(500)
    rig.recorder.pause()
    inject(rig)
    gone(rig)
    rig.recorder.undo()
    assert rig.steps() == ()
    assert len(open_trajectory(rig.writer.folder).interruptions()) == 1


def test_an_event_before_the_recording_began_is_at_its_beginning(rig: RecorderRig) -> None:
    rig.recorder.note_event("anomaly", 0, {"injection": "a1", "anomaly": "low", "transition": "injected"})
    rig.steps()
    (interruption,) = open_trajectory(rig.writer.folder).interruptions()
    assert interruption.injected_ms == 0
