"""Dialogs that ask before a project acts: for commands and hosts, and for each dangerous command."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from collector.anomalies.anomaly_source import TrustRequest
from collector.anomalies.trust.command_effects import CommandEffects
from collector.anomalies.trust.command_preview import CommandGroup
from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.controls import Label, surface
from studio.widgets.dialogs.dialog import Dialog

_LIST = QSize(600, 320)


class TrustDialog(Dialog):
    """Show every command as it would run, and all that would be sent; ``accepted`` agrees to all of it."""

    def __init__(self, request: TrustRequest, parent: QWidget) -> None:
        title, yes, sentence = _question(request)
        super().__init__(title, yes, parent, sentence=sentence, width=660)
        self.request = request
        self.yes.setDefault(False)
        self.yes.setAutoDefault(False)
        self.no.setDefault(True)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(14, 10, 14, 12)
        column.setSpacing(4)
        for group in request.groups:
            _add_group(column, group)
        column.addStretch(1)
        area = QScrollArea()
        area.setAccessibleName(_("Commands"))
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        frame = surface("card")
        under = QVBoxLayout(frame)
        under.setContentsMargins(1, 1, 1, 1)
        under.addWidget(area)
        frame.setMinimumSize(_LIST)
        self.body.addWidget(frame, 1)
        self.no.setFocus()


class DangerDialog(Dialog):
    """Show one command that destroys or interrupts something; ``accepted`` runs it once."""

    def __init__(self, effects: CommandEffects, parent: QWidget) -> None:
        super().__init__(
            _("Run this dangerous command?"),
            _("Run it this once"),
            parent,
            sentence=_("Commands like this are asked about each time, in a trusted project too."),
        )
        self.yes.setDefault(False)
        self.yes.setAutoDefault(False)
        self.no.setDefault(True)
        self.body.addWidget(_command(effects))
        self.body.addStretch(1)
        self.no.setFocus()


def _question(request: TrustRequest) -> tuple[str, str, str]:
    """The title of the dialog, its button, and the sentence that says what is asked."""
    of_commands = _(
        "{name} contains shell commands. None of them has run. Trust them only if you know where "
        "they come from. A command that changes later needs your trust again.",
        name=request.folder.name,
    )
    of_hosts = _(
        "Agents and judges of {name} show the phone's screen to models. Nothing has been sent. A host that "
        "you allow may be asked by every project.",
        name=request.folder.name,
    )
    if not request.transfers:
        return _("Let this project run its commands?"), _("Trust this project's commands"), of_commands
    if not request.commands:
        return _("Let this project send what the phone shows?"), _("Allow it"), of_hosts
    title = _("Let this project run its commands, and send what the phone shows?")
    return title, _("Trust and allow it"), f"{of_commands} {of_hosts}"


def _add_group(column: QVBoxLayout, group: CommandGroup) -> None:
    column.addWidget(Label(group.title, "heading", wrap=True))
    if group.description:
        column.addWidget(Label(group.description, "body", "text-2", wrap=True))
    for command in group.commands:
        column.addWidget(_command(command))
    column.addSpacing(10)


def _command(effects: CommandEffects) -> QFrame:
    """A command, and under it what it does to the phone."""
    frame = surface("")
    column = QVBoxLayout(frame)
    column.setContentsMargins(0, 4, 0, 4)
    column.setSpacing(2)
    text = Label(effects.command, "code", wrap=True)
    text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    column.addWidget(text)
    facts = effects_text(effects)
    if facts:
        column.addWidget(Label("  ·  ".join(facts), "caption", "text-2", wrap=True))
    if effects.danger:
        row = QHBoxLayout()
        row.setSpacing(6)
        icon = QLabel()
        icon.setPixmap(_warning(icon))
        row.addWidget(icon)
        row.addWidget(
            Label(_("dangerous: it {danger}", danger=effects.danger), "caption", "err", wrap=True), 1
        )
        column.addLayout(row)
    return frame


def effects_text(effects: CommandEffects) -> list[str]:
    """Describe what a command changes, one sentence part each."""
    named = (
        (_("app"), effects.packages),
        (_("setting"), effects.settings),
        (_("page"), effects.pages),
        (_("service"), effects.services),
    )
    return [f"{name} {', '.join(values)}" for name, values in named if values]


def _warning(label: QLabel) -> QPixmap:
    return theme.pixmap("state-err", 14, "text", label.devicePixelRatioF())
