"""Declared and measured levels of a project's tasks, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from collector.judge.progress.levels import length_of, measured_level
from collector.model.task import Task
from collector.rules.columns.corpus import TrajectoryReader


@dataclass(frozen=True, slots=True)
class TaskLevel:
    """What a task says of its level, and what its golden trajectories say (A3, section 3.1)."""

    task: str
    declared: str
    """Empty when the task declares none."""
    measured: str
    """Empty without a golden trajectory."""
    lengths: tuple[int, ...]
    """Numbers of actions of its golden trajectories."""

    @property
    def differs(self) -> bool:
        return bool(self.declared and self.measured) and self.declared != self.measured


def task_levels(tasks: Sequence[Task], trajectories: Iterable[TrajectoryReader]) -> list[TaskLevel]:
    """The levels of all tasks, in their order. Runs, and recordings that were cut short, do not count."""
    lengths: dict[str, list[int]] = {}
    for trajectory in trajectories:
        header = trajectory.header
        if not header.is_run and header.status in ("finished", "imported"):
            lengths.setdefault(header.task_id, []).append(length_of(trajectory.steps))
    counts = [(task, tuple(lengths.get(task.id, ()))) for task in tasks]
    return [TaskLevel(task.id, task.level, measured_level(own), own) for task, own in counts]
