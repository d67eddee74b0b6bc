"""Undo and redo over all open documents of a project, in the order of their edits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from rule_editor.document.text.text_document import EDIT, DocumentChange, TextDocument
from rule_editor.document.text.undo_history import UndoLink, UndoStep


class OtherEdit(Protocol):
    """An edit of something else than a document, which takes its place in the same history."""

    @property
    def title(self) -> str:
        """What undo names, as in ``sign the proposal``."""
        ...

    def undo(self) -> None:
        """Take the edit back."""
        ...

    def redo(self) -> None:
        """Make the edit again."""
        ...


class ProjectUndo:
    """Follows the edits of ``documents``; an edit of several documents is undone and redone as one."""

    def __init__(self, documents: Iterable[TextDocument] = ()) -> None:
        self._done: list[TextDocument | OtherEdit] = []
        """The document of each edit, or an edit of something else, the newest last."""
        self._undone: list[TextDocument | OtherEdit] = []
        self._joined: dict[UndoStep, OtherEdit] = {}
        """Edits of something else, by the step of a document that they belong to."""
        self._steps: dict[TextDocument, int] = {}
        """Number of steps of each document when it changed last; continued typing adds none."""
        for document in documents:
            self.follow(document)

    @property
    def undo_name(self) -> str:
        """What undo would undo; empty for nothing."""
        newest = self._done[-1] if self._done else None
        return (
            newest.history.undo_name if isinstance(newest, TextDocument) else newest.title if newest else ""
        )

    @property
    def redo_name(self) -> str:
        """What redo would make again; empty for nothing."""
        newest = self._undone[-1] if self._undone else None
        return (
            newest.history.redo_name if isinstance(newest, TextDocument) else newest.title if newest else ""
        )

    def add(self, edit: OtherEdit) -> None:
        """Add an edit that was made; what was undone before can no longer be redone."""
        self._done.append(edit)
        self._undone.clear()

    def join(self, edit: OtherEdit) -> None:
        """Add an edit that belongs to the newest edit of a document: they are undone and redone together."""
        newest = self._done[-1] if self._done else None
        if isinstance(newest, TextDocument) and newest.history.done:
            self._joined[newest.history.done[-1]] = edit
        else:
            self.add(edit)

    def follow(self, document: TextDocument) -> None:
        """Follow the edits of one more document."""
        self._steps[document] = len(document.history.done)
        document.changed.subscribe(self._change_handler(document))

    def forget(self, document: TextDocument | OtherEdit) -> None:
        """Leave out the edits of a document that is closed, or an edit that cannot be undone any more."""
        self._done = [edited for edited in self._done if edited is not document]
        self._undone = [edited for edited in self._undone if edited is not document]

    def undo(self) -> None:
        """Undo the newest edit of all documents. Raises DocumentError."""
        if self._done:
            document = self._done[-1]
            if not isinstance(document, TextDocument):
                document.undo()
                self._undone.append(self._done.pop())
                return
            step = document.history.done[-1] if document.history.done else None
            document.undo()
            _move_edit(self._done, self._undone, document, step.link if step is not None else None)
            if step is not None and step in self._joined:
                self._joined[step].undo()

    def redo(self) -> None:
        """Redo the edit that was undone last. Raises DocumentError."""
        if self._undone:
            document = self._undone[-1]
            if not isinstance(document, TextDocument):
                document.redo()
                self._done.append(self._undone.pop())
                return
            step = document.history.undone[-1] if document.history.undone else None
            document.redo()
            _move_edit(self._undone, self._done, document, step.link if step is not None else None)
            if step is not None and step in self._joined:
                self._joined[step].redo()

    def _change_handler(self, document: TextDocument) -> Callable[[DocumentChange], None]:
        def on_change(change: DocumentChange) -> None:
            steps = len(document.history.done)
            if change.reason == EDIT:
                self._undone.clear()
                if steps > self._steps[document]:
                    self._done.append(document)
            self._steps[document] = steps

        return on_change


def _move_edit(
    source: list[TextDocument | OtherEdit],
    target: list[TextDocument | OtherEdit],
    document: TextDocument,
    link: UndoLink | None,
) -> None:
    """Move an edit from one stack to the other, with its parts in all documents it changed."""
    partners = (
        [partner for partner in link.documents if isinstance(partner, TextDocument)] if link else [document]
    )
    for partner in partners:
        at = next((at for at in reversed(range(len(source))) if source[at] is partner), None)
        if at is not None:
            target.append(source.pop(at))
