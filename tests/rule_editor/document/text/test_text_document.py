"""What a document tells of its edits, and how those of rules and of other programs stand together."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.located_yaml.diagnostics import apply_edits
from collector.located_yaml.entry_merge import merge
from collector.model.errors import UserError
from rule_editor.document.rules.rule_document import RuleDocument
from rule_editor.document.text.text_document import DocumentChange

RULE = """\
  - id: {id}
    priority: {priority}
    conditions: {{all: [{{type: min_step, value: 1}}]}}
    actions: []
"""


def rules(**priorities: int) -> str:
    return "rules:\n" + "\n".join(
        RULE.format(id=name, priority=priority) for name, priority in priorities.items()
    )


def fail_half_way(document: RuleDocument) -> None:
    with document.group("Fails"):
        document.set_field("a", "priority", 3)
        document.set_field("no_such", "priority", 3)


def test_a_group_of_edits_is_one_step_and_taken_back_when_it_fails() -> None:
    document = RuleDocument(rules(a=1))
    with document.group("Two things"):
        document.set_field("a", "priority", 2)
        document.set_field("a", "once", False)
    assert document.history.done[-1].name == "Two things"
    document.undo()
    assert document.text == rules(a=1)
    with pytest.raises(UserError):
        fail_half_way(document)
    assert document.text == rules(a=1)
    assert not document.history.done


def test_every_change_is_told_as_edits_of_the_text_before() -> None:
    document = RuleDocument(rules(a=1, b=2))
    copy, changes = document.text, list[DocumentChange]()
    document.changed.subscribe(changes.append)
    document.set_field("a", "id", "c")
    document.duplicate_rule("b")
    document.undo()
    document.redo()
    for change in changes:
        copy = apply_edits(copy, change.edits)
    assert copy == document.text
    assert [change.reason for change in changes] == ["edit", "edit", "undo", "redo"]


def test_changes_outside_are_taken_in_beside_ours_and_undone() -> None:
    document = RuleDocument(rules(a=1, b=2, c=3))
    document.set_field("a", "priority", 10)
    outcome = document.external_change(rules(a=1, b=20, c=3, d=4).encode())
    assert outcome.taken == ("b", "d")
    assert not outcome.conflicts
    assert document.text == rules(a=10, b=20, c=3, d=4)
    assert document.dirty
    document.undo()
    assert document.text == rules(a=10, b=2, c=3)


PRIORITIES = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 3), min_size=1)


@settings(max_examples=300)
@given(PRIORITIES, PRIORITIES, PRIORITIES)
def test_a_merge_loses_nothing_of_ours_and_nothing_of_theirs(
    base: dict[str, int], ours: dict[str, int], theirs: dict[str, int]
) -> None:
    outcome = merge(rules(**base), rules(**ours), rules(**theirs))
    merged = {rule.id: rule.priority for rule in RuleDocument(outcome.text).rules}
    conflicts = {conflict.rule_id for conflict in outcome.conflicts}
    for name in {*base, *ours, *theirs} - conflicts:
        changed_here = ours.get(name) != base.get(name)
        assert merged.get(name) == (ours if changed_here else theirs).get(name)
    for name in conflicts - {""}:
        assert merged.get(name) == ours.get(name)
