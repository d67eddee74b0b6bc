"""One criterion of an essential state: the answer, a note, and what the program found."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QTimer, Signal, Slot
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.controls import Label
from studio.widgets.controls.answer_buttons import AnswerButtons
from studio.widgets.state_audit.rows import ANSWER_ICONS, CriterionRow

_ICON = 14
_SAVE_MS = 600
"""A note is saved after this pause in typing, and when the field loses the keyboard."""


class IconDot(QWidget):
    """A state icon of 14 px beside the first line of a text."""

    def __init__(self, icon: str = "", top: int = 1) -> None:
        super().__init__()
        self._icon, self._top = icon, top
        self.setFixedWidth(_ICON)
        self.setMinimumHeight(_ICON + top)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Minimum)
        theme.changed.connect(self.update)

    def set_icon(self, icon: str) -> None:
        """Show another icon."""
        if icon != self._icon:
            self._icon = icon
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self._icon:
            theme.draw_icon(painter_of(self), self._icon, QPoint(0, self._top), _ICON)


class CriterionView(QWidget):
    """Emits ``answered(criterion id, answer)`` and ``noted(criterion id, note)``."""

    answered = Signal(str, str)
    noted = Signal(str, str)

    def __init__(self, row: CriterionRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = row
        self._stored_note: str | None = None
        self._icon = IconDot(top=5)
        self._title = Label("", "name", cut=True)
        choices = [("yes", _("Yes"), ""), ("doubt", _("Doubt"), ""), ("no", _("No"), "")]
        self.answers = AnswerButtons(choices)
        self.note = QLineEdit()
        self.note.setPlaceholderText(_("Note"))
        self._facts = QVBoxLayout()
        self._facts.setSpacing(2)
        self._saving = QTimer(self, singleShot=True, interval=_SAVE_MS)
        self._saving.timeout.connect(self.save)
        self._lay_out()
        self.answers.chosen.connect(self._answered)
        self.note.textEdited.connect(self._edited)
        self.note.editingFinished.connect(self.save)
        self.show_row(row, is_read_only=False)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._icon)
        head.addWidget(self._title, 1)
        head.addWidget(self.answers)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 6)
        column.setSpacing(4)
        column.addLayout(head)
        body = QVBoxLayout()
        body.setContentsMargins(_ICON + 8, 0, 0, 0)
        body.setSpacing(4)
        body.addLayout(self._facts)
        body.addWidget(self.note)
        column.addLayout(body)

    def show_row(self, row: CriterionRow, *, is_read_only: bool) -> None:
        """Show a criterion; a note that is being typed stays as it is typed."""
        is_same = row.id == self.row.id
        facts_before, note_before = self.row.facts, self._stored_note
        self._stored_note = row.note
        self.row = row
        self._icon.set_icon(ANSWER_ICONS[row.answer])
        self._title.setText(row.title)
        self._title.setToolTip(row.question)
        self.answers.set_chosen(row.answer)
        self.answers.setEnabled(not is_read_only)
        self.answers.setAccessibleName(row.title)
        self.answers.setToolTip(row.question)
        self.note.setReadOnly(is_read_only)
        self.note.setVisible(not is_read_only or bool(row.note))
        self.note.setAccessibleName(_("Note on {criterion}", criterion=row.title))
        is_news = not is_same or row.note != note_before  # a note on its way is newer than the stored one
        if is_news and not (is_same and self._saving.isActive()) and self.note.text().strip() != row.note:
            self.note.setText(row.note)
        if not self._facts.count() or facts_before != row.facts:
            self._show_facts(row)

    def _show_facts(self, row: CriterionRow) -> None:
        while (item := self._facts.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for icon, sentence in row.facts:
            line = QWidget()
            across = QHBoxLayout(line)
            across.setContentsMargins(0, 0, 0, 0)
            across.setSpacing(6)
            if icon:
                across.addWidget(IconDot(icon))
            across.addWidget(Label(sentence, "caption", "text-2", wrap=True), 1)
            self._facts.addWidget(line)

    @Slot()
    def _edited(self) -> None:
        self._saving.start()

    @Slot(str)
    def _answered(self, answer: str) -> None:
        self.answered.emit(self.row.id, answer)

    def forget(self) -> None:
        """Take the next note that is shown, whatever the field holds: it is of another state."""
        self._stored_note = None

    @Slot()
    def save(self) -> None:
        """Emit the note when it was changed."""
        self._saving.stop()
        if self.note.text().strip() != self.row.note and not self.note.isReadOnly():
            self.noted.emit(self.row.id, self.note.text().strip())
