"""Menu choices for the follow-up of an answer, and their translation to and from shell commands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from collector.anomalies.grammar import ADB, LOG
from collector.anomalies.model import FollowUp
from collector.anomalies.named_follow_ups import BACK, HOME, NAMED_COMMANDS, RESTART, STOP
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.i18n import N_, _

NOTHING, SHELL, PROGRESS = "nothing", "shell", "progress"
SETTINGS = "settings"
_SECONDS = 8


@dataclass(frozen=True, slots=True)
class FollowUpChoice:
    """A choice of the menu; choices with one ``section`` are shown in a submenu."""

    id: str
    title: str
    command: str = ""
    section: str = ""

    @property
    def label(self) -> str:
        """The title in the person's language."""
        return _(self.title)


_PAGES = {
    "wifi": N_("Open Wi-Fi settings"),
    "wireless": N_("Open network settings"),
    "data": N_("Open data usage"),
    "airplane": N_("Open airplane mode settings"),
    "bluetooth": N_("Open Bluetooth settings"),
    "battery": N_("Open battery saver"),
    "storage": N_("Open storage settings"),
    "app": N_("Open the app's own settings"),
    "notifications": N_("Open the app's notifications"),
    "location": N_("Open location settings"),
    "privacy": N_("Open privacy settings"),
    "display": N_("Open display settings"),
    "sound": N_("Open sound settings"),
    "date": N_("Open date and time settings"),
    "all": N_("Open the settings"),
}
CHOICES = (
    *(FollowUpChoice(name, title, NAMED_COMMANDS[name], SETTINGS) for name, title in _PAGES.items()),
    FollowUpChoice(STOP, N_("Stop the app"), NAMED_COMMANDS[STOP]),
    FollowUpChoice(RESTART, N_("Restart the app"), NAMED_COMMANDS[RESTART]),
    FollowUpChoice(BACK, N_("Press back"), NAMED_COMMANDS[BACK]),
    FollowUpChoice(HOME, N_("Go to the home screen"), NAMED_COMMANDS[HOME]),
    FollowUpChoice(PROGRESS, N_("Show a progress page")),
    FollowUpChoice(NOTHING, N_("Nothing, only log it")),
    FollowUpChoice(SHELL, N_("Shell command")),
)
_BY_ID = {choice.id: choice for choice in CHOICES}
_BY_COMMAND = {choice.command: choice.id for choice in CHOICES if choice.command}
_PROGRESS = re.compile(
    rf"am start -n {re.escape(COMPANION_PACKAGE)}/(?:{re.escape(COMPANION_PACKAGE)})?\.ProgressActivity"
    r" --ei param_duration_seconds (\d{1,4})"
)


@dataclass(frozen=True, slots=True)
class NamedFollowUp:
    """A follow-up with its choice of the menu; ``seconds`` is the duration of a progress page."""

    choice: str
    text: str = ""
    """The command, or the message of the log."""
    seconds: int = _SECONDS
    description: str = ""

    @property
    def label(self) -> str:
        return _BY_ID[self.choice].label


def named_follow_up(written: FollowUp) -> NamedFollowUp:
    """The choice for a follow-up of a library; an unknown command is the choice shell command."""
    if written.command is None:
        return NamedFollowUp(NOTHING, written.message, description=written.description)
    text = " ".join(written.command.text.split())
    text = re.sub(r"['\"]?package:\{package\}['\"]?", "package:{package}", text)
    if progress := _PROGRESS.fullmatch(text):
        return NamedFollowUp(PROGRESS, written.command.text, int(progress[1]), written.description)
    known = _BY_COMMAND.get(text, SHELL)
    return NamedFollowUp(known, written.command.text, description=written.description)


def chosen_follow_up(choice: str, text: str = "", seconds: int = _SECONDS) -> NamedFollowUp:
    """The follow-up for a choice; ``text`` is the command of a shell command, or the message of the log."""
    if choice == PROGRESS:
        command = f"am start -n {COMPANION_PACKAGE}/.ProgressActivity --ei param_duration_seconds {seconds}"
        return NamedFollowUp(choice, command, seconds)
    if choice in (NOTHING, SHELL):
        return NamedFollowUp(choice, text)
    return NamedFollowUp(choice, _BY_ID[choice].command)


def plain_follow_ups(follow_ups: Sequence[NamedFollowUp]) -> list[Mapping[str, Any]]:
    """The list in the form of the library file, without empty commands."""
    plain: list[Mapping[str, Any]] = []
    for follow_up in follow_ups:
        description = {"description": follow_up.description} if follow_up.description else {}
        if follow_up.choice == NOTHING:
            plain.append({"type": LOG, "message": follow_up.text or _("The task goes on"), **description})
        elif follow_up.text.strip():
            plain.append({"type": ADB, "command": follow_up.text, **description})
    return plain
