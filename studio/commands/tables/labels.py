"""Commands of the tab *Labels* of the States workspace. They own the keys 1 to 9 while it is on show."""

from __future__ import annotations

from functools import partial

from collector.model.i18n import N_
from studio.commands.command import Command
from studio.commands.keys import chord
from studio.commands.tables.verdicts import VERDICT_COMMANDS

_command = partial(Command, scope="states")
LABELLING = "states.labelling"
_WHEN = f"{LABELLING} and not project.read-only"

_VERDICTS = "task/labels-verdict"
_NUMBERED = (
    N_("Label essential state 1 here"),
    N_("Label essential state 2 here"),
    N_("Label essential state 3 here"),
    N_("Label essential state 4 here"),
    N_("Label essential state 5 here"),
    N_("Label essential state 6 here"),
    N_("Label essential state 7 here"),
    N_("Label essential state 8 here"),
    N_("Label essential state 9 here"),
)

LABEL_COMMANDS = (
    _command(
        "states.show-labels",
        N_("Label trajectories"),
        N_("Say which essential states a trajectory reaches, and whether it did its task"),
        shortcut=chord("Shift+L"),
        when="states.task",
        icon="flag",
        menu="task/labels",
        toolbar="often",
    ),
    *(
        _command(
            f"labels.state-{number}",
            title,
            N_("The trajectory reaches this essential state at the step in front; again takes it back"),
            shortcut=chord(str(number)),
            when=_WHEN,
            palette=False,
        )
        for number, title in enumerate(_NUMBERED, start=1)
    ),
    _command(
        "labels.state-chosen",
        N_("Label the chosen essential state here"),
        N_("For more than nine: choose one with the arrows. It is reached at the step in front"),
        shortcut=chord("Space"),
        when=_WHEN,
        icon="flag",
        menu="task/labels",
    ),
    _command(
        "labels.not-reached",
        N_("Essential state not reached"),
        N_("The trajectory never reaches the chosen essential state; again takes it back"),
        shortcut=chord("X"),
        when=_WHEN,
        icon="x",
        menu="task/labels",
    ),
    _command(
        "labels.rest-not-reached",
        N_("Rest not reached"),
        N_("The trajectory reaches none of the essential states that have no label"),
        shortcut=chord("Shift+X"),
        when=_WHEN,
        menu="task/labels",
    ),
    *(
        _command(
            f"labels.judge-{verdict}",
            title,
            tip,
            shortcut=chord(f"Shift+{key}"),
            when=_WHEN,
            icon=icon,
            menu=_VERDICTS,
        )
        for (verdict, icon, title, tip), key in zip(VERDICT_COMMANDS, "SFUD", strict=True)
    ),
    _command(
        "labels.reason",
        N_("Reason..."),
        N_("Choose why the trajectory failed"),
        shortcut=chord("Shift+R"),
        when=_WHEN,
        icon="list",
        menu=_VERDICTS,
    ),
    _command(
        "labels.edit-reasons",
        N_("Edit reasons..."),
        N_("Add, rename, move and remove the reasons that people choose from in this project"),
        when="project.open and not project.read-only",
        icon="edit",
        menu=_VERDICTS,
    ),
    _command(
        "labels.comment",
        N_("Comment..."),
        N_("Write a comment on this step, or on a node of its screen"),
        shortcut=chord("Shift+C"),
        when=_WHEN,
        icon="note",
        menu=_VERDICTS,
    ),
    _command(
        "labels.submit",
        N_("Submit labels"),
        N_("Your labels of this trajectory are complete: go to the next one. Then others' labels are shown"),
        shortcut=chord("Ctrl+Enter"),
        when=_WHEN,
        icon="check",
        menu="task/labels",
    ),
    _command(
        "labels.next",
        N_("Next to label"),
        N_("Go to the next trajectory of the task whose labels you have not submitted"),
        shortcut=chord("Shift+N"),
        when=LABELLING,
        icon="skipn",
        menu="task/labels",
    ),
    _command(
        "states.show-agreement",
        N_("Agreement"),
        N_("How far people and judges agree, and where they do not"),
        shortcut=chord("Shift+A"),
        when="states.task",
        icon="metrics",
        menu="task/labels",
    ),
)
