"""``waymark trajectory``: delete, restore, rename, duplicate."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import in_project
from collector.cli.trajectory.reference import find_in_project
from collector.cli.verb_groups import trajectory
from collector.model.i18n import _
from collector.store.project.project import Project
from collector.store.project.trajectory_changes import (
    delete_trajectory,
    duplicate_trajectory,
    rename_trajectory,
    restore_trajectory,
    trashed_trajectories,
)


@trajectory.command()
@click.argument("references", nargs=-1, required=True)
@in_project
@json_option
def delete(references: tuple[str, ...], folder: Path, as_json: bool) -> None:
    """Move trajectories to the project's trash; `restore` brings them back."""
    # All are looked up before the first is moved: a wrong name changes nothing.
    found = {place: opened for opened, place in (find_in_project(each, folder) for each in references)}
    names = [
        opened.paths.relative(delete_trajectory(opened, place).before) for place, opened in found.items()
    ]
    if as_json:
        print_json({"deleted": names})
        return
    for name in names:
        say(_("{name} is in the trash; `waymark trajectory restore` brings it back", name=name))


@trajectory.command()
@click.argument("reference", default="")
@in_project
@json_option
def restore(reference: str, folder: Path, as_json: bool) -> None:
    """Bring a deleted trajectory back; without REFERENCE, list what is in the trash."""
    opened = Project.open(folder)
    if not reference:
        names = [f"{place.parent.name}/{place.name}" for place in trashed_trajectories(opened)]
        if as_json:
            print_json({"trash": names})
            return
        for name in names or [_("The trash is empty")]:
            say(name)
        return
    place = opened.paths.relative(restore_trajectory(opened, reference))
    if as_json:
        print_json({"restored": place})
    else:
        say(_("{name} is back", name=place))


@trajectory.command()
@click.argument("reference")
@click.argument("new_id")
@in_project
@json_option
def rename(reference: str, new_id: str, folder: Path, as_json: bool) -> None:
    """Give a trajectory another id, which names its folder, too."""
    opened, place = find_in_project(reference, folder)
    change = rename_trajectory(opened, place, new_id)
    _print_place(opened, change.after, as_json=as_json)


@trajectory.command()
@click.argument("reference")
@click.argument("new_id", default="")
@click.option("--without-reviews", is_flag=True, help="Leave out reviews, so that the copy can be edited.")
@in_project
@json_option
def duplicate(reference: str, new_id: str, without_reviews: bool, folder: Path, as_json: bool) -> None:
    """Add a copy of a trajectory, under NEW_ID or a new id."""
    opened, place = find_in_project(reference, folder)
    change = duplicate_trajectory(opened, place, new_id, with_reviews=not without_reviews)
    _print_place(opened, change.after, as_json=as_json)


def _print_place(opened: Project, place: Path, *, as_json: bool) -> None:
    name = opened.paths.relative(place)
    if as_json:
        print_json({"trajectory": name})
    else:
        say(_("It is {name} now", name=name))
