"""An anomaly between the steps: noted in their order, marked on what was done under it."""

from __future__ import annotations

from collector.recorder.events import EventRecorded
from collector.store.reader import open_trajectory
from tests.helpers.desk import BUY, SELL, Desk
from tests.helpers.dumps import node

DIALOG = "com.example.adbsmarttest"
ALLOW = node(text="Allow", clickable="true", package=DIALOG, bounds="[0,0][360,400]")


def inject(desk: Desk, native: bool = False) -> int:
    now = desk.clock()
    line = {"injection": "a1", "anomaly": "low", "transition": "injected", "native": native}
    desk.recorder.note_event("anomaly", now, line)
    desk.recorder.interrupt("a1", "low", now, "" if native else DIALOG)
    return now


def gone(desk: Desk) -> None:
    now = desk.clock()
    line = {"injection": "a1", "anomaly": "low", "transition": "answered", "answer": "accept"}
    desk.recorder.note_event("anomaly", now, line)
    desk.recorder.interruption_over("a1", now)


def test_a_golden_path_with_an_interruption(desk: Desk) -> None:
    desk.tap()
    desk.pass_ms(500)
    assert desk.recorder.next_index == 1
    inject(desk)
    desk.screen(120, ALLOW)
    desk.tap()
    desk.pass_ms(500)
    gone(desk)
    desk.screen(40, BUY)
    desk.tap()
    steps = desk.steps()
    mark = {"anomaly": {"injection": "a1", "anomaly": "low"}}
    assert [step.extra for step in steps] == [{}, mark, {}]
    stored = open_trajectory(desk.writer.folder)
    (one,) = stored.interruptions()
    assert (one.slot, one.steps, one.answered_by, one.answer) == (1, (1,), 1, "accept")
    assert stored.header.extra["interrupted"] == ["low"]
    assert [line["step"] for line in stored.events()] == [1, 2]
    assert [event.line["transition"] for event in desk.events if isinstance(event, EventRecorded)] == [
        "injected", "answered",
    ]  # fmt: skip


def test_a_step_made_before_the_answer_was_heard_is_not_under_the_dialog(desk: Desk) -> None:
    inject(desk)
    desk.screen(120, ALLOW)
    desk.tap()
    desk.pass_ms(500)
    desk.screen(40, SELL)  # the dialog went at once, its log comes late
    desk.pass_ms(400)
    desk.tap()
    desk.pass_ms(500)
    gone(desk)
    steps = desk.steps()
    assert [bool(step.extra) for step in steps] == [True, False]


def test_what_was_typed_before_is_a_step_of_its_own(desk: Desk) -> None:
    desk.recorder.text("po")
    inject(desk)
    desk.recorder.text("ster")
    steps = desk.steps()
    assert [step.action.text for step in steps] == ["po", "ster"]  # type: ignore[union-attr]
    assert [bool(step.extra) for step in steps] == [False, True]


def test_a_changed_phone_marks_no_step_but_the_header(desk: Desk) -> None:
    inject(desk, native=True)
    desk.tap()
    assert [step.extra for step in desk.steps()] == [{}]
    assert desk.writer.header.extra["interrupted"] == ["low"]


def test_events_are_told_while_paused_and_survive_the_undo_of_steps(desk: Desk) -> None:
    desk.tap()
    desk.pass_ms(500)
    desk.recorder.pause()
    inject(desk)
    gone(desk)
    desk.recorder.undo()
    assert desk.steps() == ()
    assert len(open_trajectory(desk.writer.folder).interruptions()) == 1


def test_an_event_before_the_recording_began_is_at_its_beginning(desk: Desk) -> None:
    desk.recorder.note_event("anomaly", 0, {"injection": "a1", "anomaly": "low", "transition": "injected"})
    desk.steps()
    (one,) = open_trajectory(desk.writer.folder).interruptions()
    assert one.injected_ms == 0
