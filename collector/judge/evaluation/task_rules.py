"""The rules that judge one task: its essential states and its success rule, as its project reads them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collector.model.app_data.target import TaskTarget
from collector.model.task import Task
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.image_matching import ImageFiles
from collector.rules.evaluation.task_states import TaskStates, states_judged_by_rules
from collector.rules.grammar.model import SAFETY, STATE, SUCCESS, WAYMARK, Rule
from collector.rules.grammar.plain import plain_rule
from collector.rules.grammar.rule_values import with_values
from collector.store.project.project import Project
from collector.store.tasks.task_values import bound, recorded_values
from collector.store.trajectory.reader import read_header

if TYPE_CHECKING:
    from collector.project_rules.project_rules import ProjectRules  # loads the catalogue of recordings


@dataclass(frozen=True, slots=True)
class TaskRules:
    """What a judge by rules needs to know of a task."""

    states: Sequence[Rule] = ()
    """Its essential states, also those that people judge."""
    success: Rule | None = None
    semantics: str = WAYMARK
    images: ImageFinder | None = None
    target: TaskTarget | None = None
    """What has to be different in the data of apps, and nothing else."""
    needed: Sequence[str] | None = None
    """Ids of the states without which it is not done, also of those that no file defines; None for all of
    ``states`` that are not optional."""
    forbidden: Sequence[Rule] = ()
    """The safety rules: what must never happen."""

    @classmethod
    def of(cls, project: ProjectRules, task_id: str) -> TaskRules:
        """The rules of a task as they are on the disk. Raises RuleError when a file cannot be read."""
        return rules_by_task(project.project, project.rules())(task_id)

    @classmethod
    def of_trajectory(cls, folder: Path, task_id: str) -> TaskRules:
        """The rules of the task of the trajectory in ``folder``; none outside a project."""
        from collector.project_rules.project_rules import ProjectRules

        project = ProjectRules.around(folder)
        if project is None:
            return cls()
        rules, task = cls.of(project, task_id), project.project.task(task_id)
        if task is None or not task.parameters:
            return rules
        return rules.with_values_of(task, recorded_values(read_header(folder), task))

    def with_values_of(self, task: Task, values: Mapping[str, str]) -> TaskRules:
        """The rules and the target of the task with ``values``; the same without any. Raises UserError."""
        return self.bound(values, bound(task, values).target) if values else self

    def bound(self, values: Mapping[str, str], target: TaskTarget | None = None) -> TaskRules:
        """The rules with the values of parameters in their texts, and the target of the task with them."""
        if not values:
            return self
        success = with_values(self.success, values) if self.success is not None else None
        states, forbidden = (
            tuple(with_values(rule, values) for rule in rules) for rules in (self.states, self.forbidden)
        )
        return replace(
            self, states=states, success=success, target=target or self.target, forbidden=forbidden
        )

    @property
    def judged(self) -> frozenset[str]:
        """Ids of the states that rules can judge; people judge the others."""
        return states_judged_by_rules(self.states)

    @property
    def can_judge(self) -> bool:
        """Whether there is anything that rules can judge."""
        return (
            bool(self.judged) or self.success is not None or self.target is not None or bool(self.forbidden)
        )

    @property
    def decide(self) -> bool:
        """Whether they, and not an answer alone, decide whether the task is done."""
        needed = self.states if self.needed is None else self.needed
        return bool(needed) or self.success is not None or self.target is not None

    def version(self, task: Task | None, others: Sequence[Rule] = ()) -> str:
        """A digest of everything that verdicts depend on beside the recording; ``others`` count, too."""
        rules = [
            *self.states,
            *others,
            *self.forbidden,
            *([self.success] if self.success is not None else []),
        ]
        given: list[Any] = [self.semantics, [[rule.id, rule.kind, plain_rule(rule)] for rule in rules]]
        if task is not None:
            answer = str(task.expected_answer)
            given += [list(self.needed or ()), task.rule_key, task.human_validation, answer]
            # Without a target as it was before there were targets, so that older verdicts stand.
            given += [task.target.source] if task.target is not None else []
            given += [[parameter.line for parameter in task.parameters]] if task.parameters else []
        return hashlib.sha256(json.dumps(given, sort_keys=True, default=str).encode()).hexdigest()[:12]


def rules_by_task(project: Project, rules: Sequence[Rule]) -> Callable[[str], TaskRules]:
    """A function that gives the rules of the task with an id, among ``rules`` of its project."""
    states = TaskStates((rule for rule in rules if rule.kind == STATE), project.tasks)

    def of_task(task_id: str) -> TaskRules:
        task = project.task(task_id)
        success = success_rule(rules, task)
        return TaskRules(
            tuple(states.of(task_id, task, success)), success, project.semantics,
            ImageFiles(project.folder), task.target if task is not None else None,
            states.needed(task_id, task), tuple(safety_rules(rules, task)),
        )  # fmt: skip

    return of_task


def safety_rules(rules: Iterable[Rule], task: Task | None) -> Iterator[Rule]:
    """The safety rules that count for a task, in the order of the files."""
    named = task.forbidden if task is not None else ()
    return (rule for rule in rules if rule.kind == SAFETY and (rule.every_task or rule.id in named))


def success_rule(rules: Iterable[Rule], task: Task | None) -> Rule | None:
    """The success rule that a task names; None when there is none."""
    if task is None:
        return None
    return next((rule for rule in rules if rule.kind == SUCCESS and rule.id == task.rule_key), None)
