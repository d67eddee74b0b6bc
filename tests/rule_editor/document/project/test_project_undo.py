"""Undo runs over all documents in the order of their edits; an edit of several of them counts once."""

from __future__ import annotations

import pytest

from rule_editor.document.project.project_undo import ProjectUndo
from rule_editor.document.text.text_document import TextDocument
from rule_editor.document.text.undo_history import UndoLink


@pytest.fixture
def documents() -> tuple[TextDocument, TextDocument]:
    return TextDocument("a", "first.yaml"), TextDocument("b", "second.yaml")


@pytest.fixture
def history(documents: tuple[TextDocument, TextDocument]) -> ProjectUndo:
    return ProjectUndo(documents)


def test_edits_are_undone_and_redone_in_their_order(
    documents: tuple[TextDocument, TextDocument], history: ProjectUndo
) -> None:
    first, second = documents
    first.set_text("aa", "Edit the first")
    second.set_text("bb", "Edit the second")
    assert (history.undo_name, history.redo_name) == ("Edit the second", "")
    history.undo()
    assert (first.text, second.text) == ("aa", "b")
    history.undo()
    assert (first.text, second.text) == ("a", "b")
    assert (history.undo_name, history.redo_name) == ("", "Edit the first")
    history.undo()
    history.redo()
    assert (first.text, second.text) == ("aa", "b")


def test_an_edit_of_several_documents_is_one_step(
    documents: tuple[TextDocument, TextDocument], history: ProjectUndo
) -> None:
    first, second = documents
    link = UndoLink()
    for document in documents:
        document.set_text("both", "Edit both")
        document.link_last(link)
    history.undo()
    assert (first.text, second.text, history.undo_name) == ("a", "b", "")
    history.redo()
    assert (first.text, second.text, history.redo_name) == ("both", "both", "")


def test_typing_that_continues_adds_no_step_and_a_new_edit_ends_redo(
    documents: tuple[TextDocument, TextDocument], history: ProjectUndo
) -> None:
    first, second = documents
    first.replace(1, 1, "x", merge_key="typing")
    first.replace(2, 2, "y", merge_key="typing")
    history.undo()
    assert first.text == "a"
    second.set_text("bb", "Edit")
    assert history.redo_name == ""
    history.undo()
    assert history.undo_name == ""


def test_edits_made_before_are_not_followed(documents: tuple[TextDocument, TextDocument]) -> None:
    documents[0].set_text("aa", "Edit")
    history = ProjectUndo(documents)
    assert history.undo_name == ""
    history.undo()
    assert documents[0].text == "aa"


class SignedProposal:
    """An edit that changes no document."""

    title = "Sign the proposal"

    def __init__(self) -> None:
        self.calls: list[str] = []

    def undo(self) -> None:
        self.calls.append("undo")

    def redo(self) -> None:
        self.calls.append("redo")


def test_an_edit_of_something_else_keeps_its_place_among_the_edits_of_documents(
    documents: tuple[TextDocument, TextDocument], history: ProjectUndo
) -> None:
    first, second = documents
    first.set_text("aa", "Edit the first")
    edit = SignedProposal()
    history.add(edit)
    second.set_text("bb", "Edit the second")
    history.undo()
    assert (second.text, history.undo_name) == ("b", "Sign the proposal")
    history.undo()
    assert (edit.calls, history.undo_name, history.redo_name) == (
        ["undo"], "Edit the first", "Sign the proposal",
    )  # fmt: skip
    history.redo()
    assert (edit.calls, history.undo_name) == (["undo", "redo"], "Sign the proposal")
    history.forget(edit)  # it could not be made again
    assert (history.undo_name, history.redo_name) == ("Edit the first", "Edit the second")
    history.add(SignedProposal())
    assert history.redo_name == ""


def test_an_edit_that_belongs_to_one_of_a_document_is_undone_and_redone_with_it(
    documents: tuple[TextDocument, TextDocument], history: ProjectUndo
) -> None:
    first, second = documents
    edit = SignedProposal()
    first.set_text("aa", "Edit the first")
    history.join(edit)
    second.set_text("bb", "Edit the second")
    assert history.undo_name == "Edit the second"
    history.undo()
    assert edit.calls == []
    history.undo()
    assert (first.text, edit.calls, history.undo_name) == ("a", ["undo"], "")
    history.redo()
    assert (first.text, edit.calls) == ("aa", ["undo", "redo"])
    alone = SignedProposal()
    ProjectUndo().join(alone)  # without an edit of a document it is one of its own
    assert alone.calls == []
