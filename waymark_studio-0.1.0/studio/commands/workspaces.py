"""The workspaces of the window: one row each. The rail, menus, palette and keys follow this table.

To add a workspace, add its row here and write the class that the row names.
"""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.i18n import N_, _


@dataclass(frozen=True)
class WorkspaceEntry:
    """One workspace. Its id is also the name of its icon and the scope of its commands."""

    id: str
    title: str
    go_to: str = ""
    """Title of the command that brings it to the front."""
    tooltip: str = ""
    widget: str = ""
    """``module:class`` of the widget, imported when it is built; empty for one not in this version."""
    lazy: bool = False
    """Build it when it first comes to the front, because its imports would slow the start."""

    @property
    def label(self) -> str:
        """The title in the person's language."""
        return _(self.title)

    @property
    def key(self) -> str:
        """The chord that brings it to the front: ``Ctrl`` and its place in the table."""
        return f"Ctrl+{WORKSPACES.index(self) + 1}"

    @property
    def command(self) -> str:
        """Id of the command that brings it to the front."""
        return f"view.{self.id}"


WORKSPACES = (
    WorkspaceEntry(
        "project",
        N_("Project"),
        N_("Go to Project"),
        N_("Tasks, problems and devices"),
        "studio.views.project.workspace:ProjectWorkspace",
    ),
    WorkspaceEntry(
        "record",
        N_("Record"),
        N_("Go to Record"),
        N_("Record golden trajectories"),
        "studio.views.record.workspace:RecordWorkspace",
    ),
    WorkspaceEntry(
        "rules",
        N_("Rules"),
        N_("Go to Rules"),
        N_("Author rules by clicking, proved on everything recorded"),
        "studio.views.rules.workspace:RulesWorkspace",
        lazy=True,
    ),
    WorkspaceEntry(
        "states",
        N_("States"),
        N_("Go to States"),
        N_("Essential states over what was recorded, agreed on by people"),
        "studio.views.states.workspace:StatesWorkspace",
        lazy=True,
    ),
    WorkspaceEntry(
        "run",
        N_("Run"),
        N_("Go to Run"),
        N_("Run agents on tasks, with and without anomalies, and watch them"),
        "studio.views.run.workspace:RunWorkspace",
        lazy=True,
    ),
    WorkspaceEntry(
        "review",
        N_("Review"),
        N_("Go to Review"),
        N_("Golden, baseline and interrupted runs side by side on one timeline"),
        "studio.views.review.workspace:ReviewWorkspace",
        lazy=True,
    ),
    WorkspaceEntry(
        "metrics",
        N_("Metrics"),
        N_("Go to Metrics"),
        N_("The papers' numbers, with intervals, pairs and the episodes behind each"),
        "studio.views.metrics.workspace:MetricsWorkspace",
        lazy=True,
    ),
)
"""Every workspace, in the order of the rail."""
AVAILABLE_WORKSPACES = tuple(entry for entry in WORKSPACES if entry.widget)
