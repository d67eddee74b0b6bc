"""``waymark trajectory list``: list and search trajectories."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.progress import indexing_progress
from collector.cli.trajectory import in_project
from collector.cli.verb_groups import trajectory
from collector.model.i18n import _
from collector.store.catalogue import Catalogue
from collector.store.catalogue_row import CatalogueRow
from collector.store.catalogue_text import agent_of, condition_text, is_run, outcome_text
from collector.store.project import Project

_LONGEST_ID = 130
"""An id is copied from here: it is never cut."""


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
        _print_rows(rows)
    else:
        say(_("No trajectory fits"))


def _print_rows(rows: Sequence[CatalogueRow]) -> None:
    """Print a line a trajectory; agent, condition and outcome only where there are runs."""
    head = ["TRAJECTORY", "TASK", "KIND", "WHO", "STATUS", "STEPS", "STARTED", "PROBLEMS"]
    has_runs = any(map(is_run, rows))
    if has_runs:
        head[4:4] = ["AGENT", "CONDITION", "OUTCOME"]
    table: list[list[object]] = []
    for row in rows:
        line: list[object] = [row.id, row.task, row.kind, row.who, row.status, row.steps, row.started[:19],
                              row.problems or ""]  # fmt: skip
        if has_runs:
            line[4:4] = [agent_of(row), condition_text(row), outcome_text(row)]
        table.append(line)
    print_table(head, table, first=_LONGEST_ID)
