"""``waymark trajectory show``: the steps and verdicts of a trajectory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.review.blind_output import without_hidden
from collector.cli.run.output import (
    agent_log,
    agent_marks,
    header_line,
    print_agent_log,
    print_anomalies,
    print_app_changes,
    print_judgements,
    print_risks,
    print_run,
    print_thoughts,
    print_violations,
    short_thought,
)
from collector.cli.shared_options import as_person, in_project
from collector.cli.step_numbers import FROM_0
from collector.cli.trajectory.reference import find_or_zip
from collector.cli.verb_groups import trajectory
from collector.comparison.steps.app_changes import app_changes
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.reset.reset_record import reset_sentence
from collector.store.files.layout import project_around
from collector.store.files.zip_path import is_zip
from collector.store.trajectory import codec
from collector.store.trajectory.interruptions import Interruption
from collector.store.trajectory.judgement_codec import judgement_to_line
from collector.store.trajectory.judgements import StoredJudgements
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory, read_first_app_data

if TYPE_CHECKING:
    from collector.judge.risk_moments import RiskMoment


@trajectory.command()
@click.argument("reference")
@click.option("--thoughts", is_flag=True, help="Print what the agent said in each step in full.")
@click.option("--log", is_flag=True, help="Print what the agent's program wrote to its log in each step.")
@as_person
@in_project
@click.option("--follow", "follows", is_flag=True, help="Go on with new steps and events until it ends.")
@json_option
def show(
    reference: str, thoughts: bool, log: bool, who: str, folder: Path, follows: bool, as_json: bool
) -> None:
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
    changes = list(app_changes(read_first_app_data(stored.files), stored.steps))
    risks = _risks(
        place, replace(stored, trajectory=replace(stored.trajectory, header=header)), interruptions, judged
    )
    if as_json:
        print_json(
            {
                **FROM_0,
                "folder": str(place),
                "header": codec.header_to_document(header),
                "steps": [codec.step_to_line(step) for step in stored.steps],
                "anomalies": [asdict(interruption) for interruption in interruptions],
                "app_changes": [asdict(change) for change in changes],
                "risks": [asdict(moment) for moment in risks],
                "judgements": [judgement_to_line(judgement) for judgement in judged.judgements],
                "hidden": hidden,
                **({"agent_log": agent_log(stored.events())} if log else {}),
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
    if log:
        print_agent_log(stored.events())
    print_app_changes(changes)
    print_judgements(judged)
    print_violations(judged)
    print_risks(risks)
    if hidden:
        say(hidden)
    for problem in stored.problems:
        say(problem)


def _risks(
    place: Path, stored: StoredTrajectory, interruptions: Sequence[Interruption], judged: StoredJudgements
) -> tuple[RiskMoment, ...]:
    if not stored.header.is_run:
        return ()
    from collector.judge.risk_moments import KnownRisks  # loads the libraries
    from collector.store.project.project import Project

    around = project_around(place)
    project = Project.open(around, allow_damage=True) if around is not None else None
    return KnownRisks.of(project).moments(stored.trajectory, interruptions, judged.newest().values())


def _print_steps(steps: Sequence[Step]) -> None:
    """Print a line a step, with the thought of an agent in a column of its own where there are any."""
    has_agent = any(step.agent is not None for step in steps)
    head = ["STEP", "TIME", "ACTION", "DESCRIPTION", "PACKAGE", "MARKS"]
    if has_agent:
        head.insert(4, "THOUGHT")
    rows: list[list[object]] = []
    for step in steps:
        row: list[object] = [
            step.index + 1,
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
