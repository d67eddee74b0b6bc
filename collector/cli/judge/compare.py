"""``waymark judge agreement`` and ``quality``: compare judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from collector.cli.judge.judged_reference import judged, judged_argument
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.progress import indexing_progress
from collector.cli.shared_options import as_person, in_project
from collector.cli.verb_groups import judge
from collector.judge.votes.agreement import Quality
from collector.judge.votes.project_votes import ProjectVotes, read_votes
from collector.judge.votes.votes import (
    AgreementRow,
    QualityRow,
    agreement_rows,
    disputed,
    quality_rows,
)
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.verdicts.voted_subject import PEOPLE, VotedSubject
from collector.store.project.project import Project

_MEASURES = ("precision", "recall", "f1", "accuracy")
_NAMED = 5
"""So many subjects are named on which people are split."""
_of_task = click.option("--task", default="", help="Only this task and its essential states.")
_of_state = click.option("--state", default="", help="Only this essential state.")


@judge.command("agreement")
@judged_argument
@_of_task
@_of_state
@click.option("--judge", "names", multiple=True, metavar="WHO", help="Only these judges; may be repeated.")
@click.option(
    "--tolerance",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Steps that count as the same when a state was reached.",
)
@as_person
@in_project
@json_option
def agreement_(
    reference: str, task: str, state: str, names: Sequence[str], tolerance: int, who: str, folder: Path,
    as_json: bool,
) -> None:  # fmt: skip
    """How far the judges of a project agree: percent, Cohen's kappa for two, Fleiss' for more.

    Labels and verdicts of people are their votes. What one of the judges left out does not count.
    Trajectories whose review you have not submitted are not shown.
    """
    from collector.review.hidden_trajectories import hidden_trajectories

    project, trajectory = judged(reference, folder)
    votes = _votes(project, trajectory).where(task=task, state=state)
    judges = [_known(name, votes) for name in names] or list(votes.judges)
    people = [name for name in votes.people if name in judges]
    rows = agreement_rows(votes.subjects, judges, people, tolerance=tolerance)
    differing = disputed(votes.subjects, judges, tolerance=tolerance)
    folders = [subject.folder for subject in differing if subject.folder is not None]
    hidden = hidden_trajectories(project, folders, who)
    disagreements = [subject for subject in differing if subject.folder not in hidden]
    if as_json:
        shown = [{**asdict(subject), "folder": str(subject.folder)} for subject in disagreements]
        print_json({"agreement": list(map(asdict, rows)), "disagreements": shown})
        return
    if not rows:
        say(_("No two judges judged the same yet"))
        return
    print_table(
        ("JUDGES", "ON", "OF", "SUBJECTS", "PERCENT", "KAPPA", "SAME STEP"), list(map(_agreement_cells, rows))
    )
    if any(row.agreement.kappa is None for row in rows):
        say(_("Kappa is undefined (-) where all gave one and the same verdict"))
    for subject in disagreements:
        say(f"{subject.task}/{subject.trajectory} {subject.state}".rstrip() + f"  {_votes_text(subject)}")


@judge.command("quality")
@judged_argument
@click.option(
    "--against",
    required=True,
    metavar="WHO",
    help="The judge that counts as right; `people` for what most people say, or what was adjudicated.",
)
@_of_task
@_of_state
@in_project
@json_option
def quality_(reference: str, against: str, task: str, state: str, folder: Path, as_json: bool) -> None:
    """Precision, recall, F1 and accuracy of every judge against one, as A3's Table 2."""
    votes = _votes(*judged(reference, folder)).where(task=task, state=state)
    if against == PEOPLE and not votes.people:
        raise UserError(_("No person judged or labelled anything here"))
    if against != PEOPLE:
        _known(against, votes)
    rows = quality_rows(votes.subjects, votes.judges, against)
    split = [item for item in votes.subjects if item.people and not item.people_say]
    split = split if against == PEOPLE else []
    if as_json:
        document = {"against": against, "quality": list(map(_quality_as_dict, rows))}
        print_json({**document, "split": len(split)} if against == PEOPLE else document)
        return
    print_table(
        ("JUDGE", "ON", "SUBJECTS", *map(str.upper, _MEASURES)),
        [(row.judge, row.kind, row.quality.subjects, *_percents(row.quality)) for row in rows],
    )
    if split:
        names = ", ".join(f"{item.trajectory} {item.state}".rstrip() for item in split[:_NAMED])
        say(_("People are split on {count}, which do not count: {names}", count=len(split), names=names))


def _votes(project: Project, trajectory: Path | None) -> ProjectVotes:
    folders = [trajectory] if trajectory is not None else None
    return read_votes(project, folders, progress=indexing_progress())


def _known(name: str, votes: ProjectVotes) -> str:
    if name not in votes.judges:
        raise UserError(
            _("{name} judged nothing in this project", name=name),
            "",
            _("Name one of: {known}", known=", ".join(votes.judges) or "-"),
        )
    return name


def _agreement_cells(row: AgreementRow) -> tuple[object, ...]:
    same = "-" if row.same_step is None else f"{row.same_step:.1f} ({row.with_steps})"
    return (
        ", ".join(row.judges), row.kind, row.of or _("all"), row.agreement.subjects,
        _number(row.agreement.percent, 1), _number(row.agreement.kappa, 3), same,
    )  # fmt: skip


def _votes_text(subject: VotedSubject) -> str:
    votes = [
        f"{name}: {verdict}" + (f" @{subject.steps[name] + 1}" if name in subject.steps else "")
        for name, verdict in sorted(subject.votes.items())
    ]
    settled = [_("adjudicated: {verdict}", verdict=subject.settled)] if subject.settled else []
    return ", ".join([*votes, *settled])


def _quality_as_dict(row: QualityRow) -> dict[str, Any]:
    counts = asdict(row.quality)
    measured = {name: getattr(row.quality, name) for name in _MEASURES}
    return {"judge": row.judge, "on": row.kind, "subjects": row.quality.subjects, **counts, **measured}


def _percents(quality: Quality) -> list[str]:
    values = [getattr(quality, name) for name in _MEASURES]
    return [_number(None if value is None else 100 * value, 1) for value in values]


def _number(value: float | None, places: int) -> str:
    return "-" if value is None else f"{value:.{places}f}"
