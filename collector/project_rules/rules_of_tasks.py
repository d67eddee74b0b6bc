"""Which rules a task names: success rule, injection rules, essential states, and what must never happen."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from collector.model.task import Task
from collector.rules.grammar.model import INJECTION, SAFETY, STATE, SUCCESS

_LISTS = {INJECTION: "target_rule_ids", STATE: "essential_states", SAFETY: "forbidden"}
"""By kind of rule, the field of a task that lists those it names."""


def rules_named(task: Task, kind: str) -> tuple[str, ...]:
    """The ids of the rules of a kind that a task names."""
    if kind == SUCCESS:
        return (task.rule_key,) if task.rule_key else ()
    names: tuple[str, ...] = getattr(task, _LISTS[kind])
    return names


def users_of(tasks: Iterable[Task], kind: str, rule_id: str) -> tuple[str, ...]:
    """The ids of the tasks that name a rule, in their order."""
    return tuple(task.id for task in tasks if rule_id in rules_named(task, kind))


def with_rule(task: Task, kind: str, rule_id: str) -> Task:
    """The task as it names a rule; a task has one success rule, which takes the place of another."""
    named = rules_named(task, kind)
    if rule_id in named:
        return task
    return _naming(task, kind, (rule_id,) if kind == SUCCESS else (*named, rule_id))


def with_users(tasks: Iterable[Task], kind: str, rule_id: str, users: Collection[str]) -> tuple[Task, ...]:
    """The tasks as those in ``users``, and no others, name a rule."""
    return tuple(
        with_rule(task, kind, rule_id) if task.id in users else _without_rule(task, kind, rule_id)
        for task in tasks
    )


def with_renamed_rule(task: Task, kind: str, old: str, new: str) -> Task:
    """The task as it names the rule ``old`` by its id ``new``."""
    return _naming(task, kind, tuple(new if rule == old else rule for rule in rules_named(task, kind)))


def _without_rule(task: Task, kind: str, rule_id: str) -> Task:
    return _naming(task, kind, tuple(rule for rule in rules_named(task, kind) if rule != rule_id))


def _naming(task: Task, kind: str, rules: tuple[str, ...]) -> Task:
    """The task with other rules of a kind; the same value when it names them already."""
    if rules == rules_named(task, kind):
        return task
    if kind == SUCCESS:
        return replace(task, rule_key=next(iter(rules), ""))
    changed: dict[str, Any] = {_LISTS[kind]: rules}
    return replace(task, **changed)
