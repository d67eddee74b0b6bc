"""A read-only view of a dump's lines, with their numbers and a search."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.controls import Label
from studio.widgets.icon_button import IconButton
from studio.widgets.painting import draw_text, text_width

_PARTS = re.compile(r"(</?[\w:.$-]+|/?>)|([\w:.-]+)=|(\"[^\"]*\"|'[^']*')")
_TONES = ("y-key", "text-2", "y-str")
"""Colours of a tag, of the name of an attribute and of its value."""
_MOST_HITS = 5000
_SIDE = 8
_SEARCH_AFTER_MS = 120


class _VisibleHighlighter(QSyntaxHighlighter):
    """Colours the lines that were on show once: thousands of lines would keep the window waiting."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._colored: set[int] = set()
        self._coloring = False
        self._formats: list[QTextCharFormat] = []
        self.restyle()

    def restyle(self) -> None:
        """Take the colours of the theme; lines are coloured again when they are on show."""
        self._formats = []
        for tone in _TONES:
            look = QTextCharFormat()
            look.setForeground(theme.color(tone))
            self._formats.append(look)
        self._colored.clear()

    def color(self, blocks: Sequence[QTextBlock]) -> None:
        """Colour lines that are on show."""
        self._coloring = True
        for block in blocks:
            if block.blockNumber() not in self._colored:
                self._colored.add(block.blockNumber())
                self.rehighlightBlock(block)
        self._coloring = False

    def highlightBlock(self, text: str) -> None:  # noqa: N802 - Qt's name
        if not self._coloring:
            return
        for match in _PARTS.finditer(text):
            part = match.lastindex or 1
            self.setFormat(match.start(part), match.end(part) - match.start(part), self._formats[part - 1])


class _LineNumbers(QWidget):
    """The numbers beside the lines."""

    def __init__(self, text: DumpTextView) -> None:
        super().__init__(text)
        self._text = text

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        digits = max(2, len(str(self._text.blockCount())))
        return QSize(text_width("9" * digits, "code_inline") + 2 * _SIDE, 0)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("bg-1"))
        current = self._text.textCursor().blockNumber()
        for block, place in self._text.visible_lines():
            number = block.blockNumber()
            tone = "text-2" if number == current else "text-3"
            box = QRect(0, place.top(), self.width() - _SIDE, place.height())
            draw_text(painter, box, str(number + 1), "code_inline", tone, Qt.AlignmentFlag.AlignRight)


