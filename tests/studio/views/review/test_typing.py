"""Review by real keys: what is typed is never lost, goes nowhere else, and runs no command."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.model.verdicts.judgement import FAILURE
from collector.store.trajectory.reviews.labels import read_labels
from collector.store.trajectory.reviews.review_records import read_work
from studio.views.panel_layout import Panel
from studio.widgets.controls import Button

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise", extend=True)
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier


def press(room, *keys: str, held: Qt.KeyboardModifier = NONE) -> None:
    """Press keys as the system hands them to the window."""
    window = room.studio.window
    window.activateWindow()
    room.until(window.isActiveWindow)
    for key in keys:
        QTest.keyClick(window.windowHandle(), getattr(Qt.Key, f"Key_{key}"), held)


def write(room, text: str) -> None:
    press(room)
    for char in text:
        QTest.keyClick(room.studio.window.windowHandle(), char)


def test_a_comment_keeps_the_keyboard_until_it_is_pinned_and_its_draft_stays_with_its_trajectory(
    room,
) -> None:
    room.open("interrupted")
    workspace, folder = room.workspace, room.folders["interrupted"]
    page, tabs, canvas = workspace.comments_page, workspace.side.tabs, workspace.timeline.canvas
    column = workspace.columns.columns[room.session.side]
    room.until(lambda: column.selection.tree is not None)
    press(room, "Return", held=CONTROL)
    assert "you gave no verdict yet" in room.toasts[-1]

    press(room, "M")
    write(room, "cut 1")
    middle = QPoint(column.view.width() // 2, column.view.height() // 2)
    QTest.mouseClick(column.view, Qt.MouseButton.LeftButton, NONE, middle)
    assert column.selection.selected is not None
    write(room, " wg2")
    assert (page.field.toPlainText(), tabs.current) == ("cut 1 wg2", 1)
    press(room, "Return", held=CONTROL)
    room.until(lambda: len(page.rows) == 1)
    assert page.rows[0].comment.text == "cut 1 wg2"
    assert page.rows[0].comment.node is not None
    assert canvas.hasFocus()
    assert workspace.verdicts.own is None
    assert not page.draft

    press(room, "M")
    write(room, "half")
    press(room, "Escape")
    assert canvas.hasFocus()
    press(room, "S")
    assert workspace.verdicts.folder != folder
    assert not page.draft
    room.session.choose_side(2)
    assert page.draft == "half"
    press(room, "2")
    assert tabs.current == 0
    press(room, "Return", held=CONTROL)
    assert "your comment is not pinned yet" in room.toasts[-1]
    assert (page.field.hasFocus(), tabs.current) == (True, 1)
    press(room, "Tab")
    focus = QApplication.focusWidget()
    assert isinstance(focus, Button)
    assert focus is page.send
    press(room, "Enter")
    room.until(lambda: len(page.rows) == 2)
    press(room, "Return", held=CONTROL)
    room.until(lambda: bool(read_work(folder, "lin").labels.submitted))
    assert [comment.text for comment in read_labels(folder, "lin").comments] == ["cut 1 wg2", "half"]


def test_sentences_and_tags_stay_with_their_trajectory_and_keys_show_where_they_write(room) -> None:
    room.open("interrupted")
    workspace, folder = room.workspace, room.folders["interrupted"]
    page, tabs = workspace.verdict_page, workspace.side.tabs
    press(room, "4", held=SHIFT)
    assert tabs.current == 3
    for _number in range(3):
        press(room, "PageDown", held=CONTROL)
    assert tabs.current == 0
    press(room, "PageUp", held=CONTROL)
    press(room, "W")
    assert "you gave no verdict yet" in room.toasts[-1]
    press(room, "2")
    assert tabs.current == 0
    room.until(lambda: workspace.verdicts.own is not None)
    workspace.show_panel(Panel.RIGHT, False)
    press(room, "3", held=SHIFT)
    press(room, "W")
    assert (tabs.current, workspace.panel_shown(Panel.RIGHT), page.sentence.hasFocus()) == (0, True, True)
    write(room, "never sorted")
    page.tags.setFocus()  # what the disk says replaces only a field that nobody writes in
    write(room, "long")
    room.studio.commander.run("review.open", folder=str(room.folders["baseline"]))
    room.until(lambda: workspace.verdicts.folder == room.folders["baseline"] and room.session.is_aligned)
    assert (page.sentence.toPlainText(), page.tags.text()) == ("", "")
    assert workspace.timeline.canvas.hasFocus()
    room.open("interrupted")
    room.until(lambda: workspace.verdicts.own is not None and workspace.verdicts.own.reason == "never sorted")
    assert workspace.verdicts.own.verdict == FAILURE
    room.until(lambda: read_work(folder, "lin").record.tags == ("long",))

    press(room, "Slash")
    write(room, "action")
    press(room, "Escape")
    assert workspace.timeline.canvas.hasFocus()
    press(room, "W", "Escape")
    assert workspace.timeline.canvas.hasFocus()
