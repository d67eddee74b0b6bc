"""``waymark project``: new, check, list, recover, index.

Every verb prints one JSON document with ``--json``; its shape is in ``docs/guide/formats.md``.
Exit status: 0 done, 1 problems found or refused, 2 wrong usage.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import click

from collector.cli.finding_output import project_finding_as_dict
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.progress import indexing_progress
from collector.cli.verb_groups import project
from collector.judge.progress.progress_of_states import state_progress
from collector.model.errors import UserError
from collector.model.essential_state import labels
from collector.model.i18n import _, ngettext
from collector.model.state_progress import STATE_WORDS, StateProgress, status_text
from collector.store.catalogue.catalogue import Catalogue
from collector.store.files.findings import ERROR, NOTICE
from collector.store.files.project_settings import SEMANTICS
from collector.store.project.project import Project
from collector.store.tasks.task_file import answer_values
from collector.store.trajectory.recover import clear_unbegun, recover_all

project_argument = click.argument("folder", type=click.Path(path_type=Path), default=".")


@project.command()
@project_argument
@click.option("--name", default="", help="Name of the project; by default the name of the folder.")
@click.option("--semantics", type=click.Choice(SEMANTICS), default=SEMANTICS[0], help="How rules are read.")
@json_option
def new(folder: Path, name: str, semantics: str, as_json: bool) -> None:
    """Create a project in FOLDER."""
    created = Project.create(folder, name, semantics=semantics)
    if as_json:
        print_json({"project": str(created.folder), "name": created.name, "semantics": created.semantics})
    else:
        say(_("Made the project {name} in {folder}", name=created.name, folder=created.folder))


@project.command()
@project_argument
@json_option
def check(folder: Path, as_json: bool) -> int:
    """Check every file of the project in FOLDER: recordings, tasks, rules, anomalies, other YAML and JSON.

    A notice says what a recording tells of itself, as a state without a tree; it is no problem.
    """
    from collector.project_check.project_check import check_every_file  # the linters take time to load

    opened = Project.open(folder, allow_damage=True)
    problems = check_every_file(opened)
    failures = [problem for problem in problems if problem.severity != NOTICE]
    errors = sum(problem.severity == ERROR for problem in failures)
    if as_json:
        print_json(
            {
                "project": opened.name,
                "errors": errors,
                "problems": [project_finding_as_dict(problem) for problem in problems],
            }
        )
        return int(bool(failures))
    for problem in problems:
        place = f"{problem.where} step {problem.steps[0]}" if problem.steps else problem.where
        say(f"{problem.severity}: {f'{place}: ' if place else ''}{problem.what} [{problem.code}]")
    say(
        ngettext("{count} problem", "{count} problems", len(failures))
        if failures
        else _("Everything is in order")
    )
    return int(bool(failures))


@project.command("list")
@project_argument
@click.option(
    "--states",
    "wanted",
    metavar="WORD",
    type=click.Choice(STATE_WORDS),
    help="Only tasks whose essential states are so: " + ", ".join(STATE_WORDS) + ".",
)
@json_option
def list_tasks(folder: Path, wanted: str | None, as_json: bool) -> None:
    """List the tasks of the project in FOLDER with their golden trajectories and essential states."""
    opened = Project.open(folder)
    with Catalogue(opened) as catalogue:
        catalogue.refresh(indexing_progress())
        golden = catalogue.golden_of_tasks()
    states, progress = opened.states, _progress(opened)
    tasks = [
        task
        for task in opened.tasks
        if wanted is None or progress[task.id].matches(wanted, task.golden_wanted)
    ]
    if as_json:
        rows = [
            {
                "id": task.id,
                "instruction": task.instruction,
                "app": task.app,
                "package": task.package,
                "level": task.level,
                "category": task.category,
                "type": task.type,
                "language": task.language,
                "app_category": task.app_category,
                "essential_states": [
                    {"id": state_id, "sentence": sentence}
                    for state_id, sentence in zip(
                        task.essential_states, labels(task.essential_states, states), strict=True
                    )
                ],
                "expected_answer": answer_values(task.expected_answer) if task.expected_answer else None,
                "human_validation": task.human_validation,
                "golden": golden.get(task.id, 0),
                "golden_wanted": task.golden_wanted,
                "states": _progress_as_dict(progress[task.id], task.golden_wanted),
            }
            for task in tasks
        ]
        print_json({"project": opened.name, "tasks": rows})
    elif tasks:
        print_table(
            ("TASK", "APP", "LEVEL", "GOLDEN", "STATES", "STATUS", "VERIFIED", "INSTRUCTION"),
            [
                (
                    task.id,
                    task.app or task.package,
                    task.level,
                    f"{golden.get(task.id, 0)}/{task.golden_wanted}",
                    progress[task.id].count,
                    status_text(progress[task.id].status) or "-",
                    _verified(progress[task.id]),
                    task.instruction,
                )
                for task in tasks
            ],
        )
    elif opened.tasks:
        say(_("No task has such essential states"))
    else:
        say(_("The project has no tasks yet"))


def _progress(opened: Project) -> Mapping[str, StateProgress]:
    """How far the states of each task are; said to be unknown when a rule file cannot be read."""
    try:
        return state_progress(opened)
    except UserError as error:
        say(str(error), err=True)
        return defaultdict(StateProgress)


def _verified(progress: StateProgress) -> str:
    """Golden trajectories that reach the states, of how many; a dash where no rule judges."""
    return f"{progress.verified}/{progress.golden}" if progress.by_rules else "-"


def _progress_as_dict(progress: StateProgress, wanted: int) -> dict[str, object]:
    return {
        "by_rules": progress.by_rules,
        "by_people": progress.by_people,
        "status": progress.status,
        "golden": progress.golden,
        "verified": progress.verified,
        "unjudged": progress.unjudged,
        "is_verified": progress.is_verified(wanted),
        "reached": sorted(progress.reached),
        "missed": sorted(progress.missed),
    }


@project.command()
@project_argument
@json_option
def recover(folder: Path, as_json: bool) -> int:
    """Recover the trajectories of FOLDER whose recording was cut short."""
    opened = Project.open(folder)
    results = recover_all(opened.trajectory_folders())
    cleared = [opened.paths.relative(path) for path in clear_unbegun(opened.task_folders())]
    status = 1 if any(result.problem for result in results) else 0
    if as_json:
        rows = [
            {
                "trajectory": opened.paths.relative(result.folder),
                "steps": result.steps,
                "mended": list(result.sentences),
                "problem": result.problem,
            }
            for result in results
        ]
        print_json({"project": opened.name, "recovered": rows, "cleared": cleared})
        return status
    for result in results:
        safe = ngettext("{count} step is safe", "{count} steps are safe", result.steps)
        say(f"{opened.paths.relative(result.folder)}: {result.problem or safe}")
        for sentence in result.sentences:
            say(f"  {sentence}")
    for place in cleared:
        say(_("{place}: ended before its first step and was cleared away", place=place))
    if not results and not cleared:
        say(_("Nothing needed to be recovered"))
    return status


@project.command()
@project_argument
@json_option
def index(folder: Path, as_json: bool) -> None:
    """Rebuild the search catalogue of FOLDER from its files."""
    opened = Project.open(folder)
    with Catalogue(opened) as catalogue:
        catalogue.rebuild(indexing_progress())
        statuses = catalogue.statuses()
    total = sum(statuses.values())
    if as_json:
        print_json({"project": opened.name, "trajectories": total, "by_status": statuses})
    else:
        say(ngettext("Indexed {count} trajectory", "Indexed {count} trajectories", total))
