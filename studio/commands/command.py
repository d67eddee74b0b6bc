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

SUBMENUS = {
    "file/samples": N_("Sample projects"),
    "view/workspace": N_("Workspace"),
    "view/panels": N_("Panels"),
    "view/review-steps": N_("Steps"),
    "view/review-screens": N_("Screens"),
    "view/review-play": N_("Playback"),
    "view/review-tabs": N_("Panels"),
    "view/review-timeline": N_("Timeline"),
    "view/review-differences": N_("Differences"),
    "view/metrics-copy": N_("Copy"),
    "view/metrics-number": N_("Episodes"),
    "device/phones": N_("Phones"),
    "run/file": N_("Experiment"),
    "task/trajectory": N_("Trajectory"),
    "task/reset": N_("Reset"),
    "task/reset-before": N_("Reset"),
    "task/step": N_("Step"),
    "task/rehearsal": N_("Rehearsal"),
    "task/anomalies": N_("Anomaly"),
    "task/proposals": N_("Proposals"),
    "task/definition": N_("Definition"),
    "task/audit": N_("Audit"),
    "task/labels": N_("Label"),
    "task/labels-verdict": N_("Label"),
    "task/review-verdict": N_("Verdict"),
    "task/review-decide": N_("Approval"),
}
"""Groups of commands with a menu of their own, so that no menu is higher than a small screen."""


@dataclass(frozen=True)
class Command:
    """One row of a command table.

    ``menu`` is ``name/group``; a line separates two groups, and the order is that of the table.
    ``toolbar`` is the place of the button in the toolbar of the workspace: ``often`` for the few at the left
    that keep their words at every width, ``left`` and ``right`` for those that go into a menu where there is
    no room, ``primary`` for the one filled button. ``when`` is a when-clause on the context.
    """

    id: str
    title: str
    tooltip: str = ""
    scope: str = GLOBAL
    also_in: tuple[str, ...] = ()
    """Other workspaces whose menus offer it. Its keys work in its own alone: there they mean other things."""
    shortcut: Shortcut | None = None
    when: str = ""
    icon: str = ""
    menu: str = ""
    toolbar: str = ""
    palette: bool = True
    explains: bool = False
    """Whether its key says why it cannot be run now, where keys of other commands do nothing."""

    @property
    def label(self) -> str:
        """The title in the person's language."""
        return _(self.title)

    def works_in(self, scope: str) -> bool:
        """Whether it can be run in a workspace, by a menu at least."""
        return self.scope in (GLOBAL, scope) or scope in self.also_in

    def has_keys_in(self, scope: str) -> bool:
        """Whether its keys work in a workspace."""
        return self.scope in (GLOBAL, scope)

    @property
    def scope_label(self) -> str:
        return _(SCOPES[self.scope])

    @property
    def help(self) -> str:
        """The tooltip in the person's language, or the title where there is none."""
        return _(self.tooltip) if self.tooltip else self.label
