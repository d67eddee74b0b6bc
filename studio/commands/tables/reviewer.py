"""Commands of Review that say what a person thinks of a trajectory, and those of its queues."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from collector.model.i18n import N_
from collector.model.verdicts.judgement import STEP, VERDICTS
from studio.commands.command import Command
from studio.commands.keys import chord
from studio.commands.tables.verdicts import VERDICT_COMMANDS

_command = partial(Command, scope="review")
_CAN_JUDGE = "review.open and not project.read-only"
_JUDGED = "review.open and review.judged and not project.read-only"
_REASON_TITLES = (
    N_("First reason"), N_("Second reason"), N_("Third reason"), N_("Fourth reason"), N_("Fifth reason"),
    N_("Sixth reason"),
)  # fmt: skip
_REACHED = (
    N_("Essential state 1 reached here"), N_("Essential state 2 reached here"),
    N_("Essential state 3 reached here"), N_("Essential state 4 reached here"),
    N_("Essential state 5 reached here"), N_("Essential state 6 reached here"),
    N_("Essential state 7 reached here"), N_("Essential state 8 reached here"),
    N_("Essential state 9 reached here"),
)  # fmt: skip
_MISSED = (
    N_("Essential state 1 missed"), N_("Essential state 2 missed"), N_("Essential state 3 missed"),
    N_("Essential state 4 missed"), N_("Essential state 5 missed"), N_("Essential state 6 missed"),
    N_("Essential state 7 missed"), N_("Essential state 8 missed"), N_("Essential state 9 missed"),
)  # fmt: skip

_STEP_TITLES = (
    N_("The step is right"), N_("The step takes the wrong element"), N_("The step is the wrong action"),
    N_("The step acts on what is not there"), N_("The step is needless"), N_("The step is risky"),
    N_("The step cannot be judged"),
)  # fmt: skip

TABS: Mapping[str, str] = {
    "verdict": N_("Tab Verdict"),
    "comments": N_("Tab Comments"),
    "step": N_("Tab Step"),
    "differences": N_("Tab Diffs"),
    "node": N_("Tab Node"),
    "trace": N_("Tab Trace"),
}
"""Name -> title of the command that shows a tab of the panel at the right, in the order of the tabs."""

REVIEWER_COMMANDS = (
    *(
        _command(
            f"review.judge-{verdict}",
            title,
            tip,
            shortcut=chord(key),
            when=_CAN_JUDGE,
            icon=icon,
            menu="task/review-verdict",
        )
        for (verdict, icon, title, tip), key in zip(VERDICT_COMMANDS, "1230", strict=True)
    ),
    *(
        _command(
            f"review.reason-{place}",
            title,
            N_("Give your verdict this reason of the project; again takes it back"),
            shortcut=chord(str(place + 3)),
            when=_JUDGED,
            palette=False,
            explains=True,
        )
        for place, title in enumerate(_REASON_TITLES, start=1)
    ),
    _command(
        "review.confirm",
        N_("Confirm the automatic verdict"),
        N_("Give the verdict of the rules, or of the models that agree"),
        shortcut=chord("Enter"),
        when=_CAN_JUDGE,
        icon="check",
        menu="task/review-verdict",
    ),
    _command(
        "review.write-reason",
        N_("Write why..."),
        N_("Write the sentence of your verdict"),
        shortcut=chord("W"),
        when=_JUDGED,
        icon="note",
        explains=True,
        menu="task/review-verdict",
    ),
    _command(
        "review.comment",
        N_("Pin comment..."),
        N_("Write a comment on this step, or on the node that is selected"),
        shortcut=chord("M"),
        when=_CAN_JUDGE,
        icon="pin",
        menu="task/review-verdict",
    ),
    _command(
        "review.judge-step",
        N_("Judge the step..."),
        N_("Say whether this step was right, and what would have been right instead"),
        shortcut=chord("Shift+M"),
        when=_CAN_JUDGE,
        icon="target",
        menu="task/review-verdict",
    ),
    *(
        _command(
            f"review.step-{verdict}",
            title,
            N_("Say it of the step at the cursor"),
            shortcut=chord(f"Ctrl+Alt+{number}"),
            when=_CAN_JUDGE,
            palette=False,
        )
        for number, (verdict, title) in enumerate(zip(VERDICTS[STEP], _STEP_TITLES, strict=True), start=1)
    ),
    *(
        _command(
            f"review.state-{number}",
            title,
            N_("Say that the essential state with this number is reached at this step; again takes it back"),
            shortcut=chord(f"Alt+{number}"),
            when=_CAN_JUDGE,
            palette=False,
        )
        for number, title in enumerate(_REACHED, start=1)
    ),
    *(
        _command(
            f"review.missed-{number}",
            title,
            N_("Say that the essential state with this number is not reached; again takes it back"),
            shortcut=chord(f"Alt+Shift+{number}"),
            when=_CAN_JUDGE,
            palette=False,
        )
        for number, title in enumerate(_MISSED, start=1)
    ),
    _command(
        "review.submit",
        N_("Submit and next"),
        N_("Submit your review, and open the next trajectory of the queue; in a comment, pin it"),
        shortcut=chord("Ctrl+Enter"),
        when="review.open and (review.judged or review.commented) and not project.read-only",
        explains=True,
        icon="check",
        menu="task/review-queue",
    ),
    _command(
        "review.take-next",
        N_("Next of the queue"),
        N_("Open the next trajectory of the queue; nobody else gets it meanwhile"),
        shortcut=chord("G"),
        when="project.open and not project.read-only",
        icon="chevr",
        menu="task/review-queue",
    ),
    _command(
        "review.skip",
        N_("Skip"),
        N_("Pass this trajectory over; it comes again after all others"),
        shortcut=chord("Shift+G"),
        when=_CAN_JUDGE,
        icon="skipn",
        menu="task/review-queue",
    ),
    _command(
        "review.choose-queue",
        N_("Queue..."),
        N_("Choose the queue to work on"),
        shortcut=chord("Q"),
        when="project.open",
        icon="list",
        menu="task/review-queue",
    ),
    _command(
        "review.approve",
        N_("Approve the review"),
        N_("Say that the review another person submitted is right"),
        shortcut=chord("Y"),
        when="review.open and review.others and not project.read-only",
        explains=True,
        icon="check",
        menu="task/review-decide",
    ),
    _command(
        "review.reject",
        N_("Reject the review..."),
        N_("Send the review another person submitted back, with a reason"),
        shortcut=chord("X"),
        when="review.open and review.others and not project.read-only",
        explains=True,
        icon="x",
        menu="task/review-decide",
    ),
    _command(
        "review.adjudicate",
        N_("Adjudicate..."),
        N_("Give the verdict that counts above those of all others; undo takes it back"),
        shortcut=chord("J"),
        when=_CAN_JUDGE,
        icon="flag",
        menu="task/review-decide",
    ),
    *(
        _command(
            f"review.tab-{name}",
            title,
            shortcut=chord(f"Shift+{place}"),
            when="review.open",
            menu="view/review-tabs",
        )
        for place, (name, title) in enumerate(TABS.items(), start=1)
    ),
    _command(
        "review.next-tab",
        N_("Next tab"),
        shortcut=chord("Ctrl+PgDown"),
        when="review.open",
        menu="view/review-tabs",
    ),
    _command(
        "review.previous-tab",
        N_("Previous tab"),
        shortcut=chord("Ctrl+PgUp"),
        when="review.open",
        menu="view/review-tabs",
    ),
)
