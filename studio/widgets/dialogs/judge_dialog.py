"""The dialog that settles a disagreement: what it is about, the verdict that counts, and the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QPlainTextEdit, QWidget

from collector.model.i18n import _
from collector.model.verdicts.failure_reason import FailureReason
from collector.model.verdicts.judgement import SUCCESS, TASK, Subject
from rule_editor.widgets.combo_box import ComboBox
from studio.theme import theme
from studio.widgets.captions.verdict_text import verdict_icon
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog

_REASON_HEIGHT, _CHOICE_HEIGHT = 88, 20


@dataclass(frozen=True, slots=True)
class VerdictChoice:
    """A verdict that can be given."""

    subject: Subject
    """A state that is reached has its step in it."""
    verdict: str
    text: str


@dataclass(frozen=True, slots=True)
class Dispute:
    """A disagreement with the verdicts that can settle it."""

    title: str
    votes: str
    """Who says what."""
    choices: tuple[VerdictChoice, ...]
    first: int = 0
    """The place of the choice that is there at the beginning."""


class JudgeDialog(Dialog):
    """Emits what was decided when it is accepted: Subject, verdict, sentence, id of a reason."""

    judged = Signal(object, str, str, str)

    def __init__(
        self, parent: QWidget, disputes: Sequence[Dispute], reasons: Sequence[FailureReason], title: str,
        sentence: str,
    ) -> None:  # fmt: skip
        super().__init__(title, _("Save"), parent, sentence=sentence)
        self._disputes = tuple(disputes)
        self.about = ComboBox()
        for dispute in disputes:
            self.about.addItem(dispute.title)
        self.votes = Label("", "body", "text-2", wrap=True)
        self.verdict = QListWidget()
        self.reason_id = ComboBox()
        self.reason_id.addItem(_("No reason of the list"), "")
        for reason in reasons:
            self.reason_id.addItem(reason.label, reason.id)
        self.reason = QPlainTextEdit()
        self.reason.setTabChangesFocus(True)
        self.reason.setFixedHeight(_REASON_HEIGHT)
        self.reason.setPlaceholderText(_("What you saw, and at which step"))
        self.add_field(_("Disagreement"), self.about)
        self.body.addWidget(self.votes)
        self.add_field(_("Verdict"), self.verdict)
        self.add_field(_("Reason"), self.reason_id)
        self.body.addWidget(self.reason)
        self.reason.setAccessibleName(_("Reason"))
        self.about.currentIndexChanged.connect(self._show_dispute)
        self.verdict.currentRowChanged.connect(self._show_reasons)
        self._show_dispute()
        (self.about if len(self._disputes) > 1 else self.verdict).setFocus()

    @property
    def dispute(self) -> Dispute:
        """The disagreement that is settled."""
        return self._disputes[self.about.currentIndex()]

    @property
    def choice(self) -> VerdictChoice:
        """The verdict that is chosen."""
        return self.dispute.choices[max(0, self.verdict.currentRow())]

    @Slot()
    def _show_dispute(self) -> None:
        dispute = self.dispute
        self.votes.setText(dispute.votes)
        self.verdict.clear()
        for choice in dispute.choices:
            self.verdict.addItem(QListWidgetItem(theme.icon(verdict_icon(choice.verdict)), choice.text))
        self.verdict.setFixedHeight(_CHOICE_HEIGHT * len(dispute.choices) + 8)
        self.verdict.setCurrentRow(dispute.first)

    @Slot()
    def _show_reasons(self) -> None:
        """The reasons of the project are those of failures."""
        choice = self.choice
        fits = choice.subject.kind == TASK and choice.verdict != SUCCESS
        self.reason_id.setEnabled(fits)
        if not fits:
            self.reason_id.setCurrentIndex(0)

    @Slot()
    def accept(self) -> None:
        """Emit what was chosen and written."""
        choice, sentence = self.choice, self.reason.toPlainText().strip()
        self.judged.emit(choice.subject, choice.verdict, sentence, self.reason_id.currentData())
        super().accept()
