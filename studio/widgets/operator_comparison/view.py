"""The comparison of two proposals: heads of the columns over a list of rows that the keyboard walks."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.controls import Label
from studio.widgets.operator_comparison.row_view import ComparisonRowView, column_bounds
from studio.widgets.operator_comparison.rows import Comparison, SideHead
from studio.widgets.painted_items import Role
from studio.widgets.painting import draw_text, text_width

_HEAD = 28
_MOVES = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -4, Qt.Key.Key_PageDown: 4}
_LETTERS = ("A", "B", "E", "K", "D", "U")
"""Keys that decide the current row."""


class ComparisonHead(QWidget):
    """The heads of the three columns."""

    spoken_role = Role.StaticText

    def __init__(self) -> None:
        super().__init__()
        self._heads = (SideHead(""), SideHead(""), SideHead(""))
        self.setAccessibleName(_("Compared proposals"))
        self.setFixedHeight(_HEAD)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_heads(self, left: SideHead, agreed: SideHead, right: SideHead) -> None:
        """Name the columns."""
        self._heads = (left, agreed, right)
        self.setAccessibleName(", ".join(head.name for head in self._heads if head.name))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.fillRect(self.rect(), theme.color("bg-2"))
        start, end, width = column_bounds(self.width())
        for left, right, head, icon in zip(
            (0, start, end), (start, end, width), self._heads, ("user", "users", "user"), strict=True
        ):
            self._paint_head(painter, QRect(left, 0, right - left, _HEAD - 1), head, icon)
        painter.fillRect(QRect(0, _HEAD - 1, width, 1), theme.color("line"))
        for left in (start, end):
            painter.fillRect(QRect(left, 0, 1, _HEAD), theme.color("line"))

    @staticmethod
    def _paint_head(painter: QPainter, box: QRect, head: SideHead, icon: str) -> None:
        theme.draw_icon_in(painter, icon, QRect(box.left() + 10, box.top(), 14, box.height()), 14)
        room = box.adjusted(32, 0, -12, 0)
        draw_text(painter, room, head.count, "caption", "text-2", Qt.AlignmentFlag.AlignRight)
        room.adjust(0, 0, -text_width(head.count, "caption") - (8 if head.count else 0), 0)
        used = draw_text(painter, room, head.name, "heading")
        draw_text(painter, room.adjusted(used + 10, 0, 0, 0), head.about, "caption", "text-2")


class _HiddenSide(Label):
    """Covers the column of an operator whose proposal must not be seen yet."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("", "body", "text-2", wrap=True)
        self.setParent(parent)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.setContentsMargins(24, 24, 24, 24)
        self.hide()


