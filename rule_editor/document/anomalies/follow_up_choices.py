"""What can follow an answer, as a menu has it: a choice is written as commands, and known again in them."""

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
    """An entry of the menu; ``section`` gathers the pages of the settings in a menu of their own."""

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
_BY_ID = {one.id: one for one in CHOICES}
_BY_COMMAND = {one.command: one.id for one in CHOICES if one.command}
_PROGRESS = re.compile(
    rf"am start -n {re.escape(COMPANION_PACKAGE)}/(?:{re.escape(COMPANION_PACKAGE)})?\.ProgressActivity"
    r" --ei param_duration_seconds (\d{1,4})"
)


@dataclass(frozen=True, slots=True)
class NamedFollowUp:
    """One thing that follows, as the menu calls it; ``seconds`` are of a progress page."""

    choice: str
    text: str = ""
    """The command as it is written, or the message of the log."""
    seconds: int = _SECONDS
    description: str = ""

    @property
    def label(self) -> str:
        return _BY_ID[self.choice].label


def recognised(written: FollowUp) -> NamedFollowUp:
    """What a follow-up of a library is called; a command nobody knows is a shell command."""
    if written.command is None:
        return NamedFollowUp(NOTHING, written.message, description=written.description)
    text = " ".join(written.command.text.split())
    text = re.sub(r"['\"]?package:\{package\}['\"]?", "package:{package}", text)
    if progress := _PROGRESS.fullmatch(text):
        return NamedFollowUp(PROGRESS, written.command.text, int(progress[1]), written.description)
    known = _BY_COMMAND.get(text, SHELL)
    return NamedFollowUp(known, written.command.text, description=written.description)


def chosen(choice: str, text: str = "", seconds: int = _SECONDS) -> NamedFollowUp:
    """What an entry of the menu stands for; ``text`` is the command of a shell command, or the message."""
    if choice == PROGRESS:
        command = f"am start -n {COMPANION_PACKAGE}/.ProgressActivity --ei param_duration_seconds {seconds}"
        return NamedFollowUp(choice, command, seconds)
    if choice in (NOTHING, SHELL):
        return NamedFollowUp(choice, text)
    return NamedFollowUp(choice, _BY_ID[choice].command)


def plain_of(following: Sequence[NamedFollowUp]) -> list[Mapping[str, Any]]:
    """The list as its file holds it. What says nothing yet is left out."""
    made: list[Mapping[str, Any]] = []
    for one in following:
        told = {"description": one.description} if one.description else {}
        if one.choice == NOTHING:
            made.append({"type": LOG, "message": one.text or _("The task goes on"), **told})
        elif one.text.strip():
            made.append({"type": ADB, "command": one.text, **told})
    return made
