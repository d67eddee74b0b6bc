"""What a person does in the graph of states with mouse and keyboard, in a built window over a project."""

from __future__ import annotations

import pytest
import yaml
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.widgets.state_graph.layout import START
from tests.helpers.person_files import marks_in
from tests.helpers.shown_texts import says

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def canvas(room):
    return room.workspace.graph.canvas


def card(room, state_id: str) -> QPoint:
    """The middle of a card in the viewport."""
    graph = canvas(room)
    return graph.transform().card(graph.graph.cards[state_id]).center().toPoint()


def right_edge(room, state_id: str) -> QPoint:
    graph = canvas(room)
    box = graph.transform().card(graph.graph.cards[state_id])
    return QPoint(round(box.right()) - 3, round(box.center().y()))


def thumb(room, slot: int) -> QPoint:
    return canvas(room).transform().thumb(slot).center()


def drag(room, begin: QPoint, end: QPoint) -> None:
    surface = canvas(room).viewport()
    QTest.mousePress(surface, Qt.MouseButton.LeftButton, pos=begin)
    for part in (0.3, 0.7, 1.0):
        QTest.mouseMove(surface, begin + (end - begin) * part)
    QTest.mouseRelease(surface, Qt.MouseButton.LeftButton, pos=end)


def task_names(room) -> tuple[str, ...]:
    return room.session.task.essential_states


def on_disk(room) -> list[dict]:
    return yaml.safe_load((room.folder / "rules/states.yaml").read_text("utf-8"))["states"]


def test_milestones_are_made_chosen_joined_and_deleted(room) -> None:
    session, graph = room.session, canvas(room)
    assert {item.id: item.icon for item in graph.cards} == {
        "results": "state-ok", "bought": "state-ok", "liked": "user",
    }  # fmt: skip
    assert {item.id: item.step for item in graph.cards} == {"results": 1, "bought": 3, "liked": None}
    QTest.mouseClick(graph.viewport(), Qt.MouseButton.LeftButton, pos=card(room, "results"))
    assert (session.state_id, session.step) == ("results", 1)
    graph.setFocus()
    QTest.keyClick(graph, Qt.Key.Key_Right)
    assert (session.state_id, session.step) == ("bought", 3)
    QTest.keyClick(graph, Qt.Key.Key_Left)
    assert session.state_id == "results"

    room.run("states.new")
    new = session.state_id
    assert new.startswith("buy-")
    assert session.state.after == ("results",)
    assert task_names(room)[-1] == new
    assert (START, "results") in graph.graph.edges
    assert ("results", new) in graph.graph.edges
    assert room.workspace.graph.is_screen_shown
    view = room.workspace.right.page("essential-state").view
    assert room.studio.window.focusWidget() is view.sentence
    room.until(lambda: says(view.form, "No condition yet: click a node on the screen, or add one here"))
    room.run("states.toggle-screen")
    assert says(view.form, "No condition yet: add one here")
    room.studio.window.activateWindow()
    room.until(room.studio.window.isActiveWindow)
    QTest.keyClick(view.sentence, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.state_of(new) is None
    assert new not in task_names(room)
    room.run("edit.redo")
    assert session.state_of(new) is not None
    assert new in task_names(room)

    drag(room, right_edge(room, new), card(room, "bought"))
    assert session.state_of("bought").after == ("results", new)
    drag(room, right_edge(room, "bought"), card(room, "results"))
    assert session.state_of("results").after == ()
    assert any("cannot come after" in words for words in room.toasts)

    graph.setFocus()
    session.select(new)
    QTest.keyClick(graph, Qt.Key.Key_Delete)
    assert session.state_of(new) is None
    assert session.state_of("bought").after == ("results",)
    room.until(lambda: [entry["id"] for entry in on_disk(room)] == ["results", "bought", "liked"])
    room.run("edit.undo")
    assert session.state_of("bought").after == ("results", new)
    assert new in task_names(room)
    assert "# kept too" in session.document_of("bought").text


def test_a_milestone_is_dragged_onto_the_step_that_reaches_it(room) -> None:
    session, folder = room.session, room.folder / "trajectories/buy/buy-lin"
    drag(room, card(room, "liked"), thumb(room, 2))
    room.until(lambda: [mark.step for mark in marks_in(folder, "lin")] == [2])
    room.until(lambda: session.step_of("liked") == 2)
    room.run("edit.undo")
    room.until(lambda: not marks_in(folder, "lin") and session.step_of("liked") is None)
    room.until_reached()

    menu = room.workspace.controller.menu
    drag(room, card(room, "results"), thumb(room, 2))
    room.until(lambda: any("holds at step 3" in words for words in room.toasts))
    assert not menu.isVisible()
    drag(room, card(room, "bought"), thumb(room, 1))
    room.until(menu.isVisible)
    assert room.workspace.graph.is_screen_shown
    QTest.keyClick(menu, Qt.Key.Key_Return)
    room.until(lambda: session.reach_here.get("bought") and session.reach_here["bought"].reached == 1)
    assert "# kept too" in session.document_of("bought").text
    room.run("edit.undo")
    room.until(lambda: session.reach_here["bought"].reached == 3)

    session.select("liked")
    session.go(3)
    room.run("states.mark-step")
    room.until(lambda: session.step_of("liked") == 3)


def test_the_graph_zooms_and_conditions_come_from_clicks_on_the_screen(room) -> None:
    check_zoom(room)
    room.run("states.next-trajectory")
    session, pane = room.session, room.workspace.graph
    QTest.mouseDClick(canvas(room).viewport(), Qt.MouseButton.LeftButton, pos=thumb(room, 1))
    assert pane.is_screen_shown
    room.until(lambda: session.shown is not None and session.shown.index == 1)
    session.select("liked")
    picker = pane.screen_pane.picker
    node = next(node for node in session.shown.view.nodes if node.text == "Filter")
    room.until(lambda: pane.screen_pane.view.transform.ratio > 0 and picker.node_rect(node).width() > 4)
    view = pane.screen_pane.view
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=picker.node_rect(node).center())
    menu = room.workspace.screen_presenter.menu
    room.until(menu.isVisible)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert len(session.state.conditions.conditions) == 1
    room.until(lambda: session.proof is not None and session.proof.holds)
    room.until(lambda: session.reach_here.get("liked") and session.reach_here["liked"].reached == 1)
    session.go(0)
    room.until(lambda: session.proof is not None and not session.proof.holds)

    session.select("")
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=picker.node_rect(node).center())
    room.until(menu.isVisible)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert session.state_id not in {"", "results", "bought"}
    assert len(session.state.conditions.conditions) == 1


def check_zoom(room) -> None:
    """The wheel zooms around the pointer, and commands fit the graph and fold what is around it."""
    graph, workspace = canvas(room), room.workspace
    at = QPointF(graph.viewport().rect().center())
    wheel = QWheelEvent(
        at, graph.viewport().mapToGlobal(at), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    column = graph.transform().column(at.x())
    QApplication.sendEvent(graph.viewport(), wheel)
    assert graph.zoom > 1.2
    assert abs(graph.transform().column(at.x()) - column) < 2 or not graph.horizontalScrollBar().maximum()
    room.run("states.fit")
    assert graph.zoom == 1.0
    room.run("states.enlarge")
    assert not (workspace.bottom.isVisible() and workspace.panel_shown("bottom"))
    room.run("states.enlarge")
    assert workspace.panel_shown("bottom")
    room.run("states.next-trajectory")
    assert room.session.trajectory.title == "golden-2"
    assert len(graph.graph.links) == 2