class ComparisonView(QWidget):
    """Emits ``decided(row id, choice id)``, ``selected(row id)`` and ``opened(row id)``.

    With the keyboard: Up and Down walk the rows, letters decide, Enter shows the screen of the row.
    """

    decided = Signal(str, str)
    key_pressed = Signal(str, str)
    """The id of the current row and a letter that may decide it."""
    selected = Signal(str)
    opened = Signal(str)
    menu_wanted = Signal(str, QPoint)
    """The id of a row, and the place on the screen where its menu belongs."""
    focused = Signal(bool)
    """The keyboard came to the rows, whose keys work then, or left them."""

    spoken_role = Role.List

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.comparison = Comparison(SideHead(""), SideHead(""), SideHead(""))
        self._current = ""
        self.row_views: list[ComparisonRowView] = []
        self.head = ComparisonHead()
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list = QWidget()
        self._rows = QVBoxLayout(self._list)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(0)
        self._rows.addStretch()
        self._scroll.setWidget(self._list)
        self._hidden = (_HiddenSide(self), _HiddenSide(self))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self._scroll, 1)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("hasFocusRing", True)
        self.setAccessibleName(_("Compared proposals"))
        self.setProperty("takesNavigationKeys", True)

    # -- content ---------------------------------------------------------------
    def show_comparison(self, comparison: Comparison) -> None:
        """Show rows and heads; the current row stays when it is still there."""
        self.comparison = comparison
        # While there is nothing to decide, the letters are left to the commands of the workspace.
        letters = ("N", *_LETTERS) if any(row.choices for row in comparison.rows) else ()
        self.setProperty("takesAlso", " ".join(letters))
        self.head.show_heads(comparison.left, comparison.agreed, comparison.right)
        while len(self.row_views) > len(comparison.rows):
            view = self.row_views.pop()
            self._rows.removeWidget(view)
            view.hide()
            view.deleteLater()
        for index, row in enumerate(comparison.rows):
            if index < len(self.row_views):
                self.row_views[index].show_row(row)
            else:
                self._add_row(index)
        ids = [row.id for row in comparison.rows]
        if self._current not in ids:
            self._current = ids[0] if ids else ""
        for label, sentence in zip(
            self._hidden, (comparison.hidden_left, comparison.hidden_right), strict=True
        ):
            label.setText(sentence)
            label.setVisible(bool(sentence))
            label.raise_()
        self._mark_current()
        self._place_hidden()

    def _add_row(self, index: int) -> None:
        view = ComparisonRowView(self.comparison.rows[index])
        view.pressed.connect(self._row_pressed)
        view.opened.connect(self._row_opened)
        view.chosen.connect(self._row_decided)
        self.row_views.append(view)
        self._rows.insertWidget(index, view)

    @property
    def current(self) -> str:
        """The id of the row that the keys act on; empty without rows."""
        return self._current

    @property
    def _index(self) -> int:
        ids = [row.id for row in self.comparison.rows]
        return ids.index(self._current) if self._current in ids else -1

    def set_current(self, row_id: str) -> None:
        """Make a row the current one and scroll to it, without a signal."""
        if any(row.id == row_id for row in self.comparison.rows):
            self._current = row_id
            self._mark_current()
            self._scroll.ensureWidgetVisible(self.row_views[self._index], 0, 0)

    def go_to_next_difference(self) -> bool:
        """Select the next row that needs a decision; return False when there is none."""
        index = self.comparison.next_difference(self._index)
        if index is None:
            return False
        self._select(index)
        return True

    def _select(self, index: int) -> None:
        rows = self.comparison.rows
        if rows:
            self.set_current(rows[max(0, min(index, len(rows) - 1))].id)
            self.selected.emit(self._current)

    def _mark_current(self) -> None:
        has_focus = self.hasFocus()
        for view in self.row_views:
            view.set_current(view.row.id == self._current, has_focus)

    # -- input -------------------------------------------------------------------
    def _row_of_sender(self) -> str:
        view = self.sender()
        assert isinstance(view, ComparisonRowView)
        return view.row.id

    @Slot()
    def _row_pressed(self) -> None:
        row_id = self._row_of_sender()
        focus = self.window().focusWidget()
        if focus is None or not (focus is self or self.isAncestorOf(focus)):
            self.setFocus()
        if row_id != self._current:
            self.set_current(row_id)
            self.selected.emit(row_id)

    @Slot()
    def _row_opened(self) -> None:
        self.opened.emit(self._row_of_sender())

    @Slot(str)
    def _row_decided(self, choice: str) -> None:
        self.decided.emit(self._row_of_sender(), choice)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key, letter = Qt.Key(event.key()), event.text().upper()
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier or not self.comparison.rows:
            super().keyPressEvent(event)
        elif key in _MOVES:
            self._select(self._index + _MOVES[key])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._select(0 if key == Qt.Key.Key_Home else len(self.comparison.rows) - 1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(self._current)
        elif letter == "N" and self.property("takesAlso"):
            self.go_to_next_difference()
        elif letter in _LETTERS:
            self.key_pressed.emit(self._current, letter)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        """Ask for the menu of the row under the pointer, or of the current row for the menu key."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        rows = [
            view for view in self.row_views if view.rect().contains(view.mapFromGlobal(event.globalPos()))
        ]
        if by_key and self._index >= 0:
            view = self.row_views[self._index]
            self.menu_wanted.emit(view.row.id, view.mapToGlobal(view.rect().center()))
        elif rows:
            self._select(self.row_views.index(rows[0]))
            self.menu_wanted.emit(self._current, event.globalPos())

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)
        self._mark_current()
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)
        self._mark_current()
        self.focused.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._place_hidden()

    def _place_hidden(self) -> None:
        start, end, width = column_bounds(self.width())
        height = self.height() - _HEAD
        for label, left, right in zip(self._hidden, (0, end), (start, width), strict=True):
            label.setGeometry(left, _HEAD, right - left, height)
