"""Panels fold where the window is small, and come back by command, key, strip, button and double click."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest

from collector.recorder.events import Phase, RecordingState
from studio.app.main_window import window as window_module
from studio.app.main_window.focus_order import focus_order
from studio.bridge.phone_recording import RecordingEnd
from studio.views.panel_layout import Panel
from studio.views.project.bottom_panel import LOG
from studio.views.record.side_panel import TREE
from tests.helpers.panels import down, splitter_of, strip_of
from tests.helpers.sample_screen import sample_tree

LEFT_BUTTON = Qt.MouseButton.LeftButton
LARGE, SMALL = QSize(1600, 1000), QSize(1280, 720)
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def record(studio):
    studio.commander.run("view.record")
    return studio.window.workspace("record")


def resize(studio, size, qtbot):
    studio.window.resize(size)
    qtbot.waitUntil(lambda: studio.window.size() == size)


def places(workspace):
    """Where the buttons of the toolbar, the phone and the timeline are; Pause and Resume share a place."""
    workspace.toolbar.layout().activate()
    buttons = workspace.toolbar.buttons.items()
    boxes = [(button.x(), button.width()) for _name, button in buttons if button.isVisible()]
    return boxes, workspace.mirror.view.geometry(), down(workspace).sizes()


def test_a_small_window_gives_the_room_to_the_phone(studio, qtbot):
    workspace = record(studio)
    resize(studio, LARGE, qtbot)
    assert [workspace.panel_shown(panel) for panel in Panel] == [True, True, False]
    whole = workspace.mirror.height()
    assert whole > 800  # the timeline takes a line until a recording is open to be looked through
    resize(studio, SMALL, qtbot)
    assert [workspace.panel_shown(panel) for panel in Panel] == [False, True, False]
    assert not workspace.queue.isVisible()
    qtbot.waitUntil(lambda: workspace.mirror.height() > 500)
    head = workspace.timeline.header
    assert head.height() == 32
    assert not head.visibleRegion().isEmpty()
    assert workspace.timeline.canvas.viewport().visibleRegion().isEmpty()
    resize(studio, LARGE, qtbot)
    qtbot.waitUntil(lambda: workspace.mirror.height() == whole)
    assert workspace.queue.isVisible()


def test_a_very_low_window_leaves_no_trace(studio, qtbot):
    workspace = record(studio)
    resize(studio, LARGE, qtbot)
    workspace.show_panel(Panel.BOTTOM)
    height = down(workspace).sizes()[1]
    lowest = studio.window.minimumSizeHint().expandedTo(studio.window.minimumSize())
    resize(studio, lowest, qtbot)
    resize(studio, LARGE, qtbot)
    qtbot.waitUntil(lambda: down(workspace).sizes()[1] == height)
    splitter = down(workspace)
    splitter.moveSplitter(splitter.sizes()[0] - 60, 1)
    higher = splitter.sizes()[1]
    assert higher > height + 30
    resize(studio, lowest, qtbot)
    resize(studio, LARGE, qtbot)
    qtbot.waitUntil(lambda: down(workspace).sizes()[1] == higher)


def test_a_strip_a_line_a_button_and_a_key_fold_and_open(studio, qtbot):
    workspace = record(studio)
    resize(studio, LARGE, qtbot)
    line = splitter_of(workspace.queue).handle(1)
    QTest.mouseDClick(line, LEFT_BUTTON, pos=line.rect().center())
    assert not workspace.queue.isVisible()
    strip = strip_of(workspace, "Queue")
    assert strip.isVisible()
    assert "Queue" in strip.accessibleName()
    QTest.mouseClick(strip, LEFT_BUTTON)
    assert workspace.queue.isVisible()
    assert not strip.isVisible()
    below = down(workspace).handle(1)
    workspace.show_panel(Panel.BOTTOM)
    QTest.mouseDClick(below, LEFT_BUTTON, pos=below.rect().center())
    assert not workspace.panel_shown(Panel.BOTTOM)
    button = studio.window.menu.panels[Panel.BOTTOM]
    assert "Bottom panel" in button.accessibleName()
    QTest.mouseClick(button, LEFT_BUTTON)
    assert workspace.panel_shown(Panel.BOTTOM)
    studio.window.activateWindow()
    studio.window.setFocus()
    QTest.keyClick(studio.window, Qt.Key.Key_Backslash)
    qtbot.waitUntil(lambda: not workspace.panel_shown(Panel.BOTTOM))
    studio.commander.run("view.right-panel")
    assert not workspace.side.isVisible()
    QTest.mouseClick(strip_of(workspace, "Steps"), LEFT_BUTTON)
    assert workspace.side.isVisible()


@pytest.mark.all_workspaces
def test_what_was_opened_in_a_small_window_stays_open_and_is_remembered(make, qtbot):
    first = make()
    workspace = record(first)
    resize(first, SMALL, qtbot)
    first.commander.run("view.bottom-panel")
    qtbot.waitUntil(lambda: not workspace.timeline.canvas.viewport().visibleRegion().isEmpty())
    line = down(workspace).handle(1)
    start = line.rect().center()
    QTest.mousePress(line, LEFT_BUTTON, pos=start)
    QTest.mouseMove(line, start + QPoint(0, down(workspace).sizes()[1] - 150))
    QTest.mouseRelease(line, LEFT_BUTTON, pos=start)
    assert abs(down(workspace).sizes()[1] - 150) < 8
    first.window.close()
    assert first.settings["window.layout"]["record"]["bottom"] == "open"
    first.settings.save()
    again = make()
    resize(again, SMALL, qtbot)
    workspace = again.window.workspace("record")
    assert workspace.panel_shown(Panel.BOTTOM)
    assert not workspace.panel_shown(Panel.LEFT)
    qtbot.waitUntil(lambda: abs(down(workspace).sizes()[1] - 150) < 8)


def test_a_toast_does_not_cover_the_phone(studio, qtbot):
    workspace = record(studio)
    workspace.mirror.set_stored_open(True)
    for size in (LARGE, QSize(1100, 700)):
        resize(studio, size, qtbot)
        toast = studio.window.toasts.show("ok", "The recording is saved", "20261122-202359-33b3")
        qtbot.waitUntil(lambda toast=toast: not toast.geometry().intersects(workspace.phone_rect))
        assert workspace.rect().contains(toast.geometry())
        toast.close_toast()


def test_a_line_between_panels_is_lit_only_under_the_pointer(studio, qtbot, monkeypatch):
    workspace = record(studio)
    resize(studio, LARGE, qtbot)
    line = splitter_of(workspace.queue).handle(1)
    unlit = line.grab().toImage()
    QTest.mousePress(line, LEFT_BUTTON, pos=line.rect().center())
    assert line.grab().toImage() != unlit
    # The line stops at the least width of the panel; the pointer is far from it then.
    monkeypatch.setattr(QCursor, "pos", lambda: line.mapToGlobal(QPoint(-300, 20)))
    QTest.mouseRelease(line, LEFT_BUTTON, pos=QPoint(-300, 20))
    assert line.grab().toImage() == unlit


@pytest.mark.all_workspaces
def test_no_problems_take_only_the_head_of_their_panel(studio, qtbot):
    resize(studio, LARGE, qtbot)
    with qtbot.waitSignal(studio.project_library.opened):
        studio.answer({"run": "project.open-sample"})
    studio.commander.run("view.project")
    workspace = studio.window.workspace("project")
    assert workspace.bottom.is_idle
    qtbot.waitUntil(lambda: down(workspace).sizes()[1] == workspace.bottom.head_height)
    tabs = workspace.bottom.tabs
    QTest.mouseClick(tabs, LEFT_BUTTON, pos=tabs.tab_rects()[LOG].center())
    qtbot.waitUntil(lambda: down(workspace).sizes()[1] > 200)
    assert "sample" in studio.window.windowTitle()
    assert "Project" in studio.window.windowTitle()
    studio.commander.run("view.record")
    assert "Record" in studio.window.windowTitle()


@pytest.mark.parametrize(("room", "fills"), [(QSize(1280, 720), True), (QSize(2560, 1400), False)])
def test_the_first_window_fits_the_work_area(make, monkeypatch, room, fills):
    monkeypatch.setattr(window_module, "work_area", lambda _window: room)
    window = make().window
    assert window.isMaximized() == fills
    if not fills:
        assert window.size() == LARGE


def test_a_pause_looks_like_one_and_a_new_recording_begins_without_old_hits(studio, qtbot):
    workspace = record(studio)
    button = workspace.toolbar.buttons["record.start"]
    resize(studio, QSize(1440, 900), qtbot)
    idle = places(workspace)
    studio.recording.state_changed.emit(RecordingState(Phase.RECORDING))
    workspace.recording_toolbar.show_count(12)
    assert places(workspace) == idle
    assert (button.icon_name, workspace.side.steps.rows.row(0).is_paused) == ("state-rec", False)
    studio.recording.state_changed.emit(RecordingState(Phase.PAUSED))
    assert button.text().startswith("Paused")
    assert button.icon_name == "pause"
    assert workspace.mirror.pill.text.startswith("Paused")
    assert workspace.side.steps.rows.row(0).caption == "Paused: nothing is recorded"
    assert places(workspace) == idle
    studio.recording.state_changed.emit(None)
    assert places(workspace) == idle
    tree = sample_tree()
    workspace.mirror.selection.set_tree(tree)
    workspace.mirror.view.picked.emit(tree.nodes[3])
    assert workspace.side.tabs.current == TREE
    workspace.side.tree.search_field.setText("//*")
    workspace.mirror.selection.select(tree.nodes[3])
    assert workspace.mirror.selection.hits
    studio.recording.finished.emit(Path("a"), RecordingEnd.FINISHED)
    assert workspace.mirror.selection.selected is None
    workspace.mirror.selection.select(tree.nodes[3])
    workspace.side.tree.search_field.setText("//*")
    studio.recording.begun.emit()
    assert workspace.side.tree.search_field.text() == ""
    assert workspace.mirror.selection.selected is None
    assert not workspace.mirror.selection.hits


def test_a_line_between_panels_is_moved_by_keys(studio, qtbot):
    workspace = record(studio)
    resize(studio, LARGE, qtbot)
    studio.window.activateWindow()
    splitter = splitter_of(workspace.queue)
    line = splitter.handle(1)
    assert line in list(focus_order(studio.window.centralWidget()))
    line.setFocus()
    before = splitter.sizes()[0]
    QTest.keyClick(line, Qt.Key.Key_Right)
    assert splitter.sizes()[0] == before + 16
    QTest.keyClick(line, Qt.Key.Key_Left)
    assert splitter.sizes()[0] == before
    QTest.keyClick(line, Qt.Key.Key_Home)
    assert workspace.queue.isVisible()
    assert (
        splitter.sizes()[0]
        == workspace.queue.minimumSizeHint().expandedTo(workspace.queue.minimumSize()).width()
    )
