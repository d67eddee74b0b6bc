"""Commands of the Review workspace."""

from __future__ import annotations

from functools import partial

from collector.model.i18n import N_
from studio.commands.command import Command
from studio.commands.keys import chord

_command = partial(Command, scope="review")
_OPEN, _SEVERAL = "review.open", "review.several"

REVIEW_COMMANDS = (
    Command(
        "review.open",
        N_("Open in Review"),
        N_("Show a trajectory beside the golden one and its baseline; the latest when none is named"),
        when="project.open",
        icon="review",
        menu="task/trajectory",
    ),
    _command(
        "review.first-divergence",
        N_("First divergence"),
        N_("Go to the first step where a trajectory differs from the reference"),
        shortcut=chord("Home"),
        when=_OPEN,
        icon="diff",
        menu="view/review-steps",
        toolbar="left",
    ),
    _command(
        "review.next-difference",
        N_("Next difference"),
        N_("Go to the next step where a trajectory differs from the reference"),
        shortcut=chord("N"),
        when=_SEVERAL,
        icon="chevr",
        menu="view/review-steps",
    ),
    _command(
        "review.previous-difference",
        N_("Previous difference"),
        N_("Go back to the step before where a trajectory differs from the reference"),
        shortcut=chord("Shift+N"),
        when=_SEVERAL,
        icon="chevl",
        menu="view/review-steps",
    ),
    _command(
        "review.previous-step",
        N_("Previous step"),
        shortcut=chord("Left"),
        when=_OPEN,
        icon="skipp",
        menu="view/review-steps",
    ),
    _command(
        "review.next-step",
        N_("Next step"),
        shortcut=chord("Right"),
        when=_OPEN,
        icon="skipn",
        menu="view/review-steps",
    ),
    _command(
        "review.ten-back",
        N_("Ten steps back"),
        shortcut=chord("Shift+Left"),
        when=_OPEN,
        menu="view/review-steps",
    ),
    _command(
        "review.ten-on",
        N_("Ten steps on"),
        shortcut=chord("Shift+Right"),
        when=_OPEN,
        menu="view/review-steps",
    ),
    _command(
        "review.last-step",
        N_("Last step"),
        shortcut=chord("End"),
        when=_OPEN,
        menu="view/review-steps",
    ),
    _command(
        "review.before",
        N_("Screens before the actions"),
        N_("Show each screen as it was, without marks"),
        shortcut=chord("B"),
        when=_OPEN,
        menu="view/review-screens",
    ),
    _command(
        "review.action",
        N_("Screens with the actions"),
        N_("Show each screen with what was touched on it"),
        shortcut=chord("E"),
        when=_OPEN,
        menu="view/review-screens",
    ),
    _command(
        "review.after",
        N_("Screens after the actions"),
        N_("Show the screen that each action led to"),
        shortcut=chord("F"),
        when=_OPEN,
        menu="view/review-screens",
    ),
    _command(
        "review.next-side",
        N_("Next trajectory"),
        N_("Choose the trajectory that verdict, node and differences are about"),
        shortcut=chord("Tab", "S"),
        when=_SEVERAL,
        icon="chevr",
        menu="view/review-screens",
    ),
    _command(
        "review.make-reference",
        N_("Compare with this one"),
        N_("Make the chosen trajectory the first, with which the others are compared"),
        shortcut=chord("Shift+A"),
        when="review.other",
        icon="flag",
        menu="task/review",
    ),
    _command(
        "review.edit",
        N_("Edit in Record"),
        N_("Open the chosen golden trajectory in Record, where its steps can be changed"),
        when="review.golden",
        icon="edit",
        menu="task/review",
    ),
    _command(
        "review.copy-link",
        N_("Copy link to this step"),
        N_("Copy a waymark:// link that opens these trajectories at this step"),
        shortcut=chord("Ctrl+Shift+L"),
        when=_OPEN,
        icon="copy",
        menu="task/review",
    ),
    _command(
        "review.copy-path",
        N_("Copy path"),
        N_("Copy the folder of the chosen trajectory"),
        when=_OPEN,
        icon="copy",
        menu="task/review",
    ),
    _command(
        "review.close-side",
        N_("Close this trajectory"),
        N_("Take the chosen trajectory away; the others stay"),
        shortcut=chord("Ctrl+W"),
        when=_OPEN,
        icon="x",
        menu="task/review",
    ),
    _command(
        "review.close",
        N_("Close all trajectories"),
        shortcut=chord("Ctrl+Shift+W"),
        when=_OPEN,
        icon="x",
        menu="task/review",
    ),
)
