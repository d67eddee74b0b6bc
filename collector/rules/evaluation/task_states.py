"""Which essential states are followed along a trajectory of a task."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.rules.grammar.model import Rule, is_judged_by_rule

STATE_REACHED = "state_reached"
"""The type of the conditions that name a state."""
_MOST_PASSED = 1000
"""States looked at before a state to find those that it waits for."""
_StateT = TypeVar("_StateT", bound=Rule | EssentialState)
"""An essential state as the rules of a project have it, or as its tasks do."""


class TaskStates(Generic[_StateT]):
    """The essential states of a project, by the tasks that name them.

    A task's own states are those that it names and those that name it. Others belong to it when an own state
    names them: as ``after``, as alternative or in ``state_reached``. A state that belongs to no task is
    followed in every trajectory, because a rule of any task may name it. Of states with the same id the last
    counts.
    """

    def __init__(self, states: Iterable[_StateT], tasks: Iterable[Task]) -> None:
        self._states = {state.id: state for state in states}
        self._named = frozenset(state for task in tasks for state in task.essential_states)
        owned = [state for state in self._states.values() if state.task or state.id in self._named]
        self._of_tasks = self._with_related(state.id for state in owned)

    def of(self, task_id: str, task: Task | None = None, success: Rule | None = None) -> list[_StateT]:
        """The states that are followed in a trajectory of a task; ``task`` is None when it is not known.

        With its ``success`` rule also those that the rule names, whichever task they belong to.
        """
        free = (state_id for state_id in self._states if state_id not in self._of_tasks)
        by_rule = states_named_in(success) if success is not None else ()
        followed = self._with_related((*self._own(task_id, task), *by_rule, *free))
        return [state for state in self._states.values() if state.id in followed]

    def needed(self, task_id: str, task: Task | None = None) -> tuple[str, ...]:
        """Ids of the states without which the task is not done: its own ones that are not optional.

        For a task without states of its own these are the states that belong to no task. A state that the
        task names and no file defines is among them.
        """
        own = self._own(task_id, task) or [name for name in self._states if name not in self._of_tasks]
        return tuple(name for name in own if name not in self._states or not self._states[name].optional)

    def _own(self, task_id: str, task: Task | None) -> list[str]:
        named = task.essential_states if task is not None else ()
        naming = (state.id for state in self._states.values() if state.task == task_id)
        return list(dict.fromkeys((*named, *naming)))

    def _with_related(self, ids: Iterable[str]) -> frozenset[str]:
        """States, and all that they name as ``after`` or alternative, and so on."""
        known: set[str] = set()
        waiting = list(ids)
        while waiting:
            state = self._states.get(waiting.pop())
            if state is not None and state.id not in known:
                known.add(state.id)
                waiting += (*state.after, *state.alternatives, *states_named_in(state))
        return frozenset(known)


def states_named_in(state: Rule | EssentialState) -> list[str]:
    """The states that the conditions of a state, or of a success rule, name."""
    if isinstance(state, EssentialState):
        return list(_named_in(state.extra.get("conditions")))
    conditions = (condition for condition in state.conditions.walk() if condition.type == STATE_REACHED)
    return [getattr(condition, "state", "") for condition in conditions]


def _named_in(conditions: Any) -> Iterator[str]:
    """The states that conditions name which are still plain values."""
    if isinstance(conditions, dict):
        if conditions.get("type") == STATE_REACHED and isinstance(conditions.get("state"), str):
            yield conditions["state"]
        conditions = list(conditions.values())
    for part in conditions if isinstance(conditions, list) else ():
        yield from _named_in(part)


def states_judged_by_rules(states: Sequence[Rule]) -> frozenset[str]:
    """Ids of the states that rules can judge: those with conditions, or with such an alternative."""
    judged = [state.id for state in states if is_judged_by_rule(state)]
    return frozenset(_with_those_that_name(judged, states))


def states_waited_for(
    states: Sequence[Rule], judged: Collection[str] | None = None
) -> dict[str, tuple[str, ...]]:
    """Id of each state -> ids of the states that must be reached before it.

    A state that is optional, or that is none of ``judged`` (by default those that rules can judge), holds
    back nothing; what comes before it does. Of thousands of such states in a row the farthest hold back
    nothing.
    """
    judged = states_judged_by_rules(states) if judged is None else judged
    by_id = {state.id: state for state in states}

    def passes(name: str) -> bool:
        return name in by_id and (by_id[name].optional or name not in judged)

    waits = {}
    for state in states:
        ids, waiting, seen = list[str](), list(reversed(state.after)), set[str]()
        while waiting and len(seen) < _MOST_PASSED:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            if passes(name):
                waiting += reversed(by_id[name].after)
            else:
                ids.append(name)
        waits[state.id] = tuple(ids)
    return waits


def states_in_order_of_trial(states: Sequence[Rule], waits: Mapping[str, Sequence[str]]) -> list[Rule]:
    """States in the order in which they are tried on a screen: as they stand in the file.

    One whose conditions name others comes after those, and after what these depend on: what ``waits`` says
    that they wait for, their alternatives, and the states that they name. States that name each other stay
    as they stand.
    """
    by_id = {state.id: state for state in states}
    leads_to = {
        state.id: (*states_named_in(state), *waits[state.id], *state.alternatives) for state in states
    }
    depends = {name: _all_that_follow(leads_to, name) & by_id.keys() for name in by_id}
    before = {
        name: {other for other in others if name not in depends[other]} for name, others in depends.items()
    }
    places = {name: place for place, name in enumerate(by_id)}
    asking = [state.id for state in states if states_named_in(state)]
    ordered = {*asking, *(name for asks in asking for name in before[asks])}
    order: dict[str, Rule] = {}
    for state in states:
        first = before[state.id] if state.id in ordered else ()
        # What is tried before one of them is among them, too, and has fewer before itself.
        for name in sorted(first, key=lambda name: (len(before[name]), places[name])):
            order.setdefault(name, by_id[name])
        order.setdefault(state.id, by_id[state.id])
    return list(order.values())


def _all_that_follow(leads_to: Mapping[str, Iterable[str]], name: str) -> set[str]:
    """All that a name leads to, over any number of others."""
    known, waiting = set[str](), list(leads_to[name])
    while waiting:
        found = waiting.pop()
        if found not in known:
            known.add(found)
            waiting += leads_to.get(found, ())
    return known


def replaced_by(states: Sequence[Rule] | Sequence[EssentialState], reached: Iterable[str]) -> set[str]:
    """The alternatives of states that were reached, and theirs: one of them is enough."""
    by_id = {state.id: state for state in states}
    replaced: set[str] = set()
    waiting = list(reached)
    while waiting:
        state = by_id.get(waiting.pop())
        more = set(state.alternatives) - replaced if state is not None else set()
        replaced |= more
        waiting += more
    return replaced


def reached_with_alternatives(
    states: Sequence[Rule] | Sequence[EssentialState], reached: Iterable[str]
) -> set[str]:
    """States that were reached, and those that are reached because an alternative of theirs was."""
    return _with_those_that_name(reached, states)


def _with_those_that_name(ids: Iterable[str], states: Sequence[Rule] | Sequence[EssentialState]) -> set[str]:
    """States, those of which one is an alternative, and so on."""
    naming: dict[str, list[str]] = {}
    for state in states:
        for name in state.alternatives:
            naming.setdefault(name, []).append(state.id)
    known: set[str] = set()
    waiting = list(ids)
    while waiting:
        name = waiting.pop()
        if name not in known:
            known.add(name)
            waiting += naming.get(name, ())
    return known
