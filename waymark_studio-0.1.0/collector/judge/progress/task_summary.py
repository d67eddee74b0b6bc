"""What the rules of a project say of the essential states of one task."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TaskSummary:
    """The essential states of a task, as its project defines them now."""

    states: tuple[str, ...] = ()
    """Ids of its own states, in order."""
    by_rules: int = 0
    """How many of them rules judge."""
    status: str = ""
    """The least advanced status among them; empty without a state."""
    needed: tuple[str, ...] = ()
    """Ids of those that rules judge and that are not optional."""
    version: str = ""
    """Of the rules of the task: see :meth:`~collector.judge.evaluation.task_rules.TaskRules.version`."""
