"""Commands that edit the steps of a golden trajectory, and whole trajectories."""

from __future__ import annotations

from functools import partial

from collector.model.i18n import N_
from studio.commands.command import Command
from studio.commands.keys import chord

_command = partial(Command, scope="record")

_RECORDED = "step.selected and not project.read-only"
_EDITABLE = "edit.step and not project.read-only"
_STORED = "edit.stored and not project.read-only"
_anywhere = partial(_command, also_in=("states", "review"))
"""Commands that act on the step on show in Record, States and Review alike."""

EDIT_COMMANDS = (
    _command(
        "step.rerecord",
        N_("Re-record step"),
        N_("The next action takes the place of the selected step"),
        shortcut=chord("Shift+R"),
        when=f"{_RECORDED} and device.live",
        icon="refresh",
        menu="task/step",
    ),
    _command(
        "step.cancel-rerecord",
        N_("Cancel re-recording"),
        N_("The next action goes to the end again; the step stays as it is"),
        shortcut=chord("Ctrl+Shift+R", "Esc"),
        when="rerecord.armed",
        icon="x",
        menu="task/step",
        toolbar="often",
    ),
    _command(
        "step.insert",
        N_("Record steps before it"),
        N_("The next actions come before the selected step"),
        shortcut=chord("Ins"),
        when=f"{_RECORDED} and device.live",
        icon="plus",
        menu="task/step",
    ),
    _command(
        "step.stop-insert",
        N_("Stop inserting"),
        N_("The next action goes to the end again; a trajectory that was finished is closed as it is now"),
        shortcut=chord("Ctrl+Shift+Ins"),
        when="insert.armed",
        icon="check",
        menu="task/step",
        toolbar="often",
    ),
    _command(
        "step.rerecord-rest",
        N_("Re-record from here"),
        N_("Delete the step and all after it, and bring the phone to where they began; undo restores them"),
        when=f"{_RECORDED} and device.live",
        icon="record",
        menu="task/step",
    ),
    _anywhere(
        "step.replace-state",
        N_("Replace the screen..."),
        N_("Give the selected step the screen that the phone shows; its action stays"),
        when=f"{_STORED} and device.live",
        icon="camera",
        menu="task/step",
    ),
    _command(
        "step.hide",
        N_("Hide this..."),
        N_("Hide a place of the screen or a node: here, in the trajectory, or by a rule of the project"),
        when=f"(({_STORED}) or (device.live and not trajectory.stored)) and not project.read-only",
        icon="redact",
        menu="task/step",
    ),
    _anywhere(
        "step.insert-from",
        N_("Insert steps of another trajectory..."),
        N_("Steps of a trajectory that you choose come before the selected one"),
        when=_STORED,
        icon="plus",
        menu="task/step",
    ),
    _anywhere(
        "step.delete",
        N_("Delete step"),
        N_("Remove the selected step; undo brings it back"),
        shortcut=chord("Del"),
        when=_EDITABLE,
        icon="trash",
        menu="task/step",
    ),
    _anywhere(
        "step.delete-before",
        N_("Drop the steps before"),
        N_("Keep the selected step and all after it"),
        when=_EDITABLE,
        icon="cut",
        menu="task/step",
    ),
    _anywhere(
        "step.delete-after",
        N_("Drop the steps after"),
        N_("Keep the selected step and all before it"),
        when=_EDITABLE,
        icon="cut",
        menu="task/step",
    ),
    _anywhere(
        "trajectory.split",
        N_("Split here..."),
        N_("Make two trajectories: the second begins with the selected step"),
        when=_STORED,
        icon="split",
        menu="task/trajectory",
    ),
    _anywhere(
        "trajectory.join",
        N_("Join with another..."),
        N_("Make one trajectory: the steps of another follow"),
        when=_STORED,
        icon="link",
        menu="task/trajectory",
    ),
    _anywhere(
        "trajectory.history",
        N_("Edits of the trajectory..."),
        N_("Who edited what and when, with the steps before and after"),
        when="edit.stored",
        icon="clock",
        menu="task/trajectory",
    ),
)
