"""``waymark task new`` and ``edit``: add tasks, and change what they say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from collector.cli.finding_output import finding_text, project_finding_as_dict
from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import in_project
from collector.cli.verb_groups import task
from collector.model.errors import UserError
from collector.model.expected_answer import ANY_OF, EXACT, MATCHING_RULES, ExpectedAnswer
from collector.model.i18n import _
from collector.model.task import LEVELS, RESETS, TASK_TYPES, Task, read_rewordings
from collector.model.task_parameter import read_parameter_lines
from collector.model.user_reply import read_reply_lines
from collector.project_check.task_findings import task_findings
from collector.store.files.findings import ERROR
from collector.store.project.project import Project
from collector.store.tasks.task_file import task_values
from collector.store.tasks.task_ids import changed_task, with_new_task

_TEXTS: dict[str, tuple[str, str]] = {
    "app": ("--app", "Name of the app, as people read it."),
    "package": ("--package", "Android package of the app."),
    "category": ("--category", "As `operation` or `information retrieval`."),
    "language": ("--language", "Of instruction and app, as `en`."),
    "app_category": ("--app-category", "What kind of app it is, as `Shopping`."),
    "rule_key": ("--success", "Id of its success rule."),
    "note": ("--note", "A remark for people."),
}
_CHOICES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "level": ("--level", LEVELS, "How hard it is."),
    "type": ("--type", TASK_TYPES, "Whether its last state alone shows that it is done."),
    "reset": ("--reset", RESETS, "What is reset before each recording."),
}
_LISTS: dict[str, tuple[str, str]] = {
    "target_rule_ids": ("--rule", "Id of an injection rule meant for it; repeatable, an empty one for none."),
    "essential_states": (
        "--state",
        "Id of an essential state, in order; repeatable, an empty one for none.",
    ),
    "forbidden": ("--never", "Id of a safety rule of it; repeatable, an empty one for none."),
}


def _task_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say what a task is; what is not given is None, or empty when it is repeatable."""
    options = [click.option(name, key, help=text) for key, (name, text) in _TEXTS.items()]
    options += [
        click.option(name, key, type=click.Choice(known), help=text)
        for key, (name, known, text) in _CHOICES.items()
    ]
    options += [
        click.option(name, key, multiple=True, metavar="ID", help=text)
        for key, (name, text) in _LISTS.items()
    ]
    options += [
        click.option("--max-steps", type=click.IntRange(0), help="Steps at most; 0 for no limit."),
        click.option("--golden", "golden_wanted", type=click.IntRange(0),
                     help="How many golden trajectories it needs."),
        click.option("--answer", "answers", multiple=True, metavar="TEXT",
                     help="An answer that it wants to hear; repeatable, an empty one for none."),
        click.option("--answer-rule", type=click.Choice(MATCHING_RULES), help="How answers are compared."),
        click.option("--rewording", "rewordings", multiple=True, metavar="STYLE:TEXT",
                     help="The instruction in another style, as `casual:Get me a poster`; repeatable, "
                          "an empty one for none."),
        click.option("--reply", "replies", multiple=True, metavar="QUESTION->ANSWER",
                     help="What the user answers when an agent asks, as `which day -> On Friday`, with `!` "
                          "before a question that has to be asked; repeatable, an empty one for none."),
        click.option("--parameter", "parameters", multiple=True, metavar="NAME:VALUES",
                     help="A name in braces and what it is drawn from, as `title: Milk | Bread`, "
                          "`title: 2 words`, `count: 1 to 9`, `day: 2026-12-01 to 2026-12-24 as %e %B` or "
                          "`who: phone contacts.contacts.name`; repeatable, an empty one for none."),
        click.option("--human/--no-human", "human_validation", default=None,
                     help="Whether a person judges it, because no rule can."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@task.command()
@click.argument("task_id", metavar="[TASK]", default="")
@click.option("--instruction", required=True, help="What the person or agent has to do.")
@_task_options
@in_project
@json_option
def new(task_id: str, instruction: str, folder: Path, as_json: bool, **given: Any) -> int:
    """Add a task to the project under the id TASK, by default one of the words of its instruction.

    App, package and language that are not given are those of the last task, or of the last task with the
    given app or package.
    """
    project = Project.open(folder)
    tasks, added = with_new_task(project.tasks, instruction, task_id, _values(given, None))
    project.save_tasks(tasks)
    return _print(project, added, _("Added the task {id}", id=added.id), as_json=as_json)


@task.command()
@click.argument("task_id", metavar="TASK")
@click.option("--instruction", help="What the person or agent has to do.")
@_task_options
@in_project
@json_option
def edit(task_id: str, instruction: str | None, folder: Path, as_json: bool, **given: Any) -> int:
    """Change TASK; what is not given stays as it is."""
    project = Project.open(folder)
    before = project.task(task_id)
    if before is None:
        raise UserError(_("There is no task {id}", id=task_id), "", _("`waymark task list` shows them"))
    values = _values(given, before.expected_answer)
    if instruction is not None:
        values["instruction"] = instruction
    if not values:
        raise click.UsageError(_("Nothing is changed: give an option of `waymark task edit --help`"))
    changed = replace(before, **values)
    project.save_tasks(changed_task(project.tasks, changed))
    return _print(project, changed, _("Changed the task {id}", id=changed.id), as_json=as_json)


def _values(given: dict[str, Any], known: ExpectedAnswer | None) -> dict[str, Any]:
    """The fields of a task that were given. Raises click.UsageError for options that say nothing."""
    answers, rule, lines = given.pop("answers"), given.pop("answer_rule"), given.pop("rewordings")
    replies, parameters = given.pop("replies"), given.pop("parameters")
    values = {key: value for key, value in given.items() if value is not None and key not in _LISTS}
    values |= {key: tuple(filter(None, given[key])) for key in _LISTS if given[key]}
    if lines:
        try:
            values["rewordings"] = read_rewordings(lines)
        except ValueError as error:
            raise click.UsageError(f"--rewording: {error}") from None
    if parameters:
        try:
            values["parameters"] = read_parameter_lines(parameters)
        except ValueError as error:
            raise click.UsageError(f"--parameter: {error}") from None
    if replies:
        try:
            values["replies"] = read_reply_lines(replies)
        except ValueError as error:
            raise click.UsageError(f"--reply: {error}") from None
    texts = tuple(filter(None, answers)) or (known.texts if known is not None and not answers else ())
    if rule is not None and not texts:
        raise click.UsageError(_("--answer-rule compares answers: give --answer"))
    if answers or rule is not None:
        default = EXACT if len(texts) == 1 else ANY_OF
        values["expected_answer"] = ExpectedAnswer(texts, rule or default) if texts else None
    return values


def _print(project: Project, shown: Task, done: str, *, as_json: bool) -> int:
    """Say what was done and what is wrong with the task now; the exit status."""
    findings = task_findings(project, shown.id)
    if as_json:
        print_json(
            {"task": task_values(shown), "problems": [project_finding_as_dict(each) for each in findings]}
        )
    else:
        say(done)
        for finding in findings:
            say(f"{finding.severity}: {finding_text(finding)} [{finding.code}]")
    return int(any(finding.severity == ERROR for finding in findings))
