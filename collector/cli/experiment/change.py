"""``waymark experiment``: copy, delete."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import confirmation_option, in_project
from collector.cli.verb_groups import experiment
from collector.model.i18n import _
from collector.run.experiment.files import copy_experiment
from collector.run.runner.experiment_removal import delete_experiment
from collector.store.project.project import Project


@experiment.command()
@click.argument("name")
@click.argument("new_name")
@in_project
@json_option
def copy(name: str, new_name: str, folder: Path, as_json: bool) -> None:
    """Make the experiment NEW_NAME of what NAME runs. It begins without results."""
    path = copy_experiment(Project.open(folder), name, new_name)
    if as_json:
        print_json({"experiment": path.stem, "path": str(path)})
    else:
        say(_("Made the experiment {name} in {path}", name=path.stem, path=path))


@experiment.command()
@click.argument("name")
@confirmation_option("The file of the experiment is deleted, its runs are kept. Go on?")
@in_project
@json_option
def delete(name: str, folder: Path, as_json: bool) -> None:
    """Delete the file of the experiment NAME. Its runs stay: they are trajectories of the project."""
    path = delete_experiment(Project.open(folder), name)
    if as_json:
        print_json({"deleted": str(path)})
    else:
        say(_("Deleted {path}. Its runs are kept", path=path))
