"""Which essential states of a task count for ESAR, and how many of them one episode reached."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED
from collector.rules.evaluation.task_states import TaskStates, replaced_by


@dataclass(frozen=True, slots=True)
class NeededState:
    """An essential state without which a task is not done: one state, or several of which one is enough."""

    ids: tuple[str, ...]
    """The needed states."""
    alternatives: tuple[str, ...] = ()
    """Optional states that count as one of them."""

    @property
    def members(self) -> tuple[str, ...]:
        """All states of which one is enough."""
        return (*self.ids, *self.alternatives)

    def verdict(self, reached: Iterable[str], missed: Iterable[str]) -> bool | None:
        """Whether a judge saw it reached; None when the judge said nothing of it.

        Whoever misses an optional alternative has not said that the needed state is missed.
        """
        if not set(self.members).isdisjoint(reached):
            return True
        return None if set(self.ids).isdisjoint(missed) else False


def needed_states(
    task: Task, of_project: TaskStates[EssentialState], states: Mapping[str, EssentialState]
) -> tuple[NeededState, ...]:
    """The essential states of a task, in its order; states that count as each other are one."""
    every = [state for state in states.values() if state.alternatives]
    groups: list[tuple[set[str], list[str]]] = []
    for name in of_project.needed(task.id, task):
        members, ids = {name} | replaced_by(every, [name]), [name]
        for group in [known for known in groups if _count_as_each_other(known, name, members)]:
            groups.remove(group)
            members, ids = members | group[0], [*group[1], *ids]
        groups.append((members, ids))
    return tuple(NeededState(tuple(ids), tuple(sorted(members.difference(ids)))) for members, ids in groups)


def _count_as_each_other(group: tuple[set[str], list[str]], name: str, members: set[str]) -> bool:
    """Whether a needed state is an alternative of one of the group, or the other way round."""
    known, ids = group
    return name in known or not members.isdisjoint(ids)


def count_states(
    needed: Sequence[NeededState], judges: Sequence[tuple[Iterable[str], Iterable[str]]]
) -> tuple[int, int]:
    """How many states were reached, and judged.

    ``judges`` are the reached and the missed states of each judge: of every state the first one counts
    who said something of it.
    """
    verdicts = []
    for state in needed:
        given = (state.verdict(reached, missed) for reached, missed in judges)
        verdicts.append(next((verdict for verdict in given if verdict is not None), None))
    return sum(verdict is True for verdict in verdicts), sum(verdict is not None for verdict in verdicts)


def verdict_by_labels(
    needed: Sequence[NeededState], reached: Iterable[str], missed: Iterable[str], *, is_claimed: bool
) -> str:
    """The verdict on the task that a person's labels of its states give; empty while one has no label.

    Without a state it is a failure, or uncompleted where the agent did not say that it was finished.
    """
    verdicts = [state.verdict(reached, missed) for state in needed]
    if False in verdicts:
        return FAILURE if is_claimed else UNCOMPLETED
    return SUCCESS if verdicts and None not in verdicts else ""
