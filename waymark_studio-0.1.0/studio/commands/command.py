"""A command: its title, place in menus and toolbar, keys and when-clause."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.i18n import N_, _
from studio.commands.keys import Shortcut
from studio.commands.workspaces import AVAILABLE_WORKSPACES

GLOBAL = "global"
# Scopes in which a command may be run: everywhere, or in one workspace.
SCOPES = {GLOBAL: N_("Studio")} | {entry.id: entry.title for entry in AVAILABLE_WORKSPACES}
MENUS = {
    "file": N_("File"),
    "edit": N_("Edit"),
    "view": N_("View"),
    "device": N_("Device"),
    "task": N_("Task"),
    "run": N_("Run"),
    "help": N_("Help"),
}


@dataclass(frozen=True)
class Command:
    """One row of a command table.

    ``menu`` is ``name/group``; a line separates two groups, and the order is that of the table.
    ``toolbar`` is the place of the button in the toolbar of the workspace: ``left``, ``right``
    or ``primary`` (the one filled button). ``when`` is a when-clause on the context.
    """

    id: str
    title: str
    tooltip: str = ""
    scope: str = GLOBAL
    shortcut: Shortcut | None = None
    when: str = ""
    icon: str = ""
    menu: str = ""
    toolbar: str = ""
    palette: bool = True

    @property
    def label(self) -> str:
        """The title in the person's language."""
        return _(self.title)

    @property
    def scope_label(self) -> str:
        return _(SCOPES[self.scope])

    @property
    def help(self) -> str:
        """The tooltip in the person's language, or the title where there is none."""
        return _(self.tooltip) if self.tooltip else self.label
