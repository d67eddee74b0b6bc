"""What the reference of a ``waymark judge`` verb names: a project, or one trajectory."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.trajectory.reference import find_in_project
from collector.store.files.layout import is_project
from collector.store.project.project import Project

judged_argument = click.argument("reference", metavar="[TRAJECTORY|PROJECT]", default="")


def judged(reference: str, folder: Path) -> tuple[Project, Path | None]:
    """The project, by default that in ``folder``, and the trajectory if one is named. Raises UserError."""
    if not reference or is_project(Path(reference)):
        return Project.open(Path(reference) if reference else folder), None
    return find_in_project(reference, folder)
