"""``waymark states import`` and ``export``. Only this module of the group loads the formats."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from collector.cli.finding_output import import_finding_as_dict
from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import as_person, force_option, in_project, write_new_file
from collector.cli.verb_groups import states
from collector.exchange.exchange_reports import line_of
from collector.exchange.imports import state_files
from collector.exchange.imports.state_import import StateImportResult, import_states
from collector.model.errors import UserError
from collector.model.essential_state import EssentialState
from collector.model.i18n import _, ngettext
from collector.model.task import Task
from collector.states.work_change import StateWorkChange
from collector.states.work_undo import remember_change
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange


@states.command("import")
@click.argument(
    "paths", metavar="FILE...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path)
)
@click.option("--task", "task_id", metavar="ID", default="", help="The task that names the states.")
@as_person
@in_project
@json_option
def import_(paths: tuple[Path, ...], task_id: str, who: str, folder: Path, as_json: bool) -> None:
    """Import essential states: files of `states export`, LlamaTouch's traces or .ess, MobiFlow's YAML.

    A state that the project has stays as it is. What did not translate is said.
    """
    project = Project.open(folder)
    result = import_states(project, paths, task_id)
    if result.new or result.named:
        remember_change(project, who, _change(project.task(task_id), result))
    if as_json:
        print_json(
            {
                "states": [state.id for state in result.new],
                "named": result.named,
                "findings": list(map(import_finding_as_dict, result.findings)),
            }
        )
        return
    for state in result.new:
        say(f"{state.id}  {state.label}")
    for finding in result.findings:
        say(line_of(finding))
    say(ngettext("{count} essential state imported", "{count} essential states imported", len(result.new)))
    if result.named:
        count = len(result.named)
        say(ngettext("{task} names {count} more", "{task} names {count} more", count, task=task_id))


def _change(task: Task | None, result: StateImportResult) -> StateWorkChange:
    """What an import did to the states, and to the task that names them now."""
    named = None
    if task is not None:
        before = tuple(name for name in task.essential_states if name not in result.named)
        named = replace(task, essential_states=before), task
    count = len(result.new)
    title = ngettext("import {count} essential state", "import {count} essential states", count)
    return StateWorkChange(title, None, None, tuple(StateChange(None, state) for state in result.new), named)


@states.command()
@click.argument("target", metavar="[FILE]", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--task", "task_id", metavar="ID", default="", help="Only those that the task names.")
@click.option(
    "--format", "format_id", type=click.Choice(state_files.FORMATS),
    help="As the ending of FILE says by default; yaml without one.",
)  # fmt: skip
@force_option
@in_project
def export(
    target: Path | None, task_id: str, format_id: str | None, replaces: bool, folder: Path
) -> None:  # fmt: skip
    """Write the essential states of a project to FILE, else to the terminal; `states import` reads them."""
    chosen = _chosen(Project.open(folder), task_id)
    ending = target.suffix.removeprefix(".").lower() if target is not None else ""
    format_id = format_id or {"yml": state_files.YAML, "": state_files.YAML}.get(ending, ending)
    if format_id not in state_files.FORMATS:
        raise click.UsageError(
            _("The ending of {name} is no format: give --format, one of {known}",
              name=target.name if target is not None else "", known=", ".join(state_files.FORMATS))
        )  # fmt: skip
    if format_id == state_files.CSV and (lost := state_files.not_in_csv(chosen)):
        say(_("A table has no column for: {keys}", keys=", ".join(lost)), err=True)
    text = state_files.written(chosen, format_id)
    if target is None:
        say(text.rstrip())
        return
    write_new_file(target, text, replaces=replaces)
    say(
        ngettext(
            "{count} essential state written to {path}", "{count} essential states written to {path}",
            len(chosen), path=target,
        )
    )  # fmt: skip


def _chosen(project: Project, task_id: str) -> list[EssentialState]:
    if not task_id:
        return list(project.states.values())
    task = project.task(task_id)
    if task is None:
        raise UserError(_("There is no task {id}", id=task_id), "", _("`waymark task list` shows them"))
    return [
        state
        for state in project.states.values()
        if state.id in task.essential_states or state.task == task_id
    ]
