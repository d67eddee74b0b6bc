"""The tab *Trace* shows all that is known of the chosen trajectory, by kind."""

from __future__ import annotations

from collector.run.results.episode_log import LogLine
from studio.views.review.trace import TracePage


def line(step: int, kind: str, detail: str = "") -> LogLine:
    return LogLine(step, "eye", kind, detail, kind=kind)


def test_kinds_are_shown_hidden_and_unfolded(qtbot) -> None:
    page = TracePage()
    qtbot.addWidget(page)
    page.resize(400, 300)
    page.show_trace([line(1, "thought", "word " * 200), line(1, "action"), line(2, "event")])
    assert [entry.kind for entry in page.view.entries] == ["thought", "action", "event"]
    page.set_shown("event", False)
    assert [entry.kind for entry in page.view.entries] == ["thought", "action"]
    assert page.count.text() == "2 lines, 1 hidden"
    folded = page.view.height_of(0, 400)
    page.set_unfolded("thought", True)
    assert page.view.height_of(0, 400) > folded
    page.show_trace([line(1, "event"), line(1, "action")])  # of another trajectory
    assert [entry.kind for entry in page.view.entries] == ["action"]
    page.set_shown("event", True)
    assert page.count.text() == "2 lines"


def test_the_trace_of_the_chosen_side_is_read_once_it_is_looked_at(room) -> None:
    room.open("interrupted")
    page = room.workspace.trace_page
    assert list(page.view.entries) == []
    room.studio.commander.run("review.tab-trace")
    room.until(lambda: bool(page.view.entries))
    assert {entry.step for entry in page.view.entries} >= {1, 2}
    page.view.step_opened.emit(2)
    assert room.session.step_number(room.session.side) == 1
    room.session.choose_side(0)
    room.until(lambda: {entry.kind for entry in page.view.entries} <= {"action", "event", "thought"})
