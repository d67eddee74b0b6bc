"""Edits of essential states: each is one undo step, and reports what fails through the session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from collector.model.editing.edit_stack import Edit
from collector.model.editing.three_way_merge import merge
from collector.model.essential_state import new_state_id, own_state_id
from collector.model.message import _, ngettext
from collector.model.task import Task
from collector.rules.grammar.model import STATE, Condition, Group, Rule
from collector.states.documents.proposal import new_local_id
from rule_editor.document.rules.condition_slots import ConditionPath
from rule_editor.document.rules.rule_document import RuleDocument
from rule_editor.widgets.rule_form.condition_paths import walk
from studio.bridge.task_edits import TaskEdits
from studio.views.states.session import StatesSession


class StateEdits:
    """Changes the document of the states, and the task that names them."""

    def __init__(self, session: StatesSession) -> None:
        self._session = session

    def add(self, conditions: Sequence[Condition] = (), sentence: str = "", after: str = "") -> str:
        """Add a state after the state ``after``, and select it; return its id, empty if it failed."""
        session = self._session
        task = session.refuse_without_task()
        state_id = self._free_id(task, sentence)
        group = Group(conditions=tuple(conditions))
        before = (after,) if after else ()
        rule = Rule(id=state_id, kind=STATE, conditions=group, description=sentence, after=before)
        last = session.states[-1].id if session.states else None

        def change(document: RuleDocument) -> None:
            behind = last if last is not None and last in document.parsed.by_key else None
            document.add_rule(rule, behind)

        if not session.edit(change, state_id):
            return ""
        self._name_in_task(task, (*task.essential_states, state_id))
        session.select(state_id)
        return state_id

    def _free_id(self, task: Task, sentence: str) -> str:
        """An id for a new state: of the open proposal, or of the project."""
        session = self._session
        if session.proposal is not None:
            return new_local_id(state.id for state in session.proposal.rules)
        taken = {rule.id for rule in session.documents.rules_of(STATE)}
        return own_state_id(task.id, sentence, taken)

    def _name_in_task(self, task: Task, names: tuple[str, ...]) -> None:
        """Let the task name other states, as part of the newest edit; nothing names those of a proposal."""
        session = self._session
        if session.proposal is None and names != task.essential_states:
            history = session.history
            history.join(name_states(session.project_library.edits, history.undo_title, task, names))
        session.read_states()

    def add_all(self, states: Sequence[Rule]) -> tuple[str, ...]:
        """Add states as one edit, and select the first; return their ids, none if it failed.

        In a proposal they get its own ids, elsewhere another id where theirs was taken meanwhile.
        """
        session = self._session
        task = session.refuse_without_task()
        states = self._with_free_ids(states, task)
        last = session.states[-1].id if session.states else None

        def change(document: RuleDocument) -> None:
            behind = last if last is not None and last in document.parsed.by_key else None
            title = ngettext("Add {count} suggested state", "Add {count} suggested states", len(states))
            with document.group(title):
                for state in states:
                    document.add_rule(state, behind)
                    behind = state.id if behind is not None else None

        if not states or not session.edit(change, states[0].id):
            return ()
        ids = tuple(state.id for state in states)
        self._name_in_task(task, (*task.essential_states, *ids))
        session.select(ids[0])
        return ids

    def _with_free_ids(self, states: Sequence[Rule], task: Task) -> list[Rule]:
        """The states with ids that are free, also where the others name them."""
        session, names = self._session, dict[str, str]()
        taken = {rule.id for rule in (*session.documents.rules_of(STATE), *session.states)}
        for number, state in enumerate(states, start=1):
            used = {*taken, *names.values()}
            if session.proposal is not None:
                names[state.id] = new_local_id(used)
            else:
                is_free = state.id not in used
                names[state.id] = state.id if is_free else new_state_id(task.id, number, used)
        return [
            replace(state, id=names[state.id], after=tuple(names.get(name, name) for name in state.after))
            for state in states
        ]

    def delete(self, state_id: str) -> str:
        """Delete a state, and its name in the others; one that other tasks name is taken from this task only.

        Return a sentence about what was done; empty if it failed.
        """
        session = self._session
        task = session.refuse_without_task()
        names = tuple(name for name in task.essential_states if name != state_id)
        users = [
            other.id for other in session.tasks if state_id in other.essential_states and other is not task
        ]
        title = session.name_of(state_id)
        if users and session.proposal is None:
            title_of_edit = _("Remove {state}", state=state_id)
            session.history.add(name_states(session.project_library.edits, title_of_edit, task, names))
            session.read_states()
            others = ", ".join(users)
            return _("{state} is removed from this task; {tasks} still names it", state=title, tasks=others)
        document = session.document_of(state_id)
        if document is None:
            return ""

        def change(file: RuleDocument) -> None:
            with file.group(_("Delete {rule}", rule=state_id)):
                for state in file.rules:
                    for key in ("after", "alternatives"):
                        listed = getattr(state, key)
                        if state_id in listed and state.id != state_id:
                            file.set_field(state.id, key, [name for name in listed if name != state_id])
                file.delete_rule(state_id)

        if not session.edit(change, state_id):
            return ""
        self._name_in_task(task, names)
        return _("Deleted {id}", id=title)

    def set_field(self, key: str, value: Any, state_id: str = "") -> bool:
        """Change a key of a state, the selected one when none is given."""
        name = state_id or self._session.state_id
        return self._edit(lambda document: document.set_field(name, key, value), name)

    def set_step(self, state_id: str, step: int) -> bool:
        """Say in the open proposal that a step reaches a state."""
        return self._edit(lambda document: document.set_step(state_id, step), state_id)

    def follow(self, first: str, then: str) -> bool:
        """Let the state ``then`` come after ``first``."""
        state = self._session.state_of(then)
        if state is None or first in state.after:
            return False
        return self.set_field("after", [*state.after, first], then)

    def replace_conditions(self, state_id: str, conditions: Sequence[Condition]) -> bool:
        """Let other conditions decide whether a state is reached."""
        state = self._session.state_of(state_id)
        count = len(state.conditions.conditions) if state is not None else 0

        def change(document: RuleDocument) -> None:
            with document.group(_("Change conditions of {rule}", rule=state_id)):
                for condition in conditions:
                    document.add_condition(state_id, (), condition)
                for _number in range(count):
                    document.delete_condition(state_id, (0,))

        return self._edit(change, state_id)

    def add_condition(self, condition: Condition, parent: ConditionPath | None = None) -> bool:
        """Add a condition to the selected state: to ``parent``, or to the group of the chosen condition."""
        session = self._session
        state = session.state
        if state is None:
            return False
        chosen = session.condition or ()
        is_group = isinstance(dict(walk(state.conditions)).get(chosen), Group)
        where = parent if parent is not None else chosen if is_group else chosen[:-1]
        return self._edit(lambda document: document.add_condition(state.id, where, condition), state.id)

    def change_condition(self, change: Callable[[RuleDocument, str], object]) -> bool:
        """Change a condition of the selected state."""
        name = self._session.state_id
        return self._edit(lambda document: change(document, name), name)

    def _edit(self, change: Callable[[RuleDocument], object], state_id: str) -> bool:
        return self._session.edit(change, state_id)


def name_states(edits: TaskEdits, title: str, task: Task, wanted: tuple[str, ...]) -> Edit:
    """Let a task name other essential states. Returns the edit, which keeps what others changed since."""

    def put(names: tuple[str, ...], known: tuple[str, ...]) -> None:
        tasks = []
        for other in edits.tasks:
            if other.id == task.id:
                merged = merge(list(known), list(names), list(other.essential_states)).value
                other = replace(other, essential_states=tuple(merged))
            tasks.append(other)
        edits.edit(_("{edit} in {task}", edit=title, task=task.id), tasks)

    before = task.essential_states
    put(wanted, before)
    return Edit(title, lambda: put(before, wanted), lambda: put(wanted, before))
