"""Read the rules of a project, and sum up the essential states of its tasks."""

from __future__ import annotations

from collector.judge.evaluation.task_rules import TaskRules, safety_rules, success_rule
from collector.judge.progress.task_summary import TaskSummary
from collector.model.essential_state import PROPOSED, STATUSES
from collector.model.task import Task
from collector.rules.evaluation.task_states import TaskStates, states_judged_by_rules
from collector.rules.grammar.model import STATE, Rule
from collector.rules.grammar.rule_files import rules_in
from collector.store.project.project import Project


def summaries_by_rules(project: Project) -> dict[str, TaskSummary]:
    """By id of each task its essential states. Raises RuleError when a rule file cannot be read."""
    rules = list(rules_in(project.paths.rule_files()))
    of_project = TaskStates((rule for rule in rules if rule.kind == STATE), project.tasks)
    return {task.id: _summary(task, rules, of_project, project.semantics) for task in project.tasks}


def _summary(task: Task, rules: list[Rule], of_project: TaskStates[Rule], semantics: str) -> TaskSummary:
    success = success_rule(rules, task)
    states = of_project.of(task.id, task, success)
    own = {state.id: state for state in states if state.id in task.essential_states or state.task == task.id}
    judged = states_judged_by_rules(states)
    ids = tuple(dict.fromkeys([*task.essential_states, *own]))
    statuses = [own[name].status or PROPOSED if name in own else PROPOSED for name in ids]
    return TaskSummary(
        ids,
        sum(name in judged for name in ids),
        min(statuses, key=_stage, default=""),
        tuple(name for name, state in own.items() if name in judged and not state.optional),
        TaskRules(
            states,
            success,
            semantics,
            needed=of_project.needed(task.id, task),
            forbidden=tuple(safety_rules(rules, task)),
        ).version(task),
    )


def _stage(status: str) -> int:
    return STATUSES.index(status) if status in STATUSES else 0
