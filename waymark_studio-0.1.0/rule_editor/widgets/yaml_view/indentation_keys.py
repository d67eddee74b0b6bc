"""The keys that indent: Enter keeps or opens a level, Backspace leaves one, Tab and Shift+Tab move lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QTextEdit

from rule_editor.document.text.indentation import (
    dedented,
    indent_after,
    indent_of,
    indented,
    level_below,
    step_of,
)

_KEYPAD = Qt.KeyboardModifier.KeypadModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier


def edit_indentation(edit: QTextEdit, event: QKeyEvent) -> bool:
    """Handle a key press in ``edit`` when it is about indentation; False leaves it to the editor."""
    key, modifiers = event.key(), event.modifiers() & ~_KEYPAD
    cursor = edit.textCursor()
    if key == Qt.Key.Key_Backtab or (key == Qt.Key.Key_Tab and modifiers == _SHIFT):
        _move_lines(edit, cursor, dedented)
    elif modifiers:
        return False
    elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        _break_line(cursor)
        edit.ensureCursorVisible()
    elif key == Qt.Key.Key_Tab:
        _press_tab(edit, cursor)
    elif key == Qt.Key.Key_Backspace and _stands_in_indentation(cursor):
        _leave_level(cursor)
    else:
        return False
    return True


def _lines(cursor: QTextCursor) -> tuple[list[str], int]:
    """The lines of the text, and the number of the line that the cursor stands in."""
    return cursor.document().toPlainText().split("\n"), cursor.blockNumber()


def _text_before(cursor: QTextCursor) -> str:
    """The part of the line before the cursor, which counts UTF-16 units."""
    data = cursor.block().text().encode("utf-16-le", "surrogatepass")
    return data[: 2 * cursor.positionInBlock()].decode("utf-16-le", "surrogatepass")


def _break_line(cursor: QTextCursor) -> None:
    cursor.beginEditBlock()
    cursor.removeSelectedText()
    lines, number = _lines(cursor)
    before = _text_before(cursor)
    behind = lines[number][len(before) :]
    if not before.strip():  # what follows moves down as it is
        indent = len(before)
    else:
        indent = indent_after(before, lines[number + 1 :] if not behind.strip() else (), step_of(lines))
        spaces = indent_of(behind)
        cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor, spaces)
    cursor.insertText("\n" + " " * indent)
    cursor.endEditBlock()


def _stands_in_indentation(cursor: QTextCursor) -> bool:
    before = _text_before(cursor)
    return bool(before) and not before.strip(" ") and not cursor.hasSelection()


def _leave_level(cursor: QTextCursor) -> None:
    """Remove the spaces before the cursor down to the level around it."""
    lines, number = _lines(cursor)
    column = cursor.positionInBlock()
    by = column - level_below(lines[:number], column)
    cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, by)
    cursor.removeSelectedText()


def _press_tab(edit: QTextEdit, cursor: QTextCursor) -> None:
    """Indent the selected lines, or the line whose indentation the cursor is in; else insert spaces."""
    lines, number = _lines(cursor)
    before = _text_before(cursor)
    if cursor.hasSelection() or (lines[number].strip() and not before.strip(" ")):
        _move_lines(edit, cursor, indented)
    else:
        step = step_of(lines)
        cursor.insertText(" " * (step - len(before) % step))


def _move_lines(
    edit: QTextEdit, cursor: QTextCursor, move: Callable[[Sequence[str], int], list[str]]
) -> None:
    """Indent or dedent the lines that the selection touches; the selection stays on them."""
    document = cursor.document()
    lines, _number = _lines(cursor)
    first = document.findBlock(cursor.selectionStart())
    last = document.findBlock(cursor.selectionEnd())
    if last != first and cursor.selectionEnd() == last.position():
        last = last.previous()  # a selection up to the start of a line does not touch it
    old = lines[first.blockNumber() : last.blockNumber() + 1]
    new = move(old, step_of(lines))
    if new == old:
        return
    selected, column = cursor.hasSelection(), cursor.positionInBlock()
    change = QTextCursor(first)
    change.setPosition(last.position() + last.length() - 1, QTextCursor.MoveMode.KeepAnchor)
    start = first.position()
    change.insertText("\n".join(new))
    cursor.setPosition(start)
    if selected:
        cursor.setPosition(start + len("\n".join(new)), QTextCursor.MoveMode.KeepAnchor)
    else:
        cursor.setPosition(start + max(0, column + len(new[0]) - len(old[0])))
    edit.setTextCursor(cursor)
