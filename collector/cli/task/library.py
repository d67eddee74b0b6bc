"""``waymark task library``, ``copy`` and ``generate``: the studio's tasks, and longer ones made of them."""

from __future__ import annotations

from pathlib import Path

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.shared_options import in_project, project_argument
from collector.cli.task.prove import prove_tasks, say_proofs
from collector.cli.verb_groups import task
from collector.model.i18n import _, ngettext
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import LEVELS, Task
from collector.store.project.project import Project
from collector.store.tasks.task_file import task_values
from collector.task_library.built_in_tasks import built_in_tasks, tasks_named, tasks_of, with_added
from collector.task_library.generator import (
    FEWEST_PARTS,
    MOST_PARTS,
    MOST_TASKS,
    GenerationOptions,
    generated_tasks,
)

_apps = click.option(
    "--app", "apps", multiple=True, metavar="NAME",
    help="Only tasks of this app, as `calendar`; repeatable.",
)  # fmt: skip
_level = click.option("--level", type=click.Choice(LEVELS), help="How hard it is.")


@task.command()
@_apps
@_level
@json_option
def library(apps: tuple[str, ...], level: str | None, as_json: bool) -> None:
    """List the studio's own tasks, which `waymark task copy` copies into a project."""
    tasks = tasks_of(apps, level or "")
    if as_json:
        print_json({"tasks": list(map(task_values, tasks))})
    else:
        _print_table(tasks)


@task.command()
@click.argument("names", metavar="[TASK]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All of the studio's tasks.")
@in_project
@json_option
def copy(names: tuple[str, ...], everything: bool, folder: Path, as_json: bool) -> None:
    """Copy tasks of the studio into the project, where they can be changed.

    A task that the project has already stays as it is there.
    """
    if bool(names) == everything:
        raise click.UsageError(_("Name tasks of `waymark task library`, or give --all"))
    _add(built_in_tasks() if everything else tasks_named(names), folder, as_json=as_json)


@task.command()
@click.option(
    "--number",
    type=click.IntRange(1, MOST_TASKS),
    default=100,
    show_default=True,
    help="How many tasks are made.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=DEFAULT_SEED,
    show_default=True,
    help="The same seed makes the same tasks.",
)
@click.option(
    "--parts",
    metavar="FEWEST-MOST",
    default=f"{FEWEST_PARTS}-{MOST_PARTS}",
    show_default=True,
    help="How many of the studio's tasks each is made of, as `3` or `2-4`.",
)
@_apps
@_level
@click.option("--prove", "proves", is_flag=True, help="Prove each, as `waymark task prove --keep` does.")
@click.option("--dry-run", is_flag=True, help="Print the tasks and leave the project as it is.")
@project_argument
@json_option
def generate(
    number: int, seed: int, parts: str, apps: tuple[str, ...], level: str | None, proves: bool,
    dry_run: bool, folder: Path, as_json: bool,
) -> int:  # fmt: skip
    """Make longer tasks of the studio's own ones, and add them to the project.

    Each has several parts, mostly over several apps, and a target with a subtask for each part. A task that
    the project has already stays as it is there.

    Exit status: 0 all are made, and with --prove proved; 1 some are not proved.
    """
    fewest, most = _read_parts(parts)
    made = generated_tasks(GenerationOptions(number, seed, fewest, most, apps, level or ""))
    if dry_run and proves:
        raise click.UsageError(_("--prove keeps proofs in the project, which --dry-run leaves as it is"))
    if not dry_run:
        return _add(made, folder, proves=proves, as_json=as_json)
    if as_json:
        print_json({"tasks": list(map(task_values, made))})
    else:
        _print_table(made)
    return 0


def _read_parts(text: str) -> tuple[int, int]:
    first, dash, last = text.partition("-")
    try:
        fewest, most = int(first), int(last if dash else first)
    except ValueError:
        fewest = most = 0
    if not FEWEST_PARTS <= fewest <= most <= MOST_PARTS:
        raise click.UsageError(
            _("--parts is a number from {first} to {last}, or two of them as in 2-4",
              first=FEWEST_PARTS, last=MOST_PARTS)
        )  # fmt: skip
    return fewest, most


def _print_table(tasks: tuple[Task, ...]) -> None:
    rows = [(each.id, each.app, each.level, each.instruction) for each in tasks]
    print_table((_("Task"), _("App"), _("Level"), _("Instruction")), rows)


def _add(chosen: tuple[Task, ...], folder: Path, *, proves: bool = False, as_json: bool) -> int:
    """Add tasks to a project, prove the new ones when that is asked for, and say which are new."""
    project = Project.open(folder)
    tasks, new = with_added(project.tasks, chosen)
    if new:
        project.save_tasks(tasks)
    added = {each.id for each in new}
    proofs = prove_tasks(folder, [each.id for each in new], keep=True) if proves and new else []
    kept = [each.id for each in chosen if each.id not in added]
    status = int(not all(proof.is_proved for proof in proofs))
    if as_json:
        shown = [each for each in Project.open(folder).tasks if each.id in added]
        print_json({"tasks": list(map(task_values, shown)), "kept": kept})
        return status
    say(ngettext("Added {count} task", "Added {count} tasks", len(new)))
    if kept:
        say(
            ngettext("{count} task was there already, and stays as it is",
                     "{count} tasks were there already, and stay as they are", len(kept))
        )  # fmt: skip
    if proofs:
        say_proofs(proofs)
    return status
