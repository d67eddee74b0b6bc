"""``waymark task expand``: a task with parameters as episodes of different seeds are given it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from collector.cli.output import json_option, print_json, print_table
from collector.cli.shared_options import in_project
from collector.cli.verb_groups import task
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import Task
from collector.store.project.project import Project
from collector.store.tasks.task_file import task_values
from collector.store.tasks.task_values import bound, values_of

_SHOWN = ("instruction", "rewordings", "expected_answer", "target", "replies")
"""Keys of a task that may name parameters."""


@task.command()
@click.argument("task_id", metavar="TASK")
@click.option(
    "--seed", type=click.IntRange(0), default=DEFAULT_SEED, show_default=True,
    help="The first seed that is shown.",
)  # fmt: skip
@click.option(
    "--count", type=click.IntRange(1, 10_000), default=5, show_default=True, help="How many seeds are shown."
)
@in_project
@json_option
def expand(task_id: str, seed: int, count: int, folder: Path, as_json: bool) -> None:
    """Show TASK with the values of its parameters, for each seed as an episode with that seed is given it."""
    found = Project.open(folder).task(task_id)
    if found is None:
        raise UserError(_("There is no task {id}", id=task_id), "", _("`waymark task list` shows them"))
    if not found.parameters:
        raise UserError(
            _("Task {id} has no parameters", id=task_id), "",
            _("Write names in braces into its instruction, and what they are drawn from under `parameters`"),
        )  # fmt: skip
    expanded = [(each, values_of(found, each)) for each in range(seed, seed + count)]
    if as_json:
        print_json({"task": task_id, "expanded": [_as_dict(found, *each) for each in expanded]})
        return
    names = list(expanded[0][1])
    print_table(
        ("SEED", *(name.upper() for name in names), "INSTRUCTION"),
        [
            (each, *(given[name] for name in names), bound(found, given).instruction)
            for each, given in expanded
        ],
    )


def _as_dict(template: Task, seed: int, values: Mapping[str, str]) -> dict[str, Any]:
    """The task of a seed: its values, and its keys that may name them."""
    written = task_values(bound(template, values))
    return {"seed": seed, "values": dict(values), **{key: written[key] for key in _SHOWN if key in written}}
