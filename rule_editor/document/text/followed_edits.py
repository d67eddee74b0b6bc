"""Follow the edits of documents on the stack of a project, so that undo takes all of them in their order."""

from __future__ import annotations

from collections.abc import Callable

from collector.model.editing.edit_stack import Edit, EditStack
from rule_editor.document.text.text_document import EDIT, RELOAD, UNDO, DocumentChange, TextDocument
from rule_editor.document.text.undo_history import UndoStep


def follow_edits(document: TextDocument, stack: EditStack) -> Callable[[], None]:
    """Add every later edit of a document to a stack; one that is linked to others is added once.

    What another program changed is a step that has to be undone before the edits under it. The returned
    callable ends this: until then the document waits for a collection of cycles once nobody has it.
    """
    newest: tuple[UndoStep, Edit] | None = None
    steps = len(document.history.done)

    def on_change(change: DocumentChange) -> None:
        nonlocal newest, steps
        before, steps = steps, len(document.history.done)
        if change.reason == UNDO and newest is not None:
            step, edit = newest
            if document.history.undone[-1] is step and stack.is_newest(edit):
                stack.forget(edit)  # it was not undone by the stack: a group of edits failed
        elif change.reason == EDIT and steps == before:
            stack.end_redo()
        elif change.reason == EDIT or (change.reason == RELOAD and steps > before and stack.holds(document)):
            step = document.history.done[-1]
            if step.link is None or step.link.documents[0] is document:
                newest = step, Edit(step.name, document.undo, document.redo, document)
                stack.add(newest[1])

    return document.changed.subscribe(on_change)
