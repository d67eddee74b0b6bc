"""Upgrade the tasks of version 1: the sentences of their essential states become states with ids.

Version 1 named a state by its id or described it in a sentence. Version 2 names ids alone, and the sentences
are in ``rules/states.yaml``. Both files are upgraded in memory. When somebody changes the tasks, the states
are written first and the tasks after them. Ids are found again from the sentences, so a crash between the two
files leaves nothing half: the next reading takes the states that are there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from collector.model.essential_state import EssentialState, is_like_id, new_state_id
from collector.model.task import PLACEHOLDER, Task

_NUMBERED = re.compile(r"(.+)-[1-9][0-9]*")


@dataclass(frozen=True, slots=True)
class UpgradedTasks:
    """The tasks of version 2, and the states that ``rules/states.yaml`` lacks for them."""

    tasks: tuple[Task, ...]
    new_states: tuple[EssentialState, ...] = ()


def upgrade_tasks(tasks: Sequence[Task], states: Mapping[str, EssentialState]) -> UpgradedTasks:
    """Upgrade tasks of version 1; ``states`` are those of the project by id.

    The same tasks and states always give the same ids. A task that does not change stays the same object.
    """
    texts = (text for task in tasks for text in task.essential_states)
    namer = StateNamer(states, (task.id for task in tasks), texts)
    return UpgradedTasks(tuple(_upgraded(task, namer) for task in tasks), tuple(namer.new))


def _upgraded(task: Task, namer: StateNamer) -> Task:
    ids = namer.ids_of(task.id, task.essential_states)
    if ids != task.essential_states:
        task = replace(task, essential_states=ids)
    if task.rule_key == PLACEHOLDER:
        task = replace(task, rule_key="", human_validation=True)
    return task


class StateNamer:
    """Finds or creates the states that tasks describe in sentences; ``new`` are those it created.

    A state with the sentence is taken when it is the task's own. In the files of version 1 also when it is
    shared, so belongs to no task; and a text that is written like an id, as ``cart_open``, stays an id there
    when the project defines states.
    """

    def __init__(
        self,
        states: Mapping[str, EssentialState],
        task_ids: Iterable[str],
        texts: Iterable[str] = (),
        *,
        are_sentences: bool = False,
    ) -> None:
        self.states: dict[str, EssentialState] = {}
        """By id, with those created."""
        self._has_states = bool(states)
        self._are_sentences = are_sentences
        """Whether every text is a sentence, as in the files of others."""
        self._task_ids = frozenset(task_ids)
        self._taken = set(texts)
        """Ids in use, and texts that no new id may equal, so that they are never taken for ids later."""
        self._of_task: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        """Task and sentence -> ids of states that are the task's own."""
        self._shared: defaultdict[str, list[str]] = defaultdict(list)
        """Sentence -> ids of states that belong to no task."""
        self.new: list[EssentialState] = []
        for state in states.values():
            self._note(state)

    def ids_of(self, task_id: str, texts: Sequence[str]) -> tuple[str, ...]:
        """The ids of the states of a task, which ``texts`` name or describe, in the same order."""
        ids: list[str] = []
        for number, text in enumerate(texts, start=1):
            if text.strip():
                ids.append(self._id_of(task_id, text, number, ids))
        return tuple(ids)

    def _id_of(self, task_id: str, text: str, number: int, taken: Sequence[str]) -> str:
        if text in self.states and not self._are_sentences:
            return text
        own = self._of_task.get((task_id, text), [])
        shared = [] if self._are_sentences else self._shared.get(text, [])
        described = sorted({*own, *shared}, key=lambda state_id: self._rank(state_id, task_id))
        free = next((state_id for state_id in described if state_id not in taken), None)
        if free is not None:
            return free
        if is_like_id(text) and not self._are_sentences:
            if not self._has_states:
                self._add(EssentialState(text, text))
            return text
        # Behind those with the same sentence, so that they are found in the same order again.
        last = max((_number(state_id) for state_id in described if state_id in taken), default=0)
        new_id = new_state_id(task_id, max(number, last + 1), self._taken)
        self._add(EssentialState(new_id, text))
        return new_id

    def _rank(self, state_id: str, task_id: str) -> tuple[int, int, str]:
        """Which of several states with a sentence a task takes first: those without a number of its own.

        The id decides between equals: every process takes the same one.
        """
        if self.states[state_id].task == task_id:
            return 0, 0, state_id
        return (2, _number(state_id), state_id) if _task_of(state_id) == task_id else (1, 0, state_id)

    def _add(self, state: EssentialState) -> None:
        self._note(state)
        self.new.append(state)

    def _note(self, state: EssentialState) -> None:
        self.states[state.id] = state
        self._taken.add(state.id)
        numbered = _task_of(state.id)
        for task_id in {state.task, numbered} - {""}:
            self._of_task[task_id, state.sentence].append(state.id)
        if not state.task and numbered not in self._task_ids:
            self._shared[state.sentence].append(state.id)


def _task_of(state_id: str) -> str:
    """The task in an id as ``shop-1-2``; empty for an id of another form."""
    match = _NUMBERED.fullmatch(state_id)
    return match[1] if match is not None else ""


def _number(state_id: str) -> int:
    number = state_id.rpartition("-")[2]
    return int(number) if number.isdecimal() and number.isascii() else 0
