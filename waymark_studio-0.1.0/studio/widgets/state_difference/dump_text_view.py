"""A read-only view of a dump's lines with their numbers; what is on show is coloured."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt, Slot
from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QWidget

from studio.theme import theme
from studio.widgets.painting import draw_text, text_width

_PARTS = re.compile(r"(</?[\w:.$-]+|/?>)|([\w:.-]+)=|(\"[^\"]*\"|'[^']*')")
_TONES = ("y-key", "text-2", "y-str")
"""Colours of a tag, of the name of an attribute and of its value."""
_SIDE = 8


@dataclass(frozen=True, slots=True)
class DumpHit:
    """A place that a search found; lines count from 0, and characters as Qt counts them."""

    line: int
    start: int
    length: int


class _VisibleHighlighter(QSyntaxHighlighter):
    """Colours the lines that were on show once: thousands of lines would keep the window waiting."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._colored: set[int] = set()
        self._coloring = False
        self._formats: list[QTextCharFormat] = []
        self._hit_format = QTextCharFormat()
        self._all_hits: Sequence[DumpHit] = ()
        self._hits: dict[int, list[DumpHit]] = {}
        self.restyle()

    def restyle(self) -> None:
        """Take the colours of the theme; lines are coloured again when they are on show."""
        self._formats = []
        for tone in _TONES:
            look = QTextCharFormat()
            look.setForeground(theme.color(tone))
            self._formats.append(look)
        self._hit_format.setBackground(theme.color("warn-weak"))
        self._hit_format.setForeground(theme.color("text"))
        self._colored.clear()

    def set_hits(self, hits: Sequence[DumpHit]) -> None:
        """Mark what a search found when its lines are coloured."""
        if hits is self._all_hits:
            return
        self._all_hits, self._hits = hits, {}
        for hit in hits:
            self._hits.setdefault(hit.line, []).append(hit)
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
        is_wide = utf16_length(text) != len(text)
        for match in _PARTS.finditer(text):
            part = match.lastindex or 1
            start, length = match.start(part), len(match[part])
            if is_wide:
                start, length = utf16_length(text[:start]), utf16_length(match[part])
            self.setFormat(start, length, self._formats[part - 1])
        for hit in self._hits.get(self.currentBlock().blockNumber(), ()):
            self.setFormat(hit.start, hit.length, self._hit_format)


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
        # Lines are not wrapped, so all are as high as the first; to ask for each takes long.
        box = self.blockBoundingGeometry(block).translated(self.contentOffset())
        while block.isValid() and box.top() <= self.viewport().height():
            lines.append((block, box.toAlignedRect()))
            box.translate(0, box.height())
            block = block.next()
        return lines

    def go_to_line(self, line: int) -> None:
        """Scroll a line, counted from 0, to the middle, and put the cursor there."""
        block = self.document().findBlockByNumber(line)
        if block.isValid():
            self.setTextCursor(QTextCursor(block))
            self.centerCursor()
            self.horizontalScrollBar().setValue(0)

    def mark(self, span: range | None, hits: Sequence[DumpHit] = (), current: int = -1) -> None:
        """Mark the lines of a node, and what a search found."""
        self._highlighter.set_hits(hits)
        self._color()
        marks = [_mark(self._lines_of(span), "accent-weak", wide=True)] if span else []
        if 0 <= current < len(hits):
            marks.append(_mark(self.cursor_at(hits[current]), "accent-fill", "on-fill"))
        self.setExtraSelections(marks)

    def cursor_at(self, hit: DumpHit) -> QTextCursor:
        """A cursor that selects what a search found."""
        cursor = QTextCursor(self.document())
        start = self.document().findBlockByNumber(hit.line).position() + hit.start
        cursor.setPosition(start)
        cursor.setPosition(start + hit.length, QTextCursor.MoveMode.KeepAnchor)
        return cursor

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


def utf16_length(text: str) -> int:
    """The length of a text as Qt counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


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
