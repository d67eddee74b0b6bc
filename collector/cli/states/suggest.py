"""``waymark states suggest``: essential states that two golden trajectories and a success rule propose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.progress import screen_progress
from collector.cli.shared_options import as_person, in_project
from collector.cli.step_numbers import step_numbers
from collector.cli.verb_groups import states
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.project_rules.project_rules import ProjectRules
from collector.states.suggestions.suggest import SuggestionRequest, add_suggestions, suggest_states
from collector.states.suggestions.suggestion import StateSuggestion, StateSuggestions
from collector.states.work_undo import remember_change


@states.command()
@click.argument("task")
@in_project
@click.option(
    "--golden",
    "goldens",
    metavar="ID",
    multiple=True,
    help="A golden trajectory to compare, given twice; the newest of two people by default.",
)
@click.option("--shared", is_flag=True, help="Also what golden trajectories of other tasks went through.")
@as_person
@click.option("--write", is_flag=True, help="Add the suggestions to the task.")
@click.option("--only", metavar="ID", multiple=True, help="Of the suggestions add these alone.")
@json_option
def suggest(
    task: str, folder: Path, goldens: tuple[str, ...], shared: bool, who: str, write: bool,
    only: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Suggest essential states of TASK: what two golden trajectories have in common and others have not,
    and the clauses of its success rule. Each says why, and which step of each trajectory reaches it."""
    project = ProjectRules.open(folder)
    result = suggest_states(project, SuggestionRequest(task, goldens, shared, who), screen_progress())
    chosen = result.chosen(_ids(result, only)) if write or only else []
    if write:
        remember_change(project.project, who, add_suggestions(project.project, task, chosen))
    if as_json:
        print_json(_as_dict(result, [item.id for item in chosen] if write else []))
        return
    shown = [item for item in result.suggestions if not only or item.id in only]
    if shown:
        print_table(
            ("STATE", "SCORE", "STEPS", "AFTER", "FROM", "SENTENCE"),
            [(item.id, item.score, _steps(item), ", ".join(item.after) or "-", item.source, item.sentence)
             for item in shown],
        )  # fmt: skip
    for item in shown:
        say(f"{item.id}: {item.reason}")
    for sentence in (*result.missing, *result.left_out):
        say(sentence)
    if write:
        say(ngettext("{count} essential state added to {task}", "{count} essential states added to {task}",
                     len(chosen), task=task))  # fmt: skip
    elif not shown:
        say(_("There is nothing to suggest"))


def _ids(result: StateSuggestions, only: tuple[str, ...]) -> list[str]:
    known = [item.id for item in result.suggestions]
    unknown = [name for name in only if name not in known]
    if unknown:
        raise UserError(
            _("{id} is not suggested for {task}", id=unknown[0], task=result.task),
            "",
            _("Name one of: {known}", known=", ".join(known) or "-"),
        )
    return list(only) or known


def _steps(item: StateSuggestion) -> str:
    return step_numbers(item.steps.values()) or "-"


def _as_dict(result: StateSuggestions, added: list[str]) -> dict[str, Any]:
    return {
        "task": result.task,
        "goldens": [{"id": golden.id, "who": golden.who, "title": golden.title} for golden in result.goldens],
        "suggestions": [
            {
                "id": item.id, "sentence": item.sentence, "conditions": item.plain_conditions,
                "after": list(item.after), "steps": dict(item.steps), "source": item.source,
                "score": item.score, "reason": item.reason,
            }
            for item in result.suggestions
        ],
        "missing": list(result.missing),
        "left_out": list(result.left_out),
        "added": added,
    }  # fmt: skip
