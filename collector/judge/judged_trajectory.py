"""A recorded trajectory as judges see it: its states, its task, the essential states and the success rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from collector.model.task import Task
from collector.model.trajectory import Step, TrajectoryHeader
from collector.rules.backtest.corpus import Corpus, TrajectoryReader
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.task_states import TaskStates
from collector.rules.grammar.model import STATE, SUCCESS, Rule


@dataclass(frozen=True, slots=True)
class JudgedTrajectory:
    """One trajectory. Its dumps and pictures are read when a judge looks at them."""

    header: TrajectoryHeader
    corpus: Corpus
    """The states of this trajectory alone."""
    task: Task | None
    """None when the project does not know its task."""
    states: tuple[Rule, ...]
    """The essential states of its task."""
    success: Rule | None
    """The success rule of its task."""

    @classmethod
    def of(cls, reader: TrajectoryReader, tasks: Sequence[Task], rules: Iterable[Rule]) -> JudgedTrajectory:
        """A trajectory with what belongs to its task among the tasks and rules of a project."""
        header = reader.header
        task = next((task for task in tasks if task.id == header.task_id), None)
        known = list(rules)
        states = TaskStates((rule for rule in known if rule.kind == STATE), tasks).of(header.task_id, task)
        corpus = Corpus([reader], tasks=[task] if task is not None else (), states=states)
        return cls(header, corpus, task, tuple(states), success_rule(known, task))

    @property
    def steps(self) -> Sequence[Step]:
        return self.corpus.steps_of(0)

    def view(self, index: int) -> StateView:
        """The state of that index, from 0, as rules see it."""
        return self.corpus.view(index)


def success_rule(rules: Iterable[Rule], task: Task | None) -> Rule | None:
    """The success rule that a task names; None when there is none."""
    if task is None:
        return None
    return next((rule for rule in rules if rule.kind == SUCCESS and rule.id == task.rule_key), None)
