"""``waymark judge levels`` and ``process``: what the papers measure of a task and of a trajectory."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.shared_options import as_person, in_project, project_argument
from collector.cli.trajectory.reference import find_or_zip
from collector.cli.verb_groups import judge
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.judge.progress.process_information import process_information
from collector.judge.progress.task_levels import task_levels
from collector.model.i18n import _, ngettext
from collector.model.trajectory import Step
from collector.model.tree import Tree
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory


@judge.command()
@project_argument
@click.option("--differing", is_flag=True, help="Only tasks whose declared level is another.")
@json_option
def levels(folder: Path, differing: bool, as_json: bool) -> None:
    """Levels of tasks by the length of their golden trajectories (A3), beside the declared ones."""
    project = Project.open(folder)
    rows = task_levels(project.tasks, project.open_trajectories())
    shown = [row for row in rows if row.differs] if differing else rows
    if as_json:
        print_json({"levels": [{**asdict(row), "differs": row.differs} for row in shown]})
        return
    print_table(
        ("TASK", "DECLARED", "MEASURED", "ACTIONS", "DIFFERS"),
        [
            (
                row.task, row.declared or "-", row.measured or "-",
                ", ".join(map(str, row.lengths)) or "-", _("yes") if row.differs else "",
            )
            for row in shown
        ],
    )  # fmt: skip
    count = sum(row.differs for row in rows)
    say(ngettext("{count} declared level differs", "{count} declared levels differ", count))


@judge.command()
@click.argument("reference", metavar="TRAJECTORY")
@as_person
@in_project
@json_option
def process(reference: str, who: str, folder: Path, as_json: bool) -> None:
    """The actions of a trajectory in words, from its trees alone (ProBench, Algorithm 1)."""
    stored = open_trajectory(find_or_zip(reference, folder, who))
    steps = process_information(stored.steps, lambda step: _tree(stored, step))
    if as_json:
        print_json({"trajectory": stored.header.id, "process": list(map(asdict, steps))})
        return
    for step in steps:
        say(f"{step.index + 1:>4}  {step}")


def _tree(stored: StoredTrajectory, step: Step) -> Tree | None:
    data = stored.tree(step)
    try:
        return parse_tree(data) if data else None
    except HierarchyError:
        return None
