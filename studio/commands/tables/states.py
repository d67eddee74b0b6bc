"""Commands of the States workspace."""

from __future__ import annotations

from functools import partial

from collector.model.i18n import N_
from studio.commands.command import Command
from studio.commands.keys import chord

_command = partial(Command, scope="states")

STATES_COMMANDS = (
    _command(
        "states.new",
        N_("New milestone"),
        N_("Add an essential state to the task, reached at the step in front"),
        shortcut=chord("N"),
        when="states.task and not project.read-only",
        icon="plus",
        menu="task/states",
        toolbar="left",
    ),
    _command(
        "states.suggest",
        N_("Suggest"),
        N_("Propose essential states from the golden trajectories and from the success rule"),
        shortcut=chord("G"),
        when="states.recorded and not project.read-only",
        icon="bulb",
        menu="task/states",
        toolbar="left",
    ),
    _command(
        "states.compare",
        N_("Compare operators"),
        N_("Show the proposals of two operators side by side"),
        shortcut=chord("C"),
        when="states.task",
        icon="split",
        menu="task/agreement",
        toolbar="left",
    ),
    _command(
        "states.audit",
        N_("Audit"),
        N_("Check visual verifiability, criticality and sufficiency of each state"),
        shortcut=chord("A"),
        when="states.task",
        icon="check",
        menu="task/agreement",
        toolbar="left",
    ),
    _command(
        "states.check",
        N_("Check all goldens"),
        N_("Judge the golden trajectories of this task by its rules"),
        shortcut=chord("F5"),
        when="states.recorded",
        icon="refresh",
        menu="task/agreement",
        toolbar="left",
    ),
    _command(
        "states.choose-task",
        N_("Choose the task..."),
        N_("Show the essential states of another task"),
        shortcut=chord("T"),
        when="states.task",
        icon="list",
        menu="view/states",
    ),
    _command(
        "states.send-to-audit",
        N_("Send to audit"),
        N_("Write what both operators agreed on, and hand it to an auditor"),
        shortcut=chord("Ctrl+Enter"),
        when="states.task and not project.read-only",
        icon="check",
        menu="task/agreement",
        toolbar="primary",
    ),
)
