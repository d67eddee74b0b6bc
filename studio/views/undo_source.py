"""What can be undone and redone in a workspace or in a text field."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from collector.model.editing.edit_stack import EditStack
from collector.model.i18n import _

TextField = QLineEdit | QPlainTextEdit | QTextEdit


@dataclass(frozen=True)
class UndoNote:
    """What a person has to know after an undo, and the command that helps, offered in place of *Redo*."""

    sentence: str
    action: str
    command: str


@dataclass(frozen=True)
class UndoSource:
    """The newest edits of a document, by title ("delete step 3"); an empty title for none."""

    undo_title: str
    redo_title: str
    undo: Callable[[], object]
    redo: Callable[[], object]
    undo_note: UndoNote | None = None
    made: dt.datetime | None = None
    """When the edit was made that would be undone; None where nobody knows, or for nothing."""
    is_waiting: bool = False
    """Whether an undo or a redo was asked for and has not reached its end: it is not yet to be said done."""


def stack_source(stack: EditStack) -> UndoSource:
    """The newest edits of a stack."""
    return UndoSource(
        stack.undo_title, stack.redo_title, stack.undo, stack.redo, made=stack.newest_made,
        is_waiting=stack.is_waiting,
    )  # fmt: skip


def text_history(field: TextField) -> UndoSource:
    """The history of a text field, whose edits have no names of their own."""
    source = field if isinstance(field, QLineEdit) else field.document()
    typing = _("typing")
    return UndoSource(
        typing if source.isUndoAvailable() else "",
        typing if source.isRedoAvailable() else "",
        field.undo,
        field.redo,
    )


def as_text_field(widget: QWidget | None) -> TextField | None:
    """The widget as a text field that undoes its own typing; None for any other widget."""
    if isinstance(widget, QLineEdit):
        return None if widget.isReadOnly() else widget
    if isinstance(widget, QPlainTextEdit | QTextEdit) and widget.isUndoRedoEnabled():
        return None if widget.isReadOnly() else widget
    return None
