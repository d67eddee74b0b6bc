"""The essential states of a project in one table, and the golden trajectories that miss one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.registry import RULES_JUDGE, create_judge
from collector.model.essential_state import PROPOSED
from collector.model.verdicts.judgement import MISSED, STATE
from collector.project_rules.project_rules import ProjectRules
from collector.rules.evaluation.task_states import TaskStates, states_judged_by_rules
from collector.rules.grammar.model import STATE as STATE_RULE
from collector.rules.grammar.model import Group


@dataclass(frozen=True, slots=True)
class ListedState:
    """One essential state as its file has it, and the tasks it belongs to."""

    id: str
    sentence: str
    status: str
    tasks: tuple[str, ...]
    """Ids of the tasks that name it, and of the task that it names; empty for a state of every task."""
    after: tuple[str, ...]
    optional: bool
    alternatives: tuple[str, ...]
    conditions: int
    """How many conditions it has, those inside groups counted, the groups not."""
    judged_by_rules: bool
    """Whether a rule can judge it: it has conditions, or an alternative that a rule can judge."""


@dataclass(frozen=True, slots=True)
class MissedState:
    """A state that a golden trajectory of its task does not reach."""

    trajectory: str
    task: str
    state: str
    reason: str


def state_rows(project: ProjectRules, task_id: str = "") -> list[ListedState]:
    """Every essential state in the order of the files; with ``task_id`` those followed in that task.

    Raises RuleError when a rule file cannot be read.
    """
    states = [rule for rule in project.rules() if rule.kind == STATE_RULE]
    tasks = project.project.tasks
    judged = states_judged_by_rules(states)
    shown = TaskStates(states, tasks).of(task_id, project.project.task(task_id)) if task_id else states
    return [
        ListedState(
            state.id, state.description, state.status or PROPOSED,
            tuple(dict.fromkeys([
                *(task.id for task in tasks if state.id in task.essential_states),
                *([state.task] if state.task else []),
            ])),
            state.after, state.optional, state.alternatives,
            sum(not isinstance(condition, Group) for condition in state.conditions.walk()),
            state.id in judged,
        )
        for state in shown
    ]  # fmt: skip


def missed_by_goldens(project: ProjectRules, task_id: str = "") -> Iterator[MissedState]:
    """The states, not optional, that rules miss in golden trajectories; runs are not looked at."""
    rules, tasks = project.rules(), project.project.tasks
    judge = create_judge(RULES_JUDGE, project.project)
    for stored in project.project.open_trajectories():
        header = stored.header
        if not header.is_golden or task_id not in ("", header.task_id):
            continue
        trajectory = JudgedTrajectory.of(stored, tasks, rules)
        optional = {state.id for state in trajectory.states if state.optional}
        for item in judge.judge(trajectory):
            subject = item.subject
            if subject.kind == STATE and item.verdict == MISSED and subject.state not in optional:
                yield MissedState(header.id, header.task_id, subject.state, item.reason)
