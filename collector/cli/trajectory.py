"""``waymark trajectory``: list, show, verify, redact."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from collector.cli.finding_output import project_finding_as_dict
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.verb_groups import verb_group
from collector.model.geometry import Rect
from collector.model.i18n import _, ngettext
from collector.model.trajectory import Step
from collector.store import check as checking
from collector.store import codec
from collector.store.catalogue import Catalogue
from collector.store.layout import is_project
from collector.store.project import Project
from collector.store.reader import open_trajectory
from collector.store.step_redaction import redact_step

in_project = click.option(
    "--project", "folder", type=click.Path(path_type=Path), default=".", help="The project's folder."
)


trajectory = verb_group("trajectory")


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
        catalogue.refresh()
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
    if header.instruction:
        say(header.instruction)
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


class _Region(click.ParamType[Rect]):
    """``LEFT,TOP,RIGHT,BOTTOM`` in device pixels."""

    name = "region"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Rect:
        if isinstance(value, Rect):
            return value
        parts = re.fullmatch(r"(\d+),(\d+),(\d+),(\d+)", value)
        if parts is None or (region := Rect(*map(int, parts.groups()))).is_empty:
            self.fail(_("{value!r} is not LEFT,TOP,RIGHT,BOTTOM in pixels", value=value), param, ctx)
        return region


@trajectory.command()
@click.argument("reference")
@click.argument("step", type=click.IntRange(0))
@click.option(
    "--region", "regions", type=_Region(), multiple=True, help="LEFT,TOP,RIGHT,BOTTOM to black out."
)
@click.confirmation_option(prompt="What is redacted is gone for good, with the undo of earlier edits. Go on?")
@in_project
@json_option
def redact(reference: str, step: int, regions: tuple[Rect, ...], folder: Path, as_json: bool) -> None:
    """Remove password fields, typed text and regions from a stored step, for good.

    STEP counts from 0, as `show` prints it.
    """
    done = redact_step(find(reference, folder), step, regions)
    if as_json:
        print_json({"step": codec.step_to_line(done)})
    else:
        say(_("Step {index} is redacted", index=step))


def find(reference: str, folder: Path) -> Path:
    """The folder a reference names; a path works outside any project too."""
    if Path(reference).is_dir() and not is_project(folder):
        return Path(reference)
    return Project.open(folder).find(reference)
