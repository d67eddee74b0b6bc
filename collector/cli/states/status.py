"""``waymark states status``, ``history`` and ``undo``: how far the states are, and who did what."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.shared_options import as_person, in_project, project_argument
from collector.cli.states.options import open_work, task_verb
from collector.cli.verb_groups import states
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.project_rules.project_rules import ProjectRules
from collector.states.task_status import ROLE_TITLES, STAGE_TITLES, TaskStatus, project_status, task_status
from collector.states.work_files.state_work import StateWork
from collector.states.work_history import history_of
from collector.states.work_undo import undo_last

_LONGEST = 100


@states.command()
@click.argument("task_id", metavar="[TASK]", default="")
@as_person
@in_project
@json_option
def status(task_id: str, who: str, folder: Path, as_json: bool) -> None:
    """Show how far the states of TASK are, or those of every task: who, when, and what comes next."""
    work = open_work(folder)
    ProjectRules(work.project).rules()  # a file of states that cannot be read is no file without states
    if task_id:
        _require_task(work, task_id)
    shown = [task_status(work, task_id, who)] if task_id else project_status(work, who)
    if as_json:
        print_json({"tasks": list(map(asdict, shown))})
    elif task_id:
        _print_one(shown[0])
    else:
        print_table(
            ("TASK", "STAGE", "OPERATORS", "AUDITORS", "STATES", "NEXT"),
            [
                (item.task, _(STAGE_TITLES[item.stage]), _people(item, "operator"), _people(item, "auditor"),
                 len(item.states), item.sentence)
                for item in shown
            ],
            last=_LONGEST,
        )  # fmt: skip


@states.command()
@task_verb
def history(task_id: str, who: str, folder: Path, as_json: bool) -> None:
    """Show every act on the states of TASK: proposals, definition and audits, with who and when."""
    work = open_work(folder)
    _require_task(work, task_id)
    of_task = work.of_task(task_id)
    entries = history_of(of_task, who)
    if as_json:
        print_json({"task": task_id, "history": list(map(asdict, entries))})
        return
    for entry in entries:
        say(f"{entry.time[:19]}  {entry.sentence}")
    for problem in of_task.problems:
        say(str(problem), err=True)
    if not entries:
        say(_("Nobody has proposed states"))


@states.command()
@as_person
@project_argument
@json_option
def undo(who: str, folder: Path, as_json: bool) -> None:
    """Undo your last change of the states by a command of this group; again, the one before it.

    Changes of proposals, definitions and audits, suggestions that were written, and imports. What was
    changed since in another place stays.
    """
    undone = undo_last(open_work(folder), who)
    if as_json:
        print_json({"undone": undone.title, "who": who, "states": [item.id for item in undone.states]})
    else:
        say(_("Undone: {title}", title=undone.title))


def _require_task(work: StateWork, task_id: str) -> None:
    if work.project.task(task_id) is None:
        raise UserError(_("There is no task {id}", id=task_id), "", _("`waymark task list` shows them"))


def _print_one(item: TaskStatus) -> None:
    say(f"{item.task}  {_(STAGE_TITLES[item.stage])}: {item.sentence}")
    for person in item.people:
        signed = _("signed {time}", time=person.signed[:19]) if person.signed else _("not signed")
        say(f"  {_(ROLE_TITLES[person.role])}  {person.who or '-'}  {signed}")
    if item.definition_started:
        done = _("finished {time}", time=item.definition_finished[:19])
        by = item.definition_finished_by or item.definition_started_by
        definition, unfinished = _("definition"), _("not finished")
        say(f"  {definition}  {by or '-'}  {done if item.definition_finished else unfinished}")
    print_table(
        ("STATE", "STATUS", "BY", "SINCE", "SENTENCE"),
        [
            (state.id, state.status, ", ".join(state.who) or "-", state.time[:19] or "-", state.sentence)
            for state in item.states
        ],
        last=_LONGEST,
    )
    for warning in item.warnings:
        say(warning)


def _people(item: TaskStatus, role: str) -> str:
    return ", ".join(
        f"{person.who or '-'}{'' if person.signed else '…'}" for person in item.people if person.role == role
    )
