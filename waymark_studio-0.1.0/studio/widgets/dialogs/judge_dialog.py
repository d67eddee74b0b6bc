"""The dialog that asks for a verdict and its reason."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from collector.model.episode_text import verdict_text
from collector.model.i18n import _
from collector.model.judgement import TASK, VERDICTS
from studio.widgets.captions.verdict_text import verdict_icon, verdict_tone
from studio.widgets.controls import Label, SegmentedControl
from studio.widgets.dialogs.dialog import Dialog

_REASON_HEIGHT = 88


class JudgeDialog(Dialog):
    """Emits the verdict and the reason when it is accepted."""

    judged = Signal(str, str)

    def __init__(self, parent: QWidget, verdict: str, title: str, sentence: str) -> None:
        super().__init__(title, _("Save"), parent, sentence=sentence)
        self.verdict = SegmentedControl(
            [(name, verdict_text(name), verdict_icon(name)) for name in VERDICTS[TASK]],
            {name: verdict_tone(name) for name in VERDICTS[TASK]},
        )
        if verdict in VERDICTS[TASK]:
            self.verdict.set_current(verdict)
        self.body.addWidget(Label(_("Verdict"), "caption", "text-2"))
        self.body.addWidget(self.verdict)
        self.reason = QPlainTextEdit()
        self.reason.setTabChangesFocus(True)
        self.reason.setFixedHeight(_REASON_HEIGHT)
        self.reason.setPlaceholderText(_("What you saw, and at which step"))
        self.add_field(_("Reason"), self.reason)
        self.reason.setFocus()

    @Slot()
    def accept(self) -> None:
        """Emit what was chosen and written."""
        self.judged.emit(self.verdict.current, self.reason.toPlainText().strip())
        super().accept()
