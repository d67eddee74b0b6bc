"""The tab *Comments*: whether the step was right, remarks of all people, and a field for another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QPlainTextEdit, QVBoxLayout, QWidget

from collector.model.i18n import _
from collector.store.trajectory.reviews.labels import Comment
from studio.views.review.steps.step_verdict_form import StepVerdictForm
from studio.widgets.controls import Button, Label, divider

_FIELD_HEIGHT = 64


@dataclass(frozen=True, slots=True)
class CommentRow:
    """A comment and who wrote it; ``place`` is its place among those of this person."""

    who: str
    comment: Comment
    place: int

    @property
    def where(self) -> str:
        """What it is pinned to, in words."""
        step, node = self.comment.step, self.comment.node
        if step is None:
            return _("the trajectory")
        at = _("step {number}", number=step + 1)
        return f"{at} · {next(iter(node.selectors), '')}" if node is not None else at


class CommentField(QPlainTextEdit):
    """Says when it gets the keyboard and when it loses it."""

    keyboard_changed = Signal(bool)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)
        self.keyboard_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)
        self.keyboard_changed.emit(False)


class CommentsPage(QWidget):
    """Emits what the person writes, opens and deletes."""

    edited = Signal(str)
    """The words in the field, which are not pinned yet."""
    pin_asked = Signal()
    opened = Signal(object)
    """A :class:`CommentRow` to go to."""
    deleted = Signal(int)
    """Place of a comment among the person's own."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._person = ""
        self.rows: tuple[CommentRow, ...] = ()
        self.list = QListWidget()
        self.list.setAccessibleName(_("Comments"))
        self.list.setWordWrap(True)
        self.list.setFrameShape(QListWidget.Shape.NoFrame)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.step_verdict = StepVerdictForm()
        self.empty = Label(_("No comment yet"), "body", "text-3")
        self.field = CommentField()
        self.field.setFixedHeight(_FIELD_HEIGHT)
        self.field.setTabChangesFocus(True)
        self.field.setAccessibleName(_("Comment"))
        self.field.setPlaceholderText(_("What you see here"))
        self.pinned = Label("", "caption", "text-2", cut=True)
        self.send = Button(_("Pin comment"), "pin", "outlined", small=True)
        self.send.setEnabled(False)
        self.delete = Button(_("Delete"), "trash", small=True)
        self._lay_out()
        self.field.textChanged.connect(self._edited)
        self.send.clicked.connect(self.pin_asked)
        self.delete.clicked.connect(self._delete)
        self.list.itemActivated.connect(self._open)
        self.list.itemClicked.connect(self._open)
        self.list.currentRowChanged.connect(self._show_delete)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(6)
        column.addWidget(self.step_verdict)
        column.addWidget(divider())
        column.addWidget(self.empty)
        column.addWidget(self.list, 1)
        column.addWidget(self.field)
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.pinned, 1)
        row.addWidget(self.delete)
        row.addWidget(self.send)
        column.addLayout(row)
        column.addStretch(0)

    def show_comments(self, rows: Sequence[CommentRow], person: str) -> None:
        """Show the comments; ``person`` can delete the own ones."""
        self._person, self.rows = person, tuple(rows)
        self.list.clear()
        for row in self.rows:
            self.list.addItem(QListWidgetItem(f"{row.who}  ·  {row.where}\n{row.comment.text}"))
        self.list.setVisible(bool(rows))
        self.empty.setVisible(not rows)
        self._show_delete(-1)

    def show_pin(self, where: str) -> None:
        """Say what the next comment is pinned to."""
        self.pinned.setText(_("Pinned to {where}", where=where))
        self.pinned.setToolTip(where)

    @Slot(int)
    def _show_delete(self, place: int) -> None:
        self.delete.setVisible(0 <= place < len(self.rows) and self.rows[place].who == self._person)

    @property
    def draft(self) -> str:
        """The words in the field, without space around them."""
        return self.field.toPlainText().strip()

    def show_draft(self, text: str) -> None:
        """Put other words into the field."""
        self.field.setPlainText(text)
        self.field.moveCursor(QTextCursor.MoveOperation.End)

    @Slot()
    def _edited(self) -> None:
        self.send.setEnabled(bool(self.draft))
        self.edited.emit(self.field.toPlainText())

    @Slot()
    def _delete(self) -> None:
        place = self.list.currentRow()
        if 0 <= place < len(self.rows):
            self.deleted.emit(self.rows[place].place)

    @Slot(QListWidgetItem)
    def _open(self, item: QListWidgetItem) -> None:
        self.opened.emit(self.rows[self.list.row(item)])
