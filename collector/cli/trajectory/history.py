"""``waymark trajectory``: history, undo, redo."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.shared_options import as_person, in_project
from collector.cli.trajectory.edit_output import plan_values, print_moved, print_plan
from collector.cli.trajectory.reference import find_in_project
from collector.cli.verb_groups import trajectory
from collector.model.i18n import _


@trajectory.command()
@click.argument("reference")
@click.argument("edit", type=click.IntRange(min=1), required=False)
@in_project
@json_option
def history(reference: str, edit: int | None, folder: Path, as_json: bool) -> None:
    """List the edits of a trajectory: what, who, when, and whether it was undone.

    With EDIT, its number in the list, print the steps before and after it.
    """
    from collector.recording.edits.edit_history import history_of, plan_of_entry, titles_of

    project, place = find_in_project(reference, folder)
    if edit is not None:
        plan = plan_of_entry(project, place, edit)
        if as_json:
            print_json(plan_values(plan))
        else:
            print_plan(plan)
        return
    entries, (undo_title, redo_title) = history_of(project, place), titles_of(project, place)
    if as_json:
        edits = [
            {"title": entry.title, "who": entry.who, "time": entry.time, "undone": entry.is_undone}
            for entry in entries
        ]
        print_json({"edits": edits, "undo": undo_title, "redo": redo_title})
        return
    if not entries:
        say(_("It was never edited"))
        return
    print_table(
        ["NUMBER", "TIME", "WHO", "EDIT", "STATE"],
        [
            [number, entry.time, entry.who, entry.title, _("undone") if entry.is_undone else ""]
            for number, entry in enumerate(entries, start=1)
        ],
    )  # fmt: skip


@trajectory.command()
@click.argument("reference")
@as_person
@in_project
@json_option
def undo(reference: str, who: str, folder: Path, as_json: bool) -> None:
    """Take back the newest edit of a trajectory: of its steps, else the split or join that made it.

    The files are then as they were before, byte for byte. The recorded steps of a
    finished trajectory stay.
    """
    from collector.recording.edits import edit_history

    project, place = find_in_project(reference, folder)
    made = edit_history.undo(project, place, who)
    print_moved(project, made, _("Undone: {title}", title=made.title), as_json=as_json)


@trajectory.command()
@click.argument("reference")
@as_person
@in_project
@json_option
def redo(reference: str, who: str, folder: Path, as_json: bool) -> None:
    """Make the edit of a trajectory again that was undone last."""
    from collector.recording.edits import edit_history

    project, place = find_in_project(reference, folder)
    made = edit_history.redo(project, place, who)
    print_moved(project, made, _("Done again: {title}", title=made.title), as_json=as_json)
