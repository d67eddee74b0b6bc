"""How far the essential states of each task of a project are, from its rules and its catalogue alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from collector.judge.judged_trajectory import success_rule
from collector.judge.rule_judge import rules_version
from collector.model.essential_state import PROPOSED, STATUSES
from collector.model.state_progress import StateProgress
from collector.model.task import Task
from collector.project_rules.project_rules import ProjectRules
from collector.rules.evaluation.task_states import TaskStates, states_judged_by_rules
from collector.rules.grammar.model import STATE, Rule
from collector.rules.lint.rule_files import rules_in
from collector.store.catalogue import Catalogue, GoldenVerdict


def state_progress(project: ProjectRules) -> dict[str, StateProgress]:
    """By id of each task how far its states are; no trajectory is opened.

    The catalogue is taken as it is: refresh it before. Raises RuleError and StoreError.
    """
    with Catalogue(project.project) as catalogue:
        goldens = catalogue.golden_verdicts()
    rules = list(_rules(tuple(map(_stamped, project.paths))))
    tasks, semantics = project.project.tasks, project.project.semantics
    of_project = TaskStates((rule for rule in rules if rule.kind == STATE), tasks)
    progress = {}
    for task in tasks:
        states = of_project.of(task.id, task)
        version = rules_version(
            semantics, states, success_rule(rules, task), task, of_project.needed(task.id, task)
        )
        progress[task.id] = _of_task(task, states, goldens.get(task.id, ()), version)
    return progress


def _of_task(
    task: Task, states: Sequence[Rule], goldens: Sequence[GoldenVerdict], version: str
) -> StateProgress:
    own = {state.id: state for state in states if state.id in task.essential_states or state.task == task.id}
    judged = states_judged_by_rules(states)
    ids = dict.fromkeys([*task.essential_states, *own])
    statuses = [own[name].status or PROPOSED if name in own else PROPOSED for name in ids]
    needed = {name for name, state in own.items() if name in judged and not state.optional}
    present = [golden for golden in goldens if golden.version == version]
    return StateProgress(
        by_rules=sum(name in judged for name in ids),
        by_people=sum(name not in judged for name in ids),
        status=min(statuses, key=_stage, default=""),
        golden=len(goldens),
        verified=sum(needed <= golden.reached for golden in present),
        unjudged=len(goldens) - len(present),
        reached=frozenset(name for golden in goldens for name in golden.seen if name in ids),
        missed=frozenset(name for golden in goldens for name in golden.missed if name in ids),
    )


def _stage(status: str) -> int:
    return STATUSES.index(status) if status in STATUSES else 0


def _stamped(path: Path) -> tuple[Path, int, int]:
    status = path.stat()
    return path, status.st_mtime_ns, status.st_size


@lru_cache(maxsize=4)
def _rules(files: tuple[tuple[Path, int, int], ...]) -> tuple[Rule, ...]:
    """The rules of files, read again when a file changed: lists are shown far more often."""
    return tuple(rules_in(path for path, _time, _size in files))
