"""``waymark states list`` and ``check``: the essential states of a project."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import click

from collector.cli.diagnostic_output import as_dict, counts_of, print_diagnostics
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.shared_options import project_argument
from collector.cli.verb_groups import states
from collector.judge.progress.state_overview import ListedState, missed_by_goldens, state_rows
from collector.located_yaml.diagnostics import has_errors
from collector.model.errors import UserError
from collector.model.essential_state import AGREED
from collector.model.i18n import _, ngettext
from collector.project_rules.project_linter import project_linter, state_diagnostics
from collector.project_rules.project_rules import ProjectRules
from collector.states.task_status import edited_since_audit
from collector.states.work_files.state_work import StateWork

_task_option = click.option("--task", "task_id", metavar="ID", default="", help="Only those of one task.")


@states.command("list")
@project_argument
@_task_option
@json_option
def list_(folder: Path, task_id: str, as_json: bool) -> None:
    """List the essential states of a project, with their tasks, order, conditions and status."""
    project = _project(folder, task_id)
    edited = edited_since_audit(StateWork(project.project))
    rows = [replace(row, status=AGREED) if row.id in edited else row for row in state_rows(project, task_id)]
    if as_json:
        print_json({"states": list(map(asdict, rows))})
        return
    print_table(
        ("STATE", "STATUS", "TASKS", "AFTER", "JUDGED BY", "SENTENCE"),
        [(_name(row), row.status, ", ".join(row.tasks) or _("all"), ", ".join(row.after) or "-",
          _judged_by(row), row.sentence) for row in rows],
    )  # fmt: skip
    say(ngettext("{count} essential state", "{count} essential states", len(rows)))


@states.command()
@project_argument
@_task_option
@json_option
def check(folder: Path, task_id: str, as_json: bool) -> int:
    """Check essential states: their files, their order, and that each golden trajectory reaches them.

    The exit status is 1 when there is an error, or a golden trajectory misses a state that is not optional.
    """
    project = _project(folder, task_id)
    diagnostics = list(state_diagnostics(project_linter(project)))
    if task_id:
        shown = {row.id for row in state_rows(project, task_id)}
        diagnostics = [item for item in diagnostics if not item.rule_id or item.rule_id in shown]
    missed = list(missed_by_goldens(project, task_id))
    if as_json:
        print_json(
            {
                "findings": list(map(as_dict, diagnostics)),
                "counts": counts_of(diagnostics),
                "missed": list(map(asdict, missed)),
            }
        )
    else:
        for item in missed:
            what = _("{trajectory} does not reach {state}", trajectory=item.trajectory, state=item.state)
            say(f"{item.task}: {what}: {item.reason}")
        print_diagnostics(diagnostics)
    return int(has_errors(diagnostics) or bool(missed))


def _project(folder: Path, task_id: str) -> ProjectRules:
    """The project in a folder. Raises UserError when it has no such task."""
    project = ProjectRules.open(folder)
    if task_id and project.project.task(task_id) is None:
        raise UserError(_("There is no task {id}", id=task_id), "", _("`waymark task list` shows them"))
    return project


def _name(row: ListedState) -> str:
    return _("{state} (optional)", state=row.id) if row.optional else row.id


def _judged_by(row: ListedState) -> str:
    if row.conditions:
        return ngettext("{count} condition", "{count} conditions", row.conditions)
    return _("its alternatives") if row.judged_by_rules else _("people")
