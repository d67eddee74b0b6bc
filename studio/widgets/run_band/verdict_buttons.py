"""The buttons of a person's verdict on a run: success, failure, uncompleted, and the reason."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from collector.model.episode_text import verdict_text
from collector.model.i18n import _
from collector.model.judgement import FAILURE, SUCCESS, UNCOMPLETED, Judgement
from studio.commands.commander import Commander
from studio.widgets.command_button import CommandFace
from studio.widgets.controls import Button, Label
from studio.widgets.verdict_text import verdict_icon

JUDGE_COMMANDS = {
    SUCCESS: "record.judge-success",
    FAILURE: "record.judge-failure",
    UNCOMPLETED: "record.judge-uncompleted",
}
REASON_COMMAND = "record.judge-reason"


class VerdictButtons(QWidget):
    """One button a verdict, its icon and key; the one that was given is checked and has its word, too."""

    def __init__(self, commander: Commander, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._commander = commander
        self.setAccessibleName(_("Your verdict"))
        self._title = Label(_("Your verdict"), "caption", "text-2")
        self.buttons: dict[str, Button] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(self._title)
        row.addSpacing(6)
        for verdict, command in JUDGE_COMMANDS.items():
            text = verdict_text(verdict).capitalize()
            self.buttons[verdict] = self._button(command, text, verdict_icon(verdict))
            row.addWidget(self.buttons[verdict])
        self.reason = self._button(REASON_COMMAND, _("Reason..."), "note")
        self.reason.set_compact(True)
        row.addWidget(self.reason)
        self.show_verdict(None)

    def _button(self, command_id: str, text: str, icon: str) -> Button:
        button = Button(text, icon, small=True)
        button.setCheckable(command_id != REASON_COMMAND)
        button.setProperty("command", command_id)
        button.clicked.connect(self._run)
        CommandFace(button, self._commander, command_id)
        return button

    def _run(self) -> None:
        button = self.sender()
        assert isinstance(button, Button)
        if button.isCheckable():
            button.setChecked(not button.isChecked())  # it is checked once the verdict is on the disk
        self._commander.run(button.property("command"))

    def show_verdict(self, own: Judgement | None) -> None:
        """Check the button of the verdict that was given."""
        for verdict, button in self.buttons.items():
            is_given = own is not None and own.verdict == verdict
            button.setChecked(is_given)
            button.set_compact(not is_given)
        self.setAccessibleDescription(own.reason if own is not None else "")

    def set_title_shown(self, shown: bool) -> None:
        """Leave out the title where there is no room."""
        self._title.setVisible(shown)
