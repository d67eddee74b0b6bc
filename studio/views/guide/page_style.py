"""Dress the document of a page: Qt's reader of Markdown knows neither fonts nor colours of the theme."""

from __future__ import annotations

from PySide6.QtGui import (
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)

from studio.theme import theme
from studio.theme.tokens import tokens

_HEADINGS = {1: ("figure", 0, 12), 2: ("empty", 26, 8), 3: ("instruction", 20, 4)}
"""By level: the role of the font, and the pixels above and below. Lower ones are like the last."""
_LINE = 145.0
"""Percent of a line."""
_CELL, _CODE_INDENT = 5.0, 12.0


def body_font() -> QFont:
    """The font of text that is read for long: larger than that of labels."""
    font = QFont(theme.font("body"))
    font.setPixelSize(tokens().group("font")["size"]["instruction"])
    return font


def dress(document: QTextDocument) -> None:
    """Set fonts, colours and distances of everything in the document."""
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    block = document.begin()
    while block.isValid():
        _dress_block(QTextCursor(block), block)
        block = block.next()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            _dress_table(frame)
    cursor.endEditBlock()


def _dress_block(cursor: QTextCursor, block: QTextBlock) -> None:
    shape = QTextBlockFormat()
    level = block.blockFormat().headingLevel()
    if level:
        role, above, below = _HEADINGS[min(level, max(_HEADINGS))]
        shape.setTopMargin(above)
        shape.setBottomMargin(below)
        cursor.mergeBlockFormat(shape)
        _set_font(cursor, theme.font(role))
        return
    if block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence):
        shape.setBackground(theme.color("bg-2"))
        shape.setLeftMargin(_CODE_INDENT)
        is_last = not block.next().blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence)
        shape.setBottomMargin(12 if is_last else 0)
        cursor.mergeBlockFormat(shape)
        _set_font(cursor, theme.font("code"))
        return
    is_in_table = cursor.currentTable() is not None
    shape.setLineHeight(_LINE, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    shape.setBottomMargin(0 if is_in_table else 4 if block.textList() else 10)
    shape.setTopMargin(0)
    cursor.mergeBlockFormat(shape)
    _dress_words(cursor, block)


def _set_font(cursor: QTextCursor, font: QFont) -> None:
    """The font of a whole block."""
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    look = QTextCharFormat()
    look.setFont(font)
    look.clearProperty(QTextFormat.Property.FontSizeAdjustment)
    cursor.mergeCharFormat(look)


def _dress_words(cursor: QTextCursor, block: QTextBlock) -> None:
    """Code and links within a block."""
    spots = []
    words = block.begin()
    while not words.atEnd():
        fragment = words.fragment()
        look = _look_of(fragment)
        if look is not None:
            spots.append((fragment.position(), fragment.length(), look))
        words += 1
    for place, length, look in spots:
        cursor.setPosition(place)
        cursor.setPosition(place + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(look)


def _look_of(fragment: QTextFragment) -> QTextCharFormat | None:
    is_code, is_link = fragment.charFormat().fontFixedPitch(), fragment.charFormat().isAnchor()
    if not is_code and not is_link:
        return None
    look = QTextCharFormat()
    if is_code:
        look.setFont(theme.font("code"))
        look.setBackground(theme.color("bg-3"))
    if is_link:
        look.setForeground(theme.color("accent"))
        look.setFontUnderline(True)
    return look


def _dress_table(table: QTextTable) -> None:
    shape = table.format()
    shape.setBorder(1)
    shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    shape.setBorderBrush(theme.color("line-2"))
    shape.setBorderCollapse(True)
    shape.setCellPadding(_CELL)
    shape.setCellSpacing(0)
    shape.setTopMargin(4)
    shape.setBottomMargin(14)
    shape.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    table.setFormat(shape)
    for column in range(table.columns()):
        cell = table.cellAt(0, column)
        look = cell.format()
        look.setBackground(theme.color("bg-2"))
        cell.setFormat(look)
