"""The tab *Verdict*: what judges say of the chosen trajectory, and the person's own review of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from collector.model.episode_text import verdict_text
from collector.model.i18n import _, join_sentences
from collector.model.verdicts.failure_reason import FailureReason
from collector.model.verdicts.judgement import TASK, VERDICTS, Judgement
from rule_editor.widgets.combo_box import ComboBox
from studio.commands.commander import Commander
from studio.widgets.badge import Badge
from studio.widgets.commands.command_button import CommandFace
from studio.widgets.controls import Button, ButtonGrid, Label
from studio.widgets.dialogs.judge_rows import JudgeRow, JudgeRows
from studio.widgets.letter_badge import LetterBadge

REASON_KEYS = 6
"""So many reasons have a button and a key; the others are in a list."""
_SENTENCE_HEIGHT = 52
_LEAST_BUTTON = 56
"""Width in logical pixels to which a button shrinks; its text is elided then."""


class VerdictPage(QWidget):
    """Shows what it is given, and emits what the person writes; verdicts and reasons are commands."""

    command_asked = Signal(str)
    """The id of the command whose button was pressed."""
    sentence_written = Signal(object, object, str)
    """Folder of the trajectory, the person's Judgement of it, and the sentence for it."""
    tags_written = Signal(object, object, str)
    """Folder of the trajectory, its tags, and those that were written instead."""
    reason_chosen = Signal(str)
    """Id of a reason of the list; empty for none."""

    def __init__(self, commander: Commander, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._commander = commander
        self._is_showing = False
        self._folder = Path()
        """The trajectory that the fields are about."""
        self._own: Judgement | None = None
        self._tags: tuple[str, ...] = ()
        self.letter, self.title = LetterBadge(), Label("", "title", cut=True)
        self.status = Badge()
        self.agreement = Label("", "caption", "text-2", cut=True)
        self.taught = Label("", "caption", "text-2", wrap=True)
        self.judges = JudgeRows()
        self.hidden = Label("", "caption", "text-2", wrap=True)
        self.verdicts = {
            verdict: self._button(f"review.judge-{verdict}", verdict_text(verdict).capitalize())
            for verdict in VERDICTS[TASK]
        }
        self.reasons = [self._button(f"review.reason-{place}", "") for place in range(1, REASON_KEYS + 1)]
        self.more_reasons = ComboBox()
        self.more_reasons.setAccessibleName(_("Reason"))
        adjust = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.more_reasons.setSizeAdjustPolicy(adjust)
        self.more_reasons.setMinimumContentsLength(12)
        self.sentence = QPlainTextEdit()
        self.tags = QLineEdit()
        self.pin = self._plain("review.comment", _("Pin comment"), "pin")
        self.submit = Button(_("Submit and next"), kind="primary")
        self.decide = [
            self._plain("review.approve", _("Approve"), "check"),
            self._plain("review.reject", _("Reject..."), "x"),
            self._plain("review.adjudicate", _("Adjudicate..."), "flag"),
        ]
        self.disputes = JudgeRows()
        self._disputes_title = Label(_("Disagreements"), "caption", "text-2")
        self.people = JudgeRows()
        self._people_title = Label(_("Reviews"), "caption", "text-2")
        self._dress()
        self._lay_out()

    def _button(self, command: str, text: str) -> Button:
        button = Button(text, kind="outlined")
        button.setCheckable(True)
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        return self._run_by(button, command)

    def _plain(self, command: str, text: str, icon: str) -> Button:
        return self._run_by(Button(text, icon, "outlined", small=True), command)

    def _run_by(self, button: Button, command: str) -> Button:
        button.setProperty("command", command)
        button.setMinimumWidth(_LEAST_BUTTON)
        button.clicked.connect(self._pressed)
        CommandFace(button, self._commander, command)
        return button

    def _dress(self) -> None:
        self._run_by(self.submit, "review.submit")
        self.sentence.setFixedHeight(_SENTENCE_HEIGHT)
        self.sentence.setTabChangesFocus(True)
        self.sentence.setAccessibleName(_("Why, in a sentence"))
        self.sentence.setPlaceholderText(_("Why, in a sentence"))
        self.sentence.installEventFilter(self)
        self.tags.setAccessibleName(_("Tags"))
        self.tags.setPlaceholderText(_("Tags, with commas between"))
        self.tags.editingFinished.connect(self._write_tags)
        self.more_reasons.activated.connect(self._reason_activated)

    def _lay_out(self) -> None:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(12, 8, 12, 10)
        column.setSpacing(6)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.letter)
        head.addWidget(self.title, 1)
        head.addWidget(self.status)
        column.addLayout(head)
        column.addWidget(self.taught)
        column.addWidget(self.agreement)
        column.addWidget(self.judges)
        column.addWidget(self.hidden)
        column.addWidget(self._disputes_title)
        column.addWidget(self.disputes)
        column.addWidget(Label(_("Your verdict"), "caption", "text-2"))
        column.addWidget(ButtonGrid(list(self.verdicts.values())))
        column.addWidget(Label(_("Reason"), "caption", "text-2"))
        column.addWidget(ButtonGrid(self.reasons))
        column.addWidget(self.more_reasons)
        column.addWidget(self.sentence)
        column.addWidget(self.tags)
        # Side by side they have no room for their words.
        column.addWidget(self.pin, alignment=Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.submit, alignment=Qt.AlignmentFlag.AlignRight)
        column.addWidget(self._people_title)
        column.addWidget(self.people)
        column.addWidget(ButtonGrid(self.decide))
        column.addStretch(1)
        area = self._area = QScrollArea()
        self._area.setAccessibleName(_("Verdict"))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)

    # -- what is shown -------------------------------------------------------
    def show_side(self, letter: str, title: str) -> None:
        """Name the trajectory that is reviewed."""
        self.letter.set_letter(letter)
        self.letter.set_current(True)
        self.title.setText(title)

    def show_reasons(self, reasons: Sequence[str]) -> None:
        """Show why the queue gave this trajectory: what a person's word on it decides."""
        text = join_sentences(*reasons)
        self.taught.setText(_("Why this one: {reasons}", reasons=text) if text else "")
        self.taught.setVisible(bool(text))

    def show_judges(self, rows: Sequence[JudgeRow], agreement: str, hidden: str) -> None:
        """Show what judges say, how far they agree, and why something is hidden."""
        self.judges.show_rows(rows)
        for label, text in ((self.agreement, agreement), (self.hidden, hidden)):
            label.setText(text)
            label.setVisible(bool(text))

    def show_disputes(self, rows: Sequence[JudgeRow]) -> None:
        """Show what people and judges disagree on."""
        self.disputes.show_rows(rows)
        self._disputes_title.setVisible(bool(rows))

    def show_people(self, rows: Sequence[JudgeRow], *, decides: bool) -> None:
        """Show the reviews of other people; ``decides`` shows the buttons that decide on them."""
        self.people.show_rows(rows)
        self._people_title.setVisible(bool(rows))
        for button in self.decide:
            button.setVisible(decides)

    def show_own(
        self, folder: Path, own: Judgement | None, reasons: Sequence[FailureReason],
        tags: Sequence[str] | None,
    ) -> None:  # fmt: skip
        """Show the verdict that was given on the trajectory in ``folder``, with the reasons to choose from.

        What is being written of the same trajectory stays; what was of another one is handed over.
        ``tags`` are None for a trajectory that gets none.
        """
        is_other = folder != self._folder
        if is_other:
            self.write_pending()
            self._area.verticalScrollBar().setValue(0)  # a sentence on the one before was further down
        self._is_showing = True
        self._folder, self._own, self._tags = folder, own, tuple(tags or ())
        for verdict, button in self.verdicts.items():
            button.setChecked(own is not None and own.verdict == verdict)
        chosen = own.reason_id if own is not None else ""
        for place, button in enumerate(self.reasons):
            known = reasons[place] if place < len(reasons) else None
            button.setVisible(known is not None)
            if known is not None:
                button.set_face(known.label)
                button.setToolTip(known.help)
                button.setChecked(known.id == chosen)
                button.setEnabled(own is not None)
        self._show_more(chosen, reasons[REASON_KEYS:], enabled=own is not None)
        if is_other or not self.sentence.hasFocus():
            self.sentence.setPlainText(own.reason if own is not None else "")
        self.sentence.setEnabled(own is not None)
        if is_other or not self.tags.hasFocus():
            self.tags.setText(", ".join(self._tags))
        self.tags.setEnabled(tags is not None)
        self._is_showing = False

    def _show_more(self, chosen: str, reasons: Sequence[FailureReason], *, enabled: bool) -> None:
        self.more_reasons.clear()
        self.more_reasons.addItem(_("Other reasons"), "")
        for reason in reasons:
            self.more_reasons.addItem(reason.label, reason.id)
        self.more_reasons.setCurrentIndex(max(0, self.more_reasons.findData(chosen)))
        self.more_reasons.setVisible(bool(reasons))
        self.more_reasons.setEnabled(enabled)

    # -- what the person does ------------------------------------------------
    @Slot()
    def _pressed(self) -> None:
        button = self.sender()
        assert isinstance(button, Button)
        if button.isCheckable():
            button.setChecked(not button.isChecked())  # it is checked once the verdict is on the disk
        self.command_asked.emit(button.property("command"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if watched is self.sentence and event.type() == QEvent.Type.FocusOut:
            self._write_sentence()
        return super().eventFilter(watched, event)

    def write_pending(self) -> None:
        """Emit the sentence and the tags that are still in their fields."""
        self._write_sentence()
        self._write_tags()

    def _write_sentence(self) -> None:
        """Emit what a person wrote; what the page itself fills in is no edit."""
        sentence = self.sentence.toPlainText().strip()
        if not self._is_showing and self._own is not None and sentence != self._own.reason:
            self.sentence_written.emit(self._folder, self._own, sentence)

    @Slot()
    def _write_tags(self) -> None:
        if not self._is_showing and self.tags.text() != ", ".join(self._tags):
            self.tags_written.emit(self._folder, self._tags, self.tags.text())

    @Slot(int)
    def _reason_activated(self, _place: int) -> None:
        if not self._is_showing:
            self.reason_chosen.emit(str(self.more_reasons.currentData() or ""))
