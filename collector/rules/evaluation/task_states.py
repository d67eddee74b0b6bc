"""Which essential states are followed along a trajectory of a task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from collector.model.task import Task
from collector.rules.grammar.model import Rule, is_judged_by_rule


class TaskStates:
    """The essential states of a project, by the tasks that name them.

    A state belongs to the tasks that name its id, and to the task it names itself. One that belongs to no
    task is followed in every trajectory, because a rule of any task may name it.
    """

    def __init__(self, states: Iterable[Rule], tasks: Iterable[Task]) -> None:
        self._states = tuple(states)
        self._named = frozenset(state for task in tasks for state in task.essential_states)

    def of(self, task_id: str, task: Task | None = None) -> list[Rule]:
        """The states that are followed in a trajectory of a task; ``task`` is None when it is not known."""
        own = task.essential_states if task is not None else ()
        return [
            state
            for state in self._states
            if state.id in own or state.task == task_id or (not state.task and state.id not in self._named)
        ]


def states_judged_by_rules(states: Sequence[Rule]) -> frozenset[str]:
    """Ids of the states that rules can judge: those with conditions, or with such an alternative."""
    judged = {state.id for state in states if is_judged_by_rule(state)}
    while more := [
        state.id for state in states if state.id not in judged and not judged.isdisjoint(state.alternatives)
    ]:
        judged.update(more)
    return frozenset(judged)
