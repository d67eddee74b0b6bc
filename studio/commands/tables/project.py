"""Commands of the Project workspace."""

from __future__ import annotations

from functools import partial

from collector.model.i18n import N_
from studio.commands.command import Command
from studio.commands.keys import chord

_command = partial(Command, scope="project")

PROJECT_COMMANDS = (
    _command(
        "task.new",
        N_("New task"),
        N_("Add a task to the project"),
        shortcut=chord("N"),
        when="project.open",
        icon="plus",
        menu="task/edit",
        toolbar="left",
    ),
    _command(
        "task.record",
        N_("Record"),
        N_("Record a golden trajectory of the selected task"),
        shortcut=chord("R"),
        when="task.selected",
        icon="record",
        menu="task/edit",
        toolbar="left",
    ),
    _command(
        "task.edit",
        N_("Edit task"),
        N_("Change the selected task"),
        shortcut=chord("F2"),
        when="task.selected",
        icon="edit",
        menu="task/edit",
    ),
    _command(
        "task.delete",
        N_("Delete task"),
        N_("Remove the selected tasks; undo brings them back"),
        shortcut=chord("Del"),
        when="task.selected",
        icon="trash",
        menu="task/edit",
    ),
    _command(
        "trajectory.open",
        N_("Open trajectory"),
        N_("Step through the selected trajectory"),
        shortcut=chord("Enter"),
        when="trajectory.selected",
        icon="review",
        menu="task/trajectory",
        toolbar="left",
    ),
    _command(
        "project.check",
        N_("Check project"),
        N_("Verify hashes, references and layout"),
        shortcut=chord("F5"),
        when="project.open",
        icon="check",
        menu="task/project",
        toolbar="left",
    ),
    _command(
        "project.solvability",
        N_("Solvability..."),
        N_("Replay golden trajectories under anomalies, and see which tasks stop being solvable and where"),
        shortcut=chord("Shift+F5"),
        when="project.open and not solvability.running",
        icon="table",
        menu="task/project",
    ),
    Command(
        "project.solvability-cancel",
        N_("Cancel the solvability check"),
        N_("End it, set the phone right and keep what was found"),
        when="solvability.running",
        icon="x",
        menu="task/project",
    ),
    _command(
        "project.find",
        N_("Find tasks"),
        N_("Search with words and key:value"),
        shortcut=chord("Ctrl+F"),
        when="project.open",
        icon="search",
        menu="edit/find",
    ),
)
