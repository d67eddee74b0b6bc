"""The Essential state tab and the check of goldens, in a built window over a project."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from studio.widgets.controls import EmptyState

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def tab(room):
    return room.workspace.right.page("essential-state")


@pytest.mark.all_workspaces
def test_a_milestone_is_edited_where_it_is_read(room) -> None:
    session, view = room.session, tab(room).view
    graph = room.workspace.graph.canvas
    session.select("bought", follow=True)
    assert (view.name.text(), view.title.text()) == ("M2", "The poster is in the cart")
    assert view.status.text() == "proposed"
    assert view.standing.text() == "Reached in golden-1 at step 4, golden-2 at step 3"
    assert view.holds.text() == "Holds at step 4 in golden-1"
    assert view.used.text() == "buy"
    row = view.form.rows[(0,)]
    room.until(lambda: "Cart (1)" in row.why)

    graph.setFocus()
    QTest.keyClick(graph, Qt.Key.Key_Return)
    assert room.studio.window.focusWidget() is view.sentence
    view.sentence.selectAll()
    QTest.keyClicks(view.sentence, "It is bought")
    QTest.keyClick(view.sentence, Qt.Key.Key_Return)
    assert session.state.description == "It is bought"
    room.studio.window.activateWindow()
    assert QTest.qWaitForWindowActive(room.studio.window)
    view.sentence.setFocus()
    QTest.keyClicks(view.sentence, "!")
    QTest.keyClick(view.sentence, Qt.Key.Key_Escape)  # it leaves, and nothing typed is lost
    assert not view.sentence.hasFocus()
    assert session.state.description in ("It is bought!", "!It is bought")
    room.run("edit.undo")
    assert session.state.description == "It is bought"
    assert next(card for card in graph.cards if card.id == "bought").title == "It is bought"
    QTest.mouseClick(view.optional, Qt.MouseButton.LeftButton)
    assert session.state.optional
    assert next(card for card in graph.cards if card.id == "bought").is_optional
    view.after.removed.emit("results")
    assert session.state.after == ()
    QTest.mouseClick(view.after.add, Qt.MouseButton.LeftButton)
    room.choose("M1 Results are shown")
    assert session.state.after == ("results",)
    QTest.mouseClick(view.instead.add, Qt.MouseButton.LeftButton)
    room.choose("M3")
    assert session.state.alternatives == ("liked",)
    assert ("bought", "liked") in graph.graph.alternatives

    field = row.fields["text"].line
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "Cart (9)")
    QTest.keyClick(field, Qt.Key.Key_Return)
    room.until(lambda: session.reach and session.reach_here["bought"].reached is None)
    assert next(card for card in graph.cards if card.id == "bought").tip == "No golden trajectory reaches it"
    room.run("edit.undo")
    room.until(lambda: session.reach_here["bought"].reached == 3)

    QTest.mouseClick(view.yaml_button, Qt.MouseButton.LeftButton)
    document = session.document_of("bought")
    assert view.yaml.toPlainText() == document.text
    assert "# kept too" in document.text
    at = document.text.index("It is bought")
    view.yaml.typed.emit(at, at + len("It is"), "Now it is")
    assert session.state.description == "Now it is bought"
    # The Rules workspace edits the same document.
    rules = room.studio.window.workspace("rules").session
    assert rules.documents.holder("state", "bought") is document
    room.run("edit.undo")
    assert session.state.description == "It is bought"


def test_goldens_are_checked(room) -> None:
    session, workspace = room.session, room.workspace
    page = workspace.bottom.page("check")
    room.run("states.check")
    room.until(lambda: len(page.table.rows) == 2)
    assert workspace.bottom.current == "check"
    assert [row[4].text for row in page.table.rows] == ["2 of 2", "2 of 2"]
    session.edit(lambda file: file.set_condition_field("bought", (0,), "text", "Cart (7)"), "bought")
    room.run("states.check-project")
    room.until(lambda: page.table.rows and page.table.rows[0][4].text == "1 of 2")
    page.table.clicked.emit(page.table.model().index(1, 0))
    room.until(lambda: session.trajectory.title == "golden-2" and session.state_id == "bought")
    room.run("edit.undo")


def test_what_cannot_be_read_or_is_not_there_is_said(room) -> None:
    session, view = room.session, tab(room).view
    session.select("bought")
    QTest.mouseClick(view.yaml_button, Qt.MouseButton.LeftButton)
    document = session.document_of("bought")
    at = document.text.index("after: [results]")
    view.yaml.typed.emit(at, at + len("after: [results]"), "after: [results")
    assert (session.state_id, session.state) == ("bought", None)
    assert view.yaml.isVisible()
    QTest.mouseClick(view.yaml_button, Qt.MouseButton.LeftButton)
    assert view.broken.isVisible()
    assert "bought" not in {card.id for card in room.workspace.graph.canvas.cards}
    room.run("edit.undo")
    assert session.state is not None
    assert view.form.isVisible()

    # A task without states, one without recordings too, and no project at all.
    for state in list(session.states):
        session.select(state.id)
        QTest.keyClick(room.workspace.graph.canvas, Qt.Key.Key_Delete)
    assert room.workspace.graph.canvas.isVisible()
    assert view.nothing.first.isVisible()
    QTest.mouseClick(view.nothing.first, Qt.MouseButton.LeftButton)
    assert session.state_id.startswith("buy-")
    assert not view.nothing.isVisible()
    pane = room.workspace.graph
    session.choose_task("look")
    room.until(lambda: session.trajectory is None and not session.states)
    assert pane.empty.isVisible()
    QTest.mouseClick(pane.empty.button, Qt.MouseButton.LeftButton)
    assert session.state_id.startswith("look-")
    assert pane.canvas.isVisible()
    QTest.keyClick(pane.canvas, Qt.Key.Key_Delete)
    assert not session.states
    room.studio.project_library.close()
    room.until(lambda: session.task is None)
    assert not pane.isVisible()
    assert any(page.isVisible() for page in room.workspace.findChildren(EmptyState))
