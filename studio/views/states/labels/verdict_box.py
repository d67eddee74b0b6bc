"""The verdict of the person who labels: what, why, and in which words; beside it what others say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from collector.model.episode_text import verdict_text
from collector.model.i18n import _
from collector.model.verdicts.failure_reason import FailureReason, reason_text
from collector.model.verdicts.judgement import SUCCESS, TASK, VERDICTS, Judgement
from rule_editor.widgets.combo_box import ComboBox
from studio.commands.commander import Commander
from studio.widgets.captions.verdict_text import verdict_icon
from studio.widgets.commands.command_button import CommandFace
from studio.widgets.controls import Button, Label

_NO_REASON = ""
_ACROSS = 2


class VerdictBox(QWidget):
    """Emits ``given(verdict, sentence, reason id)`` when the person changes something."""

    command_asked = Signal(str)
    """The id of the command whose button was pressed."""
    given = Signal(str, str, str)

    def __init__(self, commander: Commander) -> None:
        super().__init__()
        self._commander = commander
        self._verdict: Judgement | None = None
        self._showing = False
        self.buttons: dict[str, Button] = {}
        choices = self._choices = QGridLayout()
        choices.setSpacing(4)
        self._across = 0
        for verdict in VERDICTS[TASK]:
            self.buttons[verdict] = self._button(f"labels.judge-{verdict}", verdict)
        choices.setColumnStretch(_ACROSS, 1)
        self._arrange()
        self.reason = ComboBox()
        self.reason.setAccessibleName(_("Reason"))
        self.reason.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.reason.setMinimumContentsLength(12)
        self.reason.activated.connect(self._reason_chosen)
        self._edit = Button(_("Edit reasons..."), "edit", small=True)
        self._edit.set_compact(True)
        self._edit.clicked.connect(self._edit_reasons)
        CommandFace(self._edit, commander, "labels.edit-reasons")
        reasons = QHBoxLayout()
        reasons.setSpacing(4)
        reasons.addWidget(self.reason, 1)
        reasons.addWidget(self._edit)
        self.sentence = QLineEdit()
        self.sentence.setAccessibleName(_("Why, in a sentence"))
        self.sentence.setPlaceholderText(_("Why, in a sentence"))
        self.sentence.editingFinished.connect(self._sentence_written)
        self.others = Label("", "caption", "text-2", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(choices)
        column.addLayout(reasons)
        column.addWidget(self.sentence)
        column.addWidget(self.others)

    def _button(self, command: str, verdict: str) -> Button:
        button = Button(verdict_text(verdict).capitalize(), verdict_icon(verdict), small=True)
        button.setCheckable(True)
        button.setProperty("command", command)
        button.clicked.connect(self._pressed)
        CommandFace(button, self._commander, command)
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Put two buttons in a row, or a button a row where two have no room."""
        widest = max(button.sizeHint().width() for button in self.buttons.values())
        across = _ACROSS if self.width() >= _ACROSS * widest + self._choices.spacing() else 1
        if across != self._across:
            self._across = across
            for place, button in enumerate(self.buttons.values()):
                self._choices.addWidget(button, place // across, place % across)

    # -- what is shown -------------------------------------------------------
    def show_verdict(self, own: Judgement | None, reasons: Sequence[FailureReason]) -> None:
        """Show the verdict that was given, and the reasons to choose from."""
        self._showing, self._verdict = True, own
        for verdict, button in self.buttons.items():
            is_given = own is not None and own.verdict == verdict
            button.setChecked(is_given)
        self._fill_reasons(own.reason_id if own is not None else "", reasons)
        if not self.sentence.hasFocus() or own is None:
            self.sentence.setText(own.reason if own is not None else "")
        explains = own is not None
        for field in (self.reason, self.sentence):
            field.setEnabled(explains)
        self._showing = False

    def _fill_reasons(self, chosen: str, reasons: Sequence[FailureReason]) -> None:
        self.reason.clear()
        self.reason.addItem(_("No reason"), _NO_REASON)
        for reason in reasons:
            self.reason.addItem(reason.label, reason.id)
            self.reason.setItemData(self.reason.count() - 1, reason.help, 3)  # the tool tip
        place = self.reason.findData(chosen)
        if place < 0:  # taken out of the list since
            self.reason.addItem(reason_text(chosen, reasons), chosen)
            place = self.reason.count() - 1
        self.reason.setCurrentIndex(place)

    def show_others(self, verdicts: Mapping[str, str]) -> None:
        """Say what other judges decided; nothing hides the line."""
        said = [f"{judge}: {verdict_text(verdict)}" for judge, verdict in sorted(verdicts.items())]
        self.others.setText(", ".join(said))
        self.others.setVisible(bool(said))

    def open_reasons(self) -> None:
        """Open the list of reasons for the keyboard."""
        if self.reason.isEnabled():
            self.reason.setFocus()
            self.reason.showPopup()

    # -- what the person does -----------------------------------------------
    def give(self, verdict: str) -> None:
        """Give a verdict; the reason stays with it, unless it did its task."""
        own = self._verdict
        keeps = own is not None and verdict != SUCCESS
        reason_id = own.reason_id if keeps and own is not None else ""
        sentence = own.reason if own is not None else ""
        if own is None or (own.verdict, own.reason_id, own.reason) != (verdict, reason_id, sentence):
            self.given.emit(verdict, sentence, reason_id)

    @Slot()
    def _pressed(self) -> None:
        button = self.sender()
        assert isinstance(button, Button)
        button.setChecked(not button.isChecked())  # it is checked once the verdict is on the disk
        self.command_asked.emit(button.property("command"))

    @Slot()
    def _edit_reasons(self) -> None:
        self.command_asked.emit("labels.edit-reasons")

    @Slot(int)
    def _reason_chosen(self, _place: int) -> None:
        own, chosen = self._verdict, str(self.reason.currentData() or "")
        if own is not None and not self._showing and chosen != own.reason_id:
            self.given.emit(own.verdict, own.reason, chosen)

    @Slot()
    def _sentence_written(self) -> None:
        own, sentence = self._verdict, self.sentence.text().strip()
        if own is not None and not self._showing and sentence != own.reason:
            self.given.emit(own.verdict, sentence, own.reason_id)
