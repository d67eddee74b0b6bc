"""Commands of the Project workspace."""

from __future__ import annotations

from functools import partial

from collector.model.i18n import N_
from studio.commands.command import Command
from studio.commands.keys import chord

_command = partial(Command, scope="project")

_TRAJECTORY = "(workspace.project and trajectory.selected) or (workspace.record and trajectory.stored)"
_CHANGES_TRAJECTORY = f"({_TRAJECTORY}) and not project.read-only"
"""A trajectory is selected in Project, or open in Record."""
_RENAMES_TRAJECTORY = (
    "((workspace.project and trajectory.selected and not run.selected)"
    " or (workspace.record and trajectory.stored)) and not project.read-only"
)
"""A trajectory as above, and no run: the id of a run names its cell."""

PROJECT_COMMANDS = (
    _command(
        "task.new",
        N_("New task"),
        N_("Add a task to the project"),
        shortcut=chord("N"),
        when="project.open and not project.read-only",
        icon="plus",
        menu="task/edit",
        toolbar="often",
    ),
    Command(
        "task.add-built-in",
        N_("Add built-in tasks..."),
        N_("Add tasks that come with the studio, and longer ones made of them"),
        when="project.open and not project.read-only",
        icon="list",
        menu="task/edit",
    ),
    _command(
        "task.record",
        N_("Record"),
        N_("Start recording a golden trajectory of the selected task"),
        shortcut=chord("R"),
        when="task.selected and not project.read-only",
        icon="record",
        menu="task/edit",
        toolbar="often",
    ),
    _command(
        "task.edit",
        N_("Edit task"),
        N_("Change the selected task"),
        shortcut=chord("F2"),
        when="task.selected and not project.read-only",
        icon="edit",
        menu="task/edit",
    ),
    _command(
        "task.duplicate",
        N_("Duplicate task"),
        N_("Add a copy of the selected task behind it"),
        shortcut=chord("Ctrl+D"),
        when="task.selected and not project.read-only",
        icon="copy",
        menu="task/edit",
    ),
    _command(
        "task.delete",
        N_("Delete task"),
        N_("Remove the selected tasks; undo brings them back"),
        shortcut=chord("Del"),
        when="task.selected and not project.read-only",
        icon="trash",
        menu="task/edit",
    ),
    _command(
        "trajectory.open",
        N_("Open trajectory"),
        N_("Step through the selected trajectory, or the newest one of the selected task"),
        shortcut=chord("Enter"),
        when="trajectory.selected or task.selected",
        icon="review",
        menu="task/trajectory",
        toolbar="often",
    ),
    Command(
        "trajectory.rename",
        N_("Rename trajectory..."),
        N_("Give the trajectory another id, which names its folder, too"),
        when=_RENAMES_TRAJECTORY,
        icon="edit",
        menu="task/trajectory",
    ),
    Command(
        "trajectory.duplicate",
        N_("Duplicate trajectory"),
        N_("Add a copy with all its files"),
        when=_RENAMES_TRAJECTORY,
        icon="copy",
        menu="task/trajectory",
    ),
    Command(
        "trajectory.delete",
        N_("Delete trajectory"),
        N_("Move the trajectory to the project's trash; undo brings it back"),
        when=_CHANGES_TRAJECTORY,
        icon="trash",
        menu="task/trajectory",
    ),
    Command(
        "trajectory.show-folder",
        N_("Open the folder"),
        N_("Show the files of the trajectory"),
        when=_TRAJECTORY,
        icon="project",
        menu="task/trajectory",
    ),
    Command(
        "trajectory.practise",
        N_("Practise on this"),
        N_("Start a virtual phone that plays the trajectory: recorded actions lead where they led"),
        when=f"({_TRAJECTORY}) and not virtual.starting",
        icon="play",
        menu="task/trajectory",
    ),
    _command(
        "project.check",
        N_("Check project"),
        N_("Verify hashes, references and layout"),
        shortcut=chord("F5"),
        when="project.open",
        icon="check",
        menu="task/project",
        toolbar="often",
    ),
    _command(
        "project.health",
        N_("Health of the project"),
        N_("See which tasks, states, anomalies and judges tell nothing, and which successes look wrong"),
        when="project.open",
        icon="heat",
        menu="task/project",
    ),
    Command(
        "project.redaction",
        N_("Redaction rules..."),
        N_("See what the rules of the project hide, apply them to what was recorded, and search all files"),
        when="project.open",
        icon="redact",
        menu="file/project",
    ),
    Command(
        "findings.next",
        N_("Next finding"),
        N_("Go to the next problem of the project; without any, check the project first"),
        shortcut=chord("F8"),
        when="project.open",
        icon="skipn",
        menu="view/findings",
    ),
    Command(
        "findings.previous",
        N_("Previous finding"),
        N_("Go to the problem before"),
        shortcut=chord("Shift+F8"),
        when="project.open",
        icon="skipp",
        menu="view/findings",
    ),
    Command(
        "findings.show",
        N_("All findings"),
        N_("Show what is wrong in the project: files, rules, tasks and trajectories"),
        when="project.open",
        icon="list",
        menu="view/findings",
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
