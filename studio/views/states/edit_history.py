"""Undo and redo in the States workspace: edits of the rule files, of the tasks' states, and of labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from collector.model.i18n import _
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.rule_documents import RuleDocuments

Act = Callable[[], object]


@dataclass(frozen=True, slots=True)
class _Companion:
    """An edit outside the rule files; with ``has_document_edit`` it belongs to the edit before it there."""

    title: str
    undo: Act
    redo: Act
    at: int
    """How many edits of the rule files there were when it was made."""
    has_document_edit: bool


class StatesHistory:
    """Takes back the newest edit, whichever file it changed; other workspaces edit the rule files, too."""

    def __init__(self, documents: RuleDocuments, library: ProjectLibrary) -> None:
        self._documents, self._library = documents, library
        self._done: list[_Companion] = []
        self._undone: list[_Companion] = []

    # -- recording -----------------------------------------------------------
    def add(self, title: str, undo: Act, redo: Act, *, has_document_edit: bool = False) -> None:
        """Note an edit that was made outside the rule files."""
        count = self._documents.history.count
        self._done.append(_Companion(title, undo, redo, count, has_document_edit))
        self._undone.clear()

    def name_states(
        self, title: str, task_id: str, names: tuple[str, ...], *, has_document_edit: bool = False
    ) -> None:
        """Let a task name other essential states, and note it."""
        before = next((task.essential_states for task in self._library.tasks if task.id == task_id), ())
        if before == names:
            return

        def put(wanted: tuple[str, ...], known: tuple[str, ...]) -> None:
            self._put(title, task_id, wanted, known)

        put(names, before)
        self.add(
            title, lambda: put(before, names), lambda: put(names, before), has_document_edit=has_document_edit
        )

    def _put(self, title: str, task_id: str, wanted: tuple[str, ...], known: tuple[str, ...]) -> None:
        """Write the names, with what others changed since they were ``known``."""
        tasks = []
        for task in self._library.tasks:
            if task.id != task_id:
                tasks.append(task)
                continue
            new = [name for name in task.essential_states if name not in known]
            kept = [name for name in wanted if name in task.essential_states or name not in known]
            tasks.append(replace(task, essential_states=(*kept, *new)))
        self._library.edit_tasks(_("{edit} in {task}", edit=title, task=task_id), tasks)

    # -- undo and redo -------------------------------------------------------
    @property
    def undo_title(self) -> str:
        """What undo takes back; empty for nothing."""
        newest = self._newest()
        return newest.title if newest is not None else self._documents.history.undo_name

    @property
    def redo_title(self) -> str:
        """What redo makes again; empty for nothing."""
        next_one = self._next()
        return next_one.title if next_one is not None else self._documents.history.redo_name

    def undo(self) -> None:
        """Take the newest edit back."""
        companion = self._newest()
        if companion is None or companion.has_document_edit:
            self._documents.history.undo()
        if companion is not None:
            companion.undo()
            self._undone.append(self._done.pop())

    def redo(self) -> None:
        """Make the edit again that was taken back last."""
        companion = self._next()
        if companion is None or companion.has_document_edit:
            self._documents.history.redo()
        if companion is not None:
            companion.redo()
            self._done.append(self._undone.pop())

    def forget(self) -> None:
        """Start anew, with another project."""
        self._done.clear()
        self._undone.clear()

    def _newest(self) -> _Companion | None:
        """The edit outside the rule files that is newer than all edits of them."""
        count = self._documents.history.count
        while self._done and self._done[-1].at > count:
            self._done.pop()  # another workspace took the edit back that it belongs to
        return self._done[-1] if self._done and self._done[-1].at == count else None

    def _next(self) -> _Companion | None:
        """The edit outside the rule files that was taken back last, and can be made again now."""
        if not self._undone:
            return None
        newest, count = self._undone[-1], self._documents.history.count
        before = newest.at - 1 if newest.has_document_edit else newest.at
        return newest if before == count else None
