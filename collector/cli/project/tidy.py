"""``waymark project``: duplicate a task, empty the trash."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import confirmation_option, in_project, project_argument
from collector.cli.verb_groups import project
from collector.model.i18n import _, ngettext
from collector.store.project.project import Project
from collector.store.project.trajectory_changes import empty_trash
from collector.store.tasks.task_file import task_values
from collector.store.tasks.task_ids import with_duplicate


@project.command("duplicate-task")
@click.argument("task")
@click.argument("new_id", default="")
@in_project
@json_option
def duplicate_task(task: str, new_id: str, folder: Path, as_json: bool) -> None:
    """Add a copy of TASK behind it, under NEW_ID, or its id with four digits behind it."""
    opened = Project.open(folder)
    tasks, copy = with_duplicate(opened.tasks, task, new_id)
    opened.save_tasks(tasks)
    if as_json:
        print_json({"task": task_values(copy)})
    else:
        say(_("Added the task {id}", id=copy.id))


@project.command("empty-trash")
@project_argument
@confirmation_option("What is in the trash is deleted for good. Go on?")
@json_option
def empty_trash_(folder: Path, as_json: bool) -> None:
    """Delete the deleted trajectories of PROJECT for good."""
    count = empty_trash(Project.open(folder))
    if as_json:
        print_json({"deleted": count})
    else:
        say(ngettext("{count} trajectory deleted", "{count} trajectories deleted", count))
