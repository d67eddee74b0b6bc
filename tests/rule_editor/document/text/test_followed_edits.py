"""Undo runs over all documents in the order of their edits; an edit of several of them counts once."""

from __future__ import annotations

import pytest

from collector.located_yaml.yaml_patch.errors import DocumentError
from collector.model.editing.edit_stack import Edit, EditStack
from rule_editor.document.text.followed_edits import follow_edits
from rule_editor.document.text.text_document import TextDocument
from rule_editor.document.text.undo_history import UndoLink


@pytest.fixture
def documents() -> tuple[TextDocument, TextDocument]:
    return TextDocument("a", "first.yaml"), TextDocument("b", "second.yaml")


@pytest.fixture
def history(documents: tuple[TextDocument, TextDocument]) -> EditStack:
    stack = EditStack()
    for document in documents:
        follow_edits(document, stack)
    return stack


def test_edits_are_undone_and_redone_in_their_order(
    documents: tuple[TextDocument, TextDocument], history: EditStack
) -> None:
    first, second = documents
    first.set_text("aa", "Edit the first")
    second.set_text("bb", "Edit the second")
    assert (history.undo_title, history.redo_title) == ("Edit the second", "")
    history.undo()
    assert (first.text, second.text) == ("aa", "b")
    history.undo()
    assert (first.text, second.text) == ("a", "b")
    assert (history.undo_title, history.redo_title) == ("", "Edit the first")
    history.undo()
    history.redo()
    assert (first.text, second.text) == ("aa", "b")


def test_an_edit_of_several_documents_is_one_step(
    documents: tuple[TextDocument, TextDocument], history: EditStack
) -> None:
    first, second = documents
    link = UndoLink()
    for document in documents:
        document.set_text("both", "Edit both", link)
    history.undo()
    assert (first.text, second.text, history.undo_title) == ("a", "b", "")
    history.redo()
    assert (first.text, second.text, history.redo_title) == ("both", "both", "")


def test_typing_that_continues_adds_no_step_and_a_new_edit_ends_redo(
    documents: tuple[TextDocument, TextDocument], history: EditStack
) -> None:
    first, second = documents
    first.replace(1, 1, "x", merge_key="typing")
    first.replace(2, 2, "y", merge_key="typing")
    history.undo()
    assert first.text == "a"
    second.set_text("bb", "Edit")
    assert history.redo_title == ""
    history.undo()
    assert history.undo_title == ""


def test_edits_made_before_are_not_followed(documents: tuple[TextDocument, TextDocument]) -> None:
    documents[0].set_text("aa", "Edit")
    history = EditStack()
    follow_edits(documents[0], history)
    assert history.undo_title == ""
    history.undo()
    assert documents[0].text == "aa"


def test_an_edit_of_something_else_keeps_its_place_among_the_edits_of_documents(
    documents: tuple[TextDocument, TextDocument], history: EditStack
) -> None:
    first, second = documents
    calls: list[str] = []
    first.set_text("aa", "Edit the first")
    history.add(Edit("Sign the proposal", lambda: calls.append("undo"), lambda: calls.append("redo")))
    second.set_text("bb", "Edit the second")
    history.undo()
    assert (second.text, history.undo_title) == ("b", "Sign the proposal")
    history.undo()
    assert (calls, history.undo_title, history.redo_title) == (
        ["undo"], "Edit the first", "Sign the proposal",
    )  # fmt: skip


def test_a_group_of_edits_that_fails_leaves_nothing_to_undo(
    documents: tuple[TextDocument, TextDocument], history: EditStack
) -> None:
    first, second = documents
    second.set_text("bb", "Edit the second")

    def fail() -> None:
        with first.group("Two things"):
            first.set_text("aa")
            raise DocumentError("no")

    with pytest.raises(DocumentError):
        fail()
    assert (first.text, history.undo_title) == ("a", "Edit the second")


def test_what_another_program_changed_is_undone_before_the_edits_under_it(
    documents: tuple[TextDocument, TextDocument], history: EditStack
) -> None:
    first, second = documents
    second.external_change(b"theirs")
    assert history.undo_title == "", "nothing was edited here"
    first.set_text("aa", "Edit")
    first.saved_text = first.text
    first.external_change(b"theirs")
    assert history.undo_title == "Take in changes made outside"
    history.undo()
    assert (first.text, history.undo_title) == ("aa", "Edit")
    history.undo()
    assert first.text == "a"


def test_the_edits_of_a_closed_document_are_forgotten(
    documents: tuple[TextDocument, TextDocument], history: EditStack
) -> None:
    first, second = documents
    first.set_text("aa", "Edit the first")
    second.set_text("bb", "Edit the second")
    history.forget(second)
    assert history.undo_title == "Edit the first"
