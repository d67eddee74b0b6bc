"""What differs between the screens on show, and a node of any side in its tab."""

from __future__ import annotations

from studio.widgets.device_view.highlight import HighlightStyle, Overlay
from tests.helpers.shown_texts import shown_texts


def titled(column):
    return next(node for node in column.view.selection.tree if node.short_id == "title")


def test_the_screens_on_show_are_compared_and_a_picked_node_is_followed_through_them(room, monkeypatch):
    room.open("interrupted", step="1")
    session, panel = room.session, room.workspace.side.node
    columns, comparing = room.workspace.columns.columns, room.workspace.differences.comparisons

    def compared(side: int, step: int) -> None:
        room.until(lambda: comparing.screens is not None and comparing.screens.after.place.step == step)
        room.until(lambda: columns[side].view.selection.tree is not None)

    compared(2, 1)
    marks, set_marks = {}, columns[2].view.set_marks

    def note(overlay, shown) -> None:
        marks[overlay] = shown
        set_marks(overlay, shown)

    monkeypatch.setattr(columns[2].view, "set_marks", note)
    room.run("review.after")
    compared(2, 2)
    assert comparing.screens.before.place.step == 2
    room.until(lambda: marks.get(Overlay.DIFFERENCES))
    styles = {mark.style for mark in marks[Overlay.DIFFERENCES]}
    assert styles == {HighlightStyle.ADDED}, "another app's dialog is all new"
    room.run("review.action")
    compared(2, 1)

    columns[2].view.picked.emit(titled(columns[2]))

    def says_where() -> bool:
        return any(text.startswith("In A step 2:") for text in shown_texts(panel))

    assert panel.node.text == "Search"
    assert says_where()
    columns[1].view.picked.emit(titled(columns[1]))
    assert session.side == 1, "a picked node chooses its side, which is compared with the reference"
    room.until(lambda: panel.side == 1 and says_where())
    session.go(0)
    room.until(lambda: panel.node is not None and panel.node.text == "Shop")

    session.remove(2)
    session.remove(1)
    room.until(lambda: len(session.stored) == 1 and columns[0].view.selection.tree is not None)
    assert panel.node is None
    columns[0].view.picked.emit(titled(columns[0]))
    room.until(lambda: panel.node is not None)
    session.go(1)
    room.until(lambda: panel.node is not None and panel.node.text == "Search")
