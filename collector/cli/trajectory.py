"""``waymark trajectory``: list, show, verify."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.finding_output import project_finding_as_dict
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.progress import indexing_progress
from collector.cli.verb_groups import trajectory
from collector.model.i18n import _, ngettext
from collector.model.trajectory import Step
from collector.reset.reset_record import reset_sentence
from collector.store import check as checking
from collector.store import codec
from collector.store.catalogue import Catalogue
from collector.store.layout import is_project
from collector.store.project import Project
from collector.store.reader import open_trajectory

in_project = click.option(
    "--project", "folder", type=click.Path(path_type=Path), default=".", help="The project's folder."
)


@trajectory.command("list")
@click.argument("query", default="")
@in_project
@click.option(
    "--limit", type=click.IntRange(1), default=100, show_default=True, help="Trajectories to list at most."
)
@json_option
def list_(query: str, folder: Path, limit: int, as_json: bool) -> None:
    """List trajectories, newest first.

    QUERY is words and key:value, as in `app:Shop status:recovered poster`.
    """
    opened = Project.open(folder)
    with Catalogue(opened) as catalogue:
        catalogue.refresh(indexing_progress())
        rows = catalogue.find(query, limit=limit)
    if as_json:
        print_json({"project": opened.name, "trajectories": [row.as_dict() for row in rows]})
    elif rows:
        print_table(
            ("TRAJECTORY", "TASK", "KIND", "WHO", "STATUS", "STEPS", "STARTED", "PROBLEMS"),
            [
                (
                    row.id,
                    row.task,
                    row.kind,
                    row.who,
                    row.status,
                    row.steps,
                    row.started[:19],
                    row.problems or "",
                )
                for row in rows
            ],
        )
    else:
        say(_("No trajectory fits"))


@trajectory.command()
@click.argument("reference")
@in_project
@json_option
def show(reference: str, folder: Path, as_json: bool) -> None:
    """Show the steps of a trajectory, given by id, task/id or folder."""
    place = find(reference, folder)
    stored = open_trajectory(place)
    if as_json:
        print_json(
            {
                "folder": str(place),
                "header": codec.header_to_document(stored.header),
                "steps": [codec.step_to_line(step) for step in stored.steps],
                "problems": list(stored.problems),
            }
        )
        return
    header = stored.header
    say(f"{header.task_id} / {header.id}  {header.kind}, {header.status}  {header.who}".rstrip())
    for sentence in filter(None, (header.instruction, reset_sentence(header))):
        say(sentence)
    print_table(
        ("STEP", "TIME", "ACTION", "DESCRIPTION", "PACKAGE", "MARKS"),
        [
            (
                step.index,
                f"{step.t_ms / 1000:.1f} s",
                step.action.kind if step.action else "",
                step.description,
                step.state.package,
                _marks(step),
            )
            for step in stored.steps
        ],
    )
    for problem in stored.problems:
        say(problem)


def _marks(step: Step) -> str:
    marks = []
    if step.state.tree_age_ms is not None and step.state.tree_age_ms > 1000:
        marks.append(_("tree {seconds} s old", seconds=round(step.state.tree_age_ms / 1000, 1)))
    if step.state.skew:
        marks.append(_("skew {percent} %", percent=round(100 * step.state.skew)))
    if step.state.secure:
        marks.append(_("secure"))
    if step.redacted:
        marks.append(_("redacted"))
    if step.state.problem:
        marks.append(step.state.problem)
    return ", ".join(marks)


@trajectory.command()
@click.argument("reference")
@in_project
@json_option
def verify(reference: str, folder: Path, as_json: bool) -> int:
    """Verify the digests and references of one trajectory."""
    place = find(reference, folder)
    problems = checking.check_trajectory(place)
    if as_json:
        print_json(
            {"folder": str(place), "problems": [project_finding_as_dict(problem) for problem in problems]}
        )
        return 1 if problems else 0
    for problem in problems:
        at = f" step {problem.steps[0]}" if problem.steps else ""
        say(f"{problem.severity}:{at} {problem.what} [{problem.code}]")
    say(
        ngettext("{count} problem", "{count} problems", len(problems))
        if problems
        else _("Everything is in order")
    )
    return 1 if problems else 0


def find(reference: str, folder: Path) -> Path:
    """The folder a reference names; a path works outside any project too."""
    if Path(reference).is_dir() and not is_project(folder):
        return Path(reference)
    return Project.open(folder).find(reference)
