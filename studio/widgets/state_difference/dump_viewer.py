"""A dump's lines with a search and a button that copies them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from collector.model.i18n import _
from rule_editor.widgets.field_names import add_clear_button
from studio.theme.mirroring import keep_left_to_right
from studio.widgets.controls import Label
from studio.widgets.icon_button import IconButton
from studio.widgets.state_difference.dump_text_view import DumpHit, DumpTextView, utf16_length

_MOST_HITS = 5000
_SEARCH_AFTER_MS = 120


class DumpViewer(QWidget):
    """Lines with a search: Enter and Shift+Enter go through what was found."""

    copied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        keep_left_to_right(self)
        self.text = DumpTextView()
        self.search_field = QLineEdit()
        self.search_field.setPlaceholderText(_("Search the XML"))
        self.search_field.setAccessibleName(_("Search the XML"))
        add_clear_button(self.search_field)
        self._lines: Sequence[str] = ()
        self._hits: list[DumpHit] = []
        self._current = -1
        self._span: range | None = None
        self._found = Label("", "caption", "text-2")
        self._copy = IconButton("copy", _("Copy the lines on show"), size=24)
        self._searching = QTimer(self)
        self._searching.setSingleShot(True)
        self._searching.setInterval(_SEARCH_AFTER_MS)
        self._lay_out()
        self._searching.timeout.connect(self.search)
        self.search_field.textChanged.connect(self._search_later)
        self.search_field.returnPressed.connect(self._enter_pressed)
        self._copy.clicked.connect(self.copy_lines)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(12, 6, 8, 6)
        row.setSpacing(6)
        row.addWidget(self.search_field, 1)
        row.addWidget(self._found)
        row.addWidget(self._copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.text, 1)

    @property
    def hits(self) -> int:
        """How many places the search found."""
        return len(self._hits)

    def show_lines(self, lines: Sequence[str], span: range | None = None) -> None:
        """Show lines; those of ``span`` are marked and scrolled to."""
        if lines is not self._lines:
            self._lines = lines
            self.text.set_lines(lines)
            self.search()
        self.show_span(span)

    def show_span(self, span: range | None) -> None:
        """Mark the lines of a node among those on show, and scroll to the first."""
        self._span = span
        self._mark()
        if span is not None:
            self.text.go_to_line(span.start)

    @Slot()
    def copy_lines(self) -> None:
        """Copy all lines on show."""
        text = self.text.toPlainText()
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(text)

    @Slot()
    def _search_later(self) -> None:
        self._searching.start()

    @Slot()
    def _enter_pressed(self) -> None:
        if self._searching.isActive():
            self.search()
        else:
            back = QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
            self.go_to_hit(-1 if back else 1)

    @Slot()
    def search(self) -> None:
        """Find the text of the search field now, and go to the first place."""
        self._searching.stop()
        query = self.search_field.text()
        self._hits, self._current = self._find(query) if query else [], -1
        self._mark()
        if self._hits:
            self.go_to_hit(1)
        else:
            self._found.setText(_("not found") if query else "")

    def _find(self, query: str) -> list[DumpHit]:
        pattern = re.compile(re.escape(query), re.IGNORECASE)
        hits: list[DumpHit] = []
        for number, line in enumerate(self._lines):
            for match in pattern.finditer(line):
                # Qt counts units of UTF-16, of which an emoji has two.
                start = utf16_length(line[: match.start()])
                hits.append(DumpHit(number, start, utf16_length(match[0])))
                if len(hits) == _MOST_HITS:
                    return hits
        return hits

    def go_to_hit(self, by: int) -> None:
        """Go to the next place that was found, or ``by`` places further."""
        if not self._hits:
            return
        self._current = (self._current + by) % len(self._hits) if self._current >= 0 else 0
        cursor = self.text.cursor_at(self._hits[self._current])
        cursor.setPosition(cursor.selectionStart())
        self.text.setTextCursor(cursor)
        self.text.ensureCursorVisible()
        self._found.setText(f"{self._current + 1} / {len(self._hits)}")
        self._mark()

    def _mark(self) -> None:
        self.text.mark(self._span, self._hits, self._current)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.matches(QKeySequence.StandardKey.Find):
            self.search_field.setFocus()
            self.search_field.selectAll()
        elif event.key() == Qt.Key.Key_Escape and self.search_field.text():
            self.search_field.clear()
        else:
            super().keyPressEvent(event)
