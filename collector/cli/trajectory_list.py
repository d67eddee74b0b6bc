"""``waymark trajectory list``: list and search trajectories."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.progress import indexing_progress
from collector.cli.trajectory import in_project
from collector.cli.verb_groups import trajectory
from collector.model.i18n import _
from collector.store.catalogue import Catalogue
from collector.store.project import Project


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
