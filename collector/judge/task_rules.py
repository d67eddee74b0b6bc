"""The rules that judge one task: its essential states and its success rule, as its project reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from collector.judge.judged_trajectory import success_rule
from collector.project_rules.project_rules import ProjectRules
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.task_states import TaskStates, states_judged_by_rules
from collector.rules.grammar.model import STATE, WAYMARK, Rule


@dataclass(frozen=True, slots=True)
class TaskRules:
    """What a judge by rules needs to know of a task."""

    states: Sequence[Rule] = ()
    """Its essential states, also those that people judge."""
    success: Rule | None = None
    semantics: str = WAYMARK
    images: ImageFinder | None = None

    @classmethod
    def of(cls, project: ProjectRules, task_id: str) -> TaskRules:
        """The rules of a task as they are on the disk. Raises RuleError when a file cannot be read."""
        known, tasks = project.rules(), project.project.tasks
        task = next((task for task in tasks if task.id == task_id), None)
        states = TaskStates((rule for rule in known if rule.kind == STATE), tasks).of(task_id, task)
        return cls(tuple(states), success_rule(known, task), project.project.semantics, project.images)

    @classmethod
    def of_trajectory(cls, folder: Path, task_id: str) -> TaskRules:
        """The rules of the task of the trajectory in ``folder``; none outside a project."""
        project = ProjectRules.around(folder)
        return cls.of(project, task_id) if project is not None else cls()

    @property
    def judged(self) -> frozenset[str]:
        """Ids of the states that rules can judge; people judge the others."""
        return states_judged_by_rules(self.states)

    @property
    def can_judge(self) -> bool:
        """Whether there is anything that rules can judge."""
        return bool(self.judged) or self.success is not None
