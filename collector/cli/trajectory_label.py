"""``waymark trajectory label``: essential states, verdict, reason and comments of a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from collector.cli.label_options import WantedState, reason_id, states_option, wanted_state, with_states
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.trajectory import find_to_change, find_to_read, in_project
from collector.cli.verb_groups import trajectory
from collector.host.user_folders import user_name
from collector.judge.labelling import (
    edit_labels,
    new_comment,
    submitted,
)
from collector.judge.person_judge import PERSON_VERDICTS, judge_as_person, verdict_of
from collector.model.episode_text import verdict_text
from collector.model.errors import UserError
from collector.model.failure_reason import FailureReason, reason_text
from collector.model.i18n import _
from collector.model.judgement import Judgement
from collector.model.task import Task
from collector.store.judgement_codec import judgement_to_line
from collector.store.labels import Comment, Labels, labels_values, read_all_labels, read_labels
from collector.store.project import Project
from collector.store.reader import StoredTrajectory, open_trajectory


@dataclass(frozen=True, slots=True)
class _Labelling:
    """The trajectory that is labelled, with its task."""

    folder: Path
    stored: StoredTrajectory
    task: Task | None
    reasons: tuple[FailureReason, ...]
    who: str


@trajectory.command()
@click.argument("reference")
@states_option
@click.option("--verdict", type=click.Choice(PERSON_VERDICTS), help="What you say of the trajectory.")
@click.option("--reason", default="", help="Id or name of a reason of the project; needs --verdict.")
@click.option("--because", default="", help="Why, in a sentence; needs --verdict.")
@click.option("--comment", default="", help="A comment on the trajectory, or on the step of --at.")
@click.option("--at", "step", type=click.IntRange(min=0), help="The step a comment is pinned to, from 0.")
@click.option("--node", "selector", default="", help="Selector of the node a comment is pinned to.")
@click.option("--drop-comment", type=click.IntRange(min=1), help="Delete your comment of that number.")
@click.option("--submit", is_flag=True, help="Say that your labels are complete; others' are shown then.")
@click.option("--who", default="", help="Your name; your user name by default.")
@in_project
@json_option
def label(
    reference: str, states: Sequence[str], verdict: str | None, reason: str, because: str, comment: str,
    step: int | None, selector: str, drop_comment: int | None, submit: bool, who: str, folder: Path,
    as_json: bool,
) -> None:  # fmt: skip
    """Label a trajectory as a person; without options, show your labels.

    The labels of other people are shown once you have submitted yours.
    """
    who = (who or user_name()).strip()
    changes = bool(states or verdict or comment or drop_comment or submit)
    if (reason or because) and verdict is None:
        raise UserError(_("A reason belongs to a verdict"), "", _("Add --verdict"))
    if (step is not None or selector) and not comment:
        raise UserError(_("--at and --node pin a comment"), "", _("Add --comment"))
    place = find_to_change(reference, folder) if changes else find_to_read(reference, folder, who)
    stored, project = open_trajectory(place), Project.open(folder)
    given = _Labelling(place, stored, project.task(stored.header.task_id), project.reasons, who)
    if changes:
        chosen = reason_id(reason, given.reasons)
        remark = new_comment(stored, comment, step, selector) if comment else None
        wanted = [wanted_state(text, given.task, stored.steps) for text in states]
        edit_labels(place, who, lambda labels: _changed(labels, wanted, remark, drop_comment, submit))
        if verdict is not None:
            judge_as_person(place, who, verdict, because, chosen)
    _show(given, as_json=as_json)


def _changed(
    labels: Labels, wanted: Sequence[WantedState], comment: Comment | None, drop: int | None, submit: bool
) -> Labels:
    labels = with_states(labels, wanted)
    if drop is not None:
        if drop > len(labels.comments):
            raise UserError(_("You have no comment {number} on it", number=drop))
        labels = labels.without_comment(drop - 1)
    if comment is not None:
        labels = labels.with_comment(comment)
    return submitted(labels) if submit else labels


def _show(given: _Labelling, *, as_json: bool) -> None:
    own, verdict = read_labels(given.folder, given.who), verdict_of(given.folder, given.who)
    others = {}
    if own.submitted:
        others = {who: labels for who, labels in read_all_labels(given.folder).items() if who != given.who}
    if as_json:
        print_json(
            {
                "folder": str(given.folder),
                "labels": _as_dict(own, given, verdict),
                "others": [
                    _as_dict(labels, given, verdict_of(given.folder, who)) for who, labels in others.items()
                ],
            }
        )
        return
    rows = []
    for number, state in enumerate(given.task.essential_states if given.task is not None else (), start=1):
        cells = [_label_text(labels, state) for labels in (own, *others.values())]
        rows.append((number, state, *cells))
    print_table(("NO", "STATE", given.who.upper(), *map(str.upper, others)), rows)
    say(_("Verdict: {verdict}", verdict=_verdict_line(verdict, given.reasons)))
    for number, comment in enumerate(own.comments, start=1):
        say(f"{number}. {_place_text(comment)}{comment.text}")
    if not own.submitted:
        say(_("Not submitted: the labels of others are shown once you submit yours"))


def _label_text(labels: Labels, state: str) -> str:
    step = labels.step_of(state)
    if step is not None:
        return f"@{step}"
    return _("missed") if state in labels.missed else "-"


def _verdict_line(verdict: Judgement | None, reasons: Sequence[FailureReason]) -> str:
    if verdict is None:
        return verdict_text("")
    reason = reason_text(verdict.reason_id, reasons) if verdict.reason_id else ""
    return ", ".join(filter(None, (verdict_text(verdict.verdict), reason, verdict.reason)))


def _place_text(comment: Comment) -> str:
    if comment.step is None:
        return ""
    node = (comment.node.selectors or (str(list(comment.node.path)),))[0] if comment.node is not None else ""
    return f"@{comment.step} {node}".rstrip() + ": "


def _as_dict(labels: Labels, given: _Labelling, verdict: Judgement | None) -> dict[str, Any]:
    return {
        "who": labels.who,
        **labels_values(labels),
        "verdict": judgement_to_line(verdict) if verdict is not None else None,
        "reason": reason_text(verdict.reason_id, given.reasons) if verdict and verdict.reason_id else "",
    }