class DumpTextView(QPlainTextEdit):
    """The lines. Long ones are not wrapped."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("role", "code")
        self.setProperty("plain", True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._highlighter = _VisibleHighlighter(self.document())
        self._numbers = _LineNumbers(self)
        self._marked: list[QTextEdit.ExtraSelection] = []
        self.updateRequest.connect(self._update_requested)
        self.cursorPositionChanged.connect(self._numbers.update)
        self.blockCountChanged.connect(self._fit_numbers)
        theme.changed.connect(self._restyle)
        self._fit_numbers()

    def set_lines(self, lines: Sequence[str]) -> None:
        """Show other lines from the first one."""
        self._highlighter.restyle()
        self.setPlainText("\n".join(lines))
        self._color()

    def visible_lines(self) -> list[tuple[QTextBlock, QRect]]:
        """The lines on show with their rectangles in the viewport."""
        lines = []
        block = self.firstVisibleBlock()
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(self.contentOffset()).toAlignedRect()
            if box.top() > self.viewport().height():
                break
            lines.append((block, box))
            block = block.next()
        return lines

    def go_to_line(self, line: int) -> None:
        """Scroll a line, counted from 0, to the middle, and put the cursor there."""
        block = self.document().findBlockByNumber(line)
        if block.isValid():
            self.setTextCursor(QTextCursor(block))
            self.centerCursor()
            self.horizontalScrollBar().setValue(0)

    def mark(self, span: range | None, hits: Sequence[QTextCursor] = (), current: int = -1) -> None:
        """Mark the lines of a node, and what a search found."""
        marks = [_mark(self._lines_of(span), "accent-weak", wide=True)] if span else []
        marks += [_mark(hit, "warn-weak") for number, hit in enumerate(hits) if number != current]
        if 0 <= current < len(hits):
            marks.append(_mark(hits[current], "accent-fill", "on-fill"))
        self.setExtraSelections(marks)

    def _lines_of(self, span: range) -> QTextCursor:
        """The text of lines counted from 0."""
        cursor = QTextCursor(self.document().findBlockByNumber(span.start))
        last = self.document().findBlockByNumber(span.stop - 1)
        cursor.setPosition(last.position() + max(0, last.length() - 1), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    @Slot()
    def _restyle(self) -> None:
        self._highlighter.restyle()
        self._color()

    @Slot(QRect, int)
    def _update_requested(self, rect: QRect, dy: int) -> None:
        if dy:
            self._numbers.scroll(0, dy)
            self._color()
        else:
            self._numbers.update(0, rect.y(), self._numbers.width(), rect.height())

    def _color(self) -> None:
        self._highlighter.color([block for block, _box in self.visible_lines()])

    def _fit_numbers(self) -> None:
        self.setViewportMargins(self._numbers.sizeHint().width(), 0, 0, 0)
        self._place_numbers()

    def _place_numbers(self) -> None:
        area = self.contentsRect()
        self._numbers.setGeometry(area.left(), area.top(), self._numbers.sizeHint().width(), area.height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._place_numbers()
        self._color()


def _mark(cursor: QTextCursor, ground: str, ink: str = "", *, wide: bool = False) -> QTextEdit.ExtraSelection:
    mark = QTextEdit.ExtraSelection()
    mark.cursor = cursor
    look = QTextCharFormat()
    look.setBackground(theme.color(ground))
    if ink:
        look.setForeground(theme.color(ink))
    if wide:
        look.setProperty(QTextCharFormat.Property.FullWidthSelection, True)
    mark.format = look
    return mark


class DumpViewer(QWidget):
    """Lines with a search: Enter and Shift+Enter go through what was found."""

    copied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = DumpTextView()
        self.search_field = QLineEdit()
        self.search_field.setPlaceholderText(_("Search the XML"))
        self.search_field.setAccessibleName(_("Search the XML"))
        self.search_field.setClearButtonEnabled(True)
        self._lines: Sequence[str] = ()
        self._hits: list[QTextCursor] = []
        self._current = -1
        self._span: range | None = None
        self._found = Label("", "caption", "text-2")
        self._copy = IconButton("copy", _("Copy the lines on show"), size=24)
        self._searching = QTimer(self)
        self._searching.setSingleShot(True)
        self._searching.setInterval(_SEARCH_AFTER_MS)
        self._lay_out()
        self._searching.timeout.connect(self._search)
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
            self._search()
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
            self._search()
        else:
            back = QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
            self.go_to_hit(-1 if back else 1)

    @Slot()
    def _search(self) -> None:
        self._searching.stop()
        query = self.search_field.text()
        self._hits, self._current = self._find(query) if query else [], -1
        self._mark()
        if self._hits:
            self.go_to_hit(1)
        else:
            self._found.setText(_("not found") if query else "")

    def _find(self, query: str) -> list[QTextCursor]:
        document = self.text.document()
        hits: list[QTextCursor] = []
        at = document.find(query, 0)
        while not at.isNull() and len(hits) < _MOST_HITS:
            hits.append(at)
            at = document.find(query, at)
        return hits

    def go_to_hit(self, by: int) -> None:
        """Go to the next place that was found, or ``by`` places further."""
        if not self._hits:
            return
        self._current = (self._current + by) % len(self._hits) if self._current >= 0 else 0
        cursor = QTextCursor(self._hits[self._current])
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
