"""Undo and redo of a text: exact, named, grouped, and told to listeners as edits that fit."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.located_yaml.diagnostics import QuickFix, TextEdit, apply_edits
from collector.model.errors import UserError
from rule_editor.document.text.edits import inverse, line_edits, smallest_edit
from rule_editor.document.text.text_document import TextDocument

TEXTS = st.text(alphabet="ab \r\n\u96fb\U0001f600\"'", max_size=20)


class Mirror:
    """A view that knows the text only from the edits it is told."""

    def __init__(self, document):
        self.text = document.text
        self.revision = document.revision
        self.reasons = []
        document.changed.subscribe(self.apply)

    def apply(self, change):
        self.text = apply_edits(self.text, change.edits)
        self.reasons.append(change.reason)
        assert change.revision >= self.revision
        self.revision = change.revision


def test_typing_with_one_merge_key_is_one_step():
    document = TextDocument("ab")
    for at, sign in enumerate("xyz"):
        document.replace(1 + at, 1 + at, sign, "Typing", merge_key="k")
    document.replace(3, 4, "", "Typing", merge_key="k")
    assert document.text == "axyb"
    assert len(document.history.done) == 1
    document.undo()
    assert document.text == "ab"
    document.redo()
    assert document.text == "axyb"


def test_another_merge_key_or_none_begins_another_step():
    document = TextDocument("")
    for key in ("a", "b", None, None):
        document.replace(0, 0, "x", merge_key=key)
    assert len(document.history.done) == 4


def test_a_step_that_was_undone_and_made_again_is_not_gone_on_with():
    document = TextDocument("")
    document.replace(0, 0, "a", merge_key="k")
    document.undo()
    document.redo()
    document.replace(1, 1, "b", merge_key="k")
    document.undo()
    assert document.text == "a"


def test_steps_have_names_and_undo_says_when_there_is_none():
    document = TextDocument("a")
    assert not document.undo()
    assert not document.redo()
    document.replace(0, 1, "b", "Change the letter")
    assert [step.name for step in document.history.done] == ["Change the letter"]
    document.undo()
    assert [step.name for step in document.history.undone] == ["Change the letter"]


def test_an_edit_that_changes_nothing_is_no_step():
    document = TextDocument("abc")
    document.replace(1, 2, "b")
    document.set_text("abc")
    assert not document.history.done
    assert document.revision == 0


def test_a_new_edit_forgets_what_was_undone():
    document = TextDocument("a")
    document.replace(0, 0, "x")
    document.undo()
    document.replace(0, 0, "y")
    assert not document.history.undone


def test_a_group_is_one_step():
    document = TextDocument("abc")
    with document.group("Two letters"):
        document.replace(0, 1, "x")
        with document.group("inner"):
            document.replace(2, 3, "z")
    assert document.text == "xbz"
    assert document.history.done[-1].name == "Two letters"
    document.undo()
    assert document.text == "abc"
    document.redo()
    assert document.text == "xbz"


def test_a_group_that_fails_leaves_nothing():
    document = TextDocument("abc")
    document.replace(3, 3, "d")

    def fail():
        with document.group("Broken"):
            document.replace(0, 1, "x")
            raise ValueError("on the way")

    with pytest.raises(ValueError, match="on the way"):
        fail()
    assert document.text == "abcd"
    assert not document.history.undone
    document.undo()
    assert document.text == "abc"


def test_an_empty_group_is_no_step():
    document = TextDocument("abc")
    document.replace(0, 0, "x")
    with document.group("Nothing"):
        pass
    assert len(document.history.done) == 1


def test_a_quick_fix_is_a_step_of_its_name():
    document = TextDocument("a: 1\nb: 2\n")
    document.apply_fix(QuickFix("Tidy", (TextEdit(0, 1, "x"), TextEdit(5, 6, "y"))))
    assert document.text == "x: 1\ny: 2\n"
    assert document.history.done[-1].name == "Tidy"
    with pytest.raises(UserError, match="has changed since"):
        document.apply_fix(QuickFix("Late", (TextEdit(80, 90, ""),)))


def test_places_outside_the_text_are_taken_as_its_ends():
    document = TextDocument("abc")
    document.replace(-5, 99, "x")
    assert document.text == "x"


OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(("replace", "type", "set", "group", "undo", "redo")),
        st.integers(0, 25), st.integers(0, 25), TEXTS,
    ),
    max_size=25,
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(TEXTS, OPERATIONS)
def test_undo_of_all_is_the_original_and_redo_of_all_the_result(text, operations):
    document = TextDocument(text)
    mirror = Mirror(document)
    for what, start, end, new in operations:
        if what == "replace":
            document.replace(start, end, new)
        elif what == "type":
            document.replace(start, start, new[:1], merge_key="typing")
        elif what == "set":
            document.set_text(new)
        elif what == "group":
            with document.group("both"):
                document.replace(start, end, new)
                document.replace(end, end, new)
        elif what == "undo":
            document.undo()
        else:
            document.redo()
        assert mirror.text == document.text
    while document.redo():
        pass
    result = document.text
    while document.undo():
        assert mirror.text == document.text
    assert document.text == text
    assert not document.dirty
    while document.redo():
        assert mirror.text == document.text
    assert document.text == result


@given(TEXTS, TEXTS)
def test_the_edits_between_two_texts_make_one_of_the_other(before, after):
    for edits in (smallest_edit(before, after), line_edits(before, after)):
        assert apply_edits(before, edits) == after
        assert apply_edits(after, inverse(before, edits)) == before


def test_the_edit_between_two_texts_is_the_least_and_keeps_line_ends_whole():
    assert smallest_edit("one two three", "one 2 three") == (TextEdit(4, 7, "2"),)
    for edit in smallest_edit("a\r\nb", "a\r\nx\r\nb"):
        assert edit.text in ("x\r\n", "\r\nx")
    assert line_edits("a\nb\nc\n", "x\nb\nz\n") == (TextEdit(0, 1, "x"), TextEdit(4, 5, "z"))
