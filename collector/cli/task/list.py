"""``waymark task list``: the tasks with their golden trajectories and essential states."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.progress import indexing_progress
from collector.cli.shared_options import project_argument
from collector.cli.verb_groups import task
from collector.judge.progress.progress_of_states import state_progress
from collector.model.app_data.kept_proof import length_text
from collector.model.errors import UserError
from collector.model.essential_state import EssentialState, labels
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.verdicts.state_progress import STATE_WORDS, StateProgress, status_text
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project
from collector.store.tasks.parameter_entry import parameter_values
from collector.store.tasks.task_file import answer_values, reply_values


@task.command("list")
@project_argument
@click.option(
    "--states",
    "wanted",
    metavar="WORD",
    type=click.Choice(STATE_WORDS),
    help="Only tasks whose essential states are so: " + ", ".join(STATE_WORDS) + ".",
)
@json_option
def list_tasks(folder: Path, wanted: str | None, as_json: bool) -> int:
    """List the tasks of PROJECT with their golden trajectories and essential states.

    The exit status is 1 when a rule file cannot be read: how far the states are is unknown then.
    """
    opened = Project.open(folder)
    with Catalogue(opened) as catalogue:
        catalogue.refresh(indexing_progress())
        golden = catalogue.golden_of_tasks()
    states, progress = opened.states, _progress(opened)
    status = int(progress is None)
    progress = defaultdict(StateProgress) if progress is None else progress
    tasks = [
        task
        for task in opened.tasks
        if wanted is None or progress[task.id].matches(wanted, task.golden_wanted)
    ]
    if as_json:
        rows = [
            {
                **_task_as_dict(task, states),
                "golden": golden.get(task.id, 0),
                "golden_wanted": task.golden_wanted,
                "states": _progress_as_dict(progress[task.id], task.golden_wanted),
            }
            for task in tasks
        ]
        print_json({"project": opened.name, "tasks": rows})
    elif tasks:
        print_table(
            ("TASK", "APP", "LEVEL", "GOLDEN", "STATES", "STATUS", "VERIFIED", "PROOF", "INSTRUCTION"),
            [
                (
                    task.id,
                    task.app or task.package,
                    task.level,
                    f"{golden.get(task.id, 0)}/{task.golden_wanted}",
                    progress[task.id].count,
                    status_text(progress[task.id].status) or "-",
                    _verified(progress[task.id]),
                    _proof(task),
                    task.instruction,
                )
                for task in tasks
            ],
        )
    elif opened.tasks:
        say(_("No task has such essential states"))
    else:
        say(_("The project has no tasks yet"))
    return status


def _task_as_dict(task: Task, states: Mapping[str, EssentialState]) -> dict[str, Any]:
    """What a task says, for JSON; ``states`` are the essential states by their ids."""
    sentences = labels(task.essential_states, states)
    return {
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
            for state_id, sentence in zip(task.essential_states, sentences, strict=True)
        ],
        "forbidden": list(task.forbidden),
        "expected_answer": answer_values(task.expected_answer) if task.expected_answer else None,
        "parameters": parameter_values(task.parameters),
        "replies": [reply_values(reply) for reply in task.replies],
        "target": dict(task.target.source) if task.target else None,
        "proof": task.proof.as_dict() if task.proof else None,
        "human_validation": task.human_validation,
    }


def _progress(opened: Project) -> Mapping[str, StateProgress] | None:
    """How far the states of each task are; None, and said, when a rule file cannot be read."""
    try:
        return state_progress(opened)
    except UserError as error:
        say(str(error), err=True)
        return None


def _verified(progress: StateProgress) -> str:
    """Golden trajectories that reach the states, of how many; a dash where no rule judges."""
    return f"{progress.verified}/{progress.golden}" if progress.by_rules else "-"


def _proof(task: Task) -> str:
    """In how many actions the target was reached; a dash where it was not, or was another one."""
    proof = task.proof
    if proof is None or task.target is None or proof.target != task.target.version:
        return "-"
    return length_text(proof.at_least, proof.length)


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
