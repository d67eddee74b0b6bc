"""A file changed by another program while it was being edited: both sides' work is kept."""

from hypothesis import given, settings
from hypothesis import strategies as st

from collector.located_yaml.entry_merge import merge
from rule_editor.document.rules.rule_document import RuleDocument

BASE = """\
# all rules
rules:
  - id: a
    priority: 1

  # about b
  - id: b
    priority: 2

  - id: c
    priority: 3
"""


def changed(text, rule_id, priority):
    number = {"a": 1, "b": 2, "c": 3}[rule_id]
    return text.replace(f"priority: {number}\n", f"priority: {priority}\n")


def without(text, rule_id):
    document = RuleDocument(text)
    document.delete_rule(rule_id)
    return document.text


def test_changes_of_different_rules_are_both_kept():
    outcome = merge(BASE, changed(BASE, "a", 10), changed(BASE, "c", 30))
    assert outcome.text == changed(changed(BASE, "a", 10), "c", 30)
    assert (outcome.taken, outcome.conflicts) == (("c",), ())


def test_a_file_nobody_edited_here_becomes_the_one_on_the_disk():
    other = "states:\n  - id: x\n"
    assert merge(BASE, BASE, other).text == other


def test_the_same_change_on_both_sides_is_no_conflict():
    new = changed(BASE, "b", 20)
    assert merge(BASE, new, new) == merge(BASE, new, BASE)


def test_two_changes_of_one_rule_are_asked_about_and_ours_stays():
    ours, theirs = changed(BASE, "b", 20), changed(changed(BASE, "b", 21), "a", 11)
    outcome = merge(BASE, ours, theirs)
    assert outcome.text == changed(ours, "a", 11)
    (conflict,) = outcome.conflicts
    assert conflict.rule_id == "b"
    assert "priority: 20" in conflict.ours
    assert "priority: 21" in conflict.theirs
    assert conflict.resolved(outcome.text) == theirs


def test_a_rule_that_one_side_deleted_and_the_other_changed_is_asked_about():
    theirs = changed(BASE, "b", 21)
    outcome = merge(BASE, without(BASE, "b"), theirs)
    (conflict,) = outcome.conflicts
    assert conflict.ours == ""
    assert conflict.resolved(outcome.text) == theirs
    outcome = merge(BASE, theirs, without(BASE, "b"))
    (conflict,) = outcome.conflicts
    assert conflict.theirs == ""
    assert "id: b" in outcome.text
    assert "id: b" not in conflict.resolved(outcome.text)


def test_rules_added_and_deleted_on_both_sides():
    ours = without(BASE, "a") + "\n  - id: mine\n    priority: 7\n"
    theirs = without(BASE, "c") + "\n  - id: theirs\n    priority: 8\n"
    outcome = merge(BASE, ours, theirs)
    ids = [rule.id for rule in RuleDocument(outcome.text).rules]
    assert sorted(ids) == ["b", "mine", "theirs"]
    assert not outcome.conflicts


def test_comments_above_a_rule_go_with_it():
    theirs = BASE.replace("  # about b\n", "  # about b, said better\n")
    outcome = merge(BASE, changed(BASE, "a", 10), theirs)
    assert outcome.conflicts == ()
    assert outcome.text == changed(theirs, "a", 10)


def test_a_broken_file_is_merged_too():
    ours = BASE.replace("priority: 1", "priority: [")
    outcome = merge(BASE, ours, changed(BASE, "c", 30))
    assert outcome.text == changed(ours, "c", 30)


def test_the_document_takes_changes_in_as_one_step_and_knows_what_is_on_the_disk():
    document = RuleDocument(BASE, "rules.yaml")
    document.set_field("a", "priority", 10)
    mine = document.text
    reasons = []
    document.changed.subscribe(lambda change: reasons.append(change.reason))
    outcome = document.external_change(changed(changed(BASE, "c", 30), "a", 11).encode())
    assert reasons == ["reload"]
    assert document.text == changed(mine, "c", 30)
    assert document.dirty
    document.take_theirs(outcome.conflicts[0])
    assert not document.dirty
    document.undo()
    document.undo()
    assert document.text == mine


def test_a_file_written_as_it_is_here_already_changes_nothing():
    document = RuleDocument(BASE, "rules.yaml")
    document.set_field("a", "priority", 10)
    assert document.external_change(document.text.encode()).conflicts == ()
    assert not document.dirty


TEXTS = st.text(alphabet="ab: -#\r\n[]'", max_size=40)


@settings(max_examples=200, deadline=None)
@given(TEXTS, TEXTS, TEXTS)
def test_any_three_texts_merge(base, ours, theirs):
    outcome = merge(base, ours, theirs)
    for conflict in outcome.conflicts:
        conflict.resolved(outcome.text)
    assert merge(base, base, theirs).text == theirs
    assert merge(base, ours, base).text == ours


EDITS = st.dictionaries(st.sampled_from("abc"), st.integers(100, 999), max_size=3)


@settings(max_examples=100, deadline=None)
@given(EDITS, EDITS)
def test_every_change_of_either_side_is_in_the_text_or_in_a_conflict(ours, theirs):
    mine, other = BASE, BASE
    for rule_id, priority in ours.items():
        mine = changed(mine, rule_id, priority)
    for rule_id, priority in theirs.items():
        other = changed(other, rule_id, priority)
    outcome = merge(BASE, mine, other)
    everything = outcome.text + "".join(conflict.theirs for conflict in outcome.conflicts)
    assert all(f"priority: {priority}" in everything for priority in (*ours.values(), *theirs.values()))
    assert all(f"priority: {priority}" in outcome.text for priority in ours.values())
    text = outcome.text
    for conflict in outcome.conflicts:
        text = conflict.resolved(text)
    assert all(f"priority: {priority}" in text for priority in theirs.values())
