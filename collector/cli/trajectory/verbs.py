"""``waymark trajectory show``, and what the other verbs share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.review.blind_output import without_hidden
from collector.cli.run.output import (
    agent_marks,
    header_line,
    print_anomalies,
    print_judgements,
    print_run,
    print_thoughts,
    short_thought,
)
from collector.cli.shared_options import as_person, in_project
from collector.cli.verb_groups import trajectory
from collector.host.user_folders import user_name
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.reset.reset_record import reset_sentence
from collector.store.files.format_versions import PROJECT
from collector.store.files.layout import ProjectPaths, is_project, project_around
from collector.store.files.zip_path import is_zip
from collector.store.trajectory import codec
from collector.store.trajectory.judgement_codec import judgement_to_line
from collector.store.trajectory.reader import open_trajectory, read_header
from collector.store.trajectory.trajectory_lookup import find_trajectory


@trajectory.command()
@click.argument("reference")
@click.option("--thoughts", is_flag=True, help="Print what the agent said in each step in full.")
@as_person
@in_project
@click.option("--follow", "follows", is_flag=True, help="Go on with new steps and events until it ends.")
@json_option
def show(reference: str, thoughts: bool, who: str, folder: Path, follows: bool, as_json: bool) -> None:
    """Show the steps of a trajectory, given by id, task/id, folder or zip file.

    Of a run: agent, condition, outcome and thoughts; the verdicts of all judges. With --follow and --json,
    each new step or event is a JSON document on a line of its own.
    """
    place = find_or_zip(reference, folder, who)
    if follows:
        if is_zip(place):
            raise click.UsageError(_("A zip file is never written to: leave out --follow"))
        from collector.cli.trajectory.follow import follow  # loads what writes trajectories

        follow(place, as_json=as_json)
        return
    stored = open_trajectory(place)
    header, judged, hidden = without_hidden(place, who, stored.header, stored.judgements())
    interruptions = stored.interruptions()
    if as_json:
        print_json(
            {
                "folder": str(place),
                "header": codec.header_to_document(header),
                "steps": [codec.step_to_line(step) for step in stored.steps],
                "anomalies": [asdict(interruption) for interruption in interruptions],
                "judgements": [judgement_to_line(judgement) for judgement in judged.judgements],
                "hidden": hidden,
                "problems": [*stored.problems, *judged.problems],
            }
        )
        return
    say(header_line(header))
    for sentence in filter(None, (header.instruction, reset_sentence(header))):
        say(sentence)
    print_run(header)
    print_anomalies(interruptions)
    _print_steps(stored.steps)
    if thoughts:
        print_thoughts(stored.steps)
    print_judgements(judged)
    if hidden:
        say(hidden)
    for problem in stored.problems:
        say(problem)


def _print_steps(steps: Sequence[Step]) -> None:
    """Print a line a step, with the thought of an agent in a column of its own where there are any."""
    has_agent = any(step.agent is not None for step in steps)
    head = ["STEP", "TIME", "ACTION", "DESCRIPTION", "PACKAGE", "MARKS"]
    if has_agent:
        head.insert(4, "THOUGHT")
    rows: list[list[object]] = []
    for step in steps:
        row: list[object] = [
            step.index,
            f"{step.t_ms / 1000:.1f} s",
            step.action.kind if step.action else "",
            step.description,
            step.state.package,
            _marks(step),
        ]
        if has_agent:
            row.insert(4, short_thought(step))
        rows.append(row)
    print_table(head, rows)


def _marks(step: Step) -> str:
    marks = agent_marks(step)
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


def find(reference: str, folder: Path) -> Path:
    """The folder a reference names; a path works outside any project too."""
    if Path(reference).is_dir() and not is_project(folder):
        return Path(reference)
    from collector.store.project.project import Project  # takes long to load, and `show` seldom needs it

    return Project.open(folder).find(reference)


def find_to_change(reference: str, folder: Path) -> Path:
    """Find a trajectory for a verb that changes it. Raises ReadOnly when the project may only be read."""
    place = find(reference, folder)
    if is_project(folder):
        from collector.store.project.project import Project

        Project.open(folder).require_writable()
    return place


def find_to_read(reference: str, folder: Path, who: str = "") -> Path:
    """Find a trajectory for a verb that only reads it: a project is opened only to refuse it.

    ``who`` reads it, by default the user: an operator does not see the other's golden trajectory before the
    own proposal is signed.
    """
    settings = ProjectPaths(folder).settings
    if is_project(folder) and not settings.is_symlink() and PROJECT.is_known(settings.read_bytes()):
        place = find_trajectory(folder, reference)
    else:
        place = find(reference, folder)
    require_visible(place, who)
    return place


def find_or_zip(reference: str, folder: Path, who: str = "") -> Path:
    """Find a trajectory to read, or a zip file by its path: :func:`open_trajectory` reads both."""
    path = Path(reference)
    return path if is_zip(path) else find_to_read(reference, folder, who)


def require_visible(place: Path, who: str) -> None:
    """Raise UserError when a trajectory is not shown to an operator who works blind."""
    around = project_around(place)
    if around is None or not ProjectPaths(around).has_proposals(place.parent.name):
        return  # without loading what only a project with operators needs
    from collector.states.work_files.blindness import require_visible_golden
    from collector.store.project.project import Project

    require_visible_golden(Project.open(around), read_header(place), who or user_name())
