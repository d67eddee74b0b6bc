"""Edits of whole rules and their actions, on files of every layout."""

from __future__ import annotations

import pytest

from collector.model.errors import UserError
from collector.rules.conditions.min_step import MinStep
from collector.rules.grammar.model import INJECTION, STATE, SUCCESS, Group, Injection, Rule
from rule_editor.document.rules.rule_document import RuleDocument
from tests.helpers.rule_texts import DGARA, PLAIN_LIST, STATES, TEXTS
from tests.helpers.rule_texts import SUCCESS as SUCCESS_TEXT

TOP = Group(conditions=(MinStep(value=3),))
NEW = {
    INJECTION: Rule(id="new", kind=INJECTION, conditions=TOP, actions=(Injection(interference_id="x"),)),
    SUCCESS: Rule(id="new", kind=SUCCESS, conditions=TOP),
    STATE: Rule(id="new", kind=STATE, conditions=TOP, after=("cart",)),
}


@pytest.mark.parametrize("text", TEXTS)
def test_a_rule_added_goes_where_it_was_asked_to(text: str) -> None:
    document = RuleDocument(text)
    ids = [rule.id for rule in document.rules]
    document.add_rule(NEW[document.kind])
    assert [rule.id for rule in document.rules] == [*ids, "new"]
    assert document.rules[-1] == NEW[document.kind]
    document.undo()
    document.add_rule(NEW[document.kind], after=ids[0])
    assert [rule.id for rule in document.rules] == [ids[0], "new", *ids[1:]]


@pytest.mark.parametrize("head", ["", "# nothing yet\n", "\ufeff", "# no end"])
@pytest.mark.parametrize("kind", [INJECTION, SUCCESS, STATE])
def test_the_first_rule_of_an_empty_file(kind: str, head: str) -> None:
    document = RuleDocument(head, kind=kind)
    document.add_rule(NEW[kind])
    assert document.rules == (NEW[kind],)
    assert document.text.startswith(head)
    document.delete_rule("new")
    assert document.rules == ()
    document.add_rule(NEW[kind])
    assert document.rules == (NEW[kind],)


@pytest.mark.parametrize("text", ["rules: []\n", "rules:\n", "rules:  # none\n"])
def test_the_first_rule_of_an_empty_list(text: str) -> None:
    document = RuleDocument(text)
    document.add_rule(NEW[INJECTION])
    assert document.rules == (NEW[INJECTION],)


@pytest.mark.parametrize("text", TEXTS)
def test_a_copy_stands_behind_its_rule_as_it_is_written(text: str) -> None:
    document = RuleDocument(text)
    for rule in document.rules:
        copy = document.duplicate_rule(rule.id)
        ids = [rule.id for rule in document.rules]
        assert ids.index(copy) == ids.index(rule.id) + 1
        copied = document.file.rule(copy)
        assert copied is not None
        assert (copied.conditions, copied.actions) == (rule.conditions, rule.actions)
        document.undo()
    assert document.text == text


@pytest.mark.parametrize("text", TEXTS)
def test_every_rule_can_go_and_come_back(text: str) -> None:
    document = RuleDocument(text)
    for rule in document.rules:
        document.delete_rule(rule.id)
        assert rule.id not in [rule.id for rule in document.rules]
    assert document.rules == ()
    while document.undo():
        pass
    assert document.text == text


def test_the_comment_above_a_rule_goes_with_it_and_others_stay() -> None:
    document = RuleDocument(DGARA)
    document.delete_rule("second")
    assert "# about the second" not in document.text
    assert "# head" in document.text


def test_a_new_id_keeps_the_comment_and_the_quotes() -> None:
    document = RuleDocument(DGARA)
    document.set_field("first", "id", "eins")
    assert "  - id: eins        # why\n" in document.text
    with pytest.raises(UserError, match="already"):
        document.set_field("eins", "id", "second")
    other = RuleDocument(SUCCESS_TEXT)
    other.set_field("task two", "id", "task zwei")
    assert '\n"task zwei":\n' in other.text
    with pytest.raises(UserError, match="already"):
        other.set_field("task zwei", "id", "task_one")
    with pytest.raises(UserError, match="needs an id"):
        other.set_field("task zwei", "id", " ")


def test_new_keys_go_where_the_grammar_has_them() -> None:
    document = RuleDocument(DGARA)
    document.set_field("third", "once", False)
    document.set_field("third", "description", "now: this")
    assert '  - id: third\n    description: "now: this"\n    once: false\n    conditions:\n' in document.text
    document.set_field("third", "description", None)
    assert "now: this" not in document.text


def test_states_that_come_before() -> None:
    document = RuleDocument(STATES)
    document.set_field("cart", "after", ("b", "c"))
    assert "  after: [b, c]\n" in document.text
    document.set_field("done", "after", ("cart",))
    assert document.rules[1].after == ("cart",)
    document.set_field("done", "optional", False)
    assert not document.rules[1].optional


def test_actions_are_added_changed_and_taken_out() -> None:
    document = RuleDocument(DGARA)
    document.add_action("second", Injection(interference_id="low", trigger_probability=0.5))
    document.add_action("second", Injection(interference_id="yes", follow_up={"accept": "x"}))
    document.set_action_field("second", 1, "interference_id", "no")
    document.set_action_field("second", 0, "trigger_probability", None)
    document.set_action_field("third", 0, "trigger_probability", 0.25)
    rule = document.file.rule("second")
    assert rule is not None
    assert rule.actions == (
        Injection(interference_id="low"),
        Injection(interference_id="no", follow_up={"accept": "x"}),
    )
    assert "{type: inject_interference, interference_id: x, trigger_probability: 0.25}" in document.text
    document.delete_action("second", 0)
    document.delete_action("second", 0)
    with pytest.raises(UserError, match="no such action"):
        document.delete_action("second", 0)
    document.undo()
    document.undo()
    document.undo()


def test_an_action_without_a_list() -> None:
    document = RuleDocument(
        "rules:\n  - id: a\n    conditions: {all: []}\n    actions:\n      interference_id: x\n"
    )
    document.set_action_field("a", 0, "interference_id", "y")
    document.add_action("a", Injection(interference_id="z"))
    assert [action.interference_id for action in document.rules[0].actions] == ["y", "z"]


def test_sound_rules_of_a_broken_file_stay_editable() -> None:
    text = DGARA.replace("    conditions: {all: [{type: min_step, value: 3}]}", "    conditions: {all: [")
    document = RuleDocument(text)
    assert [rule.id for rule in document.rules] == ["first", "third"]
    document.set_field("first", "priority", 7)
    document.add_condition("third", (0,), MinStep(value=1))
    copy = document.duplicate_rule("third")
    document.delete_rule("first")
    assert [rule.id for rule in document.rules] == ["third", copy]
    assert "    conditions: {all: [\n    actions: []\n" in document.text
    while document.undo():
        pass
    assert document.text == text


def test_an_edit_that_would_reach_into_another_rule_is_refused() -> None:
    text = (
        "rules:\n  - id: a\n    conditions: &shared {all: [{type: min_step, value: 1}]}\n    actions: []\n"
        "  - id: b\n    conditions: *shared\n    actions: []\n"
    )
    document = RuleDocument(text)
    for rule_id in ("a", "b"):
        with pytest.raises(UserError):
            document.set_condition_field(rule_id, (0,), "value", 2)
    assert document.text == text
    assert not document.history.done


def test_a_rule_list_without_its_key_can_be_edited() -> None:
    document = RuleDocument(PLAIN_LIST)
    document.set_field("second", "priority", 1)
    assert "  - id: second\n    priority: 1\n" in document.text


def test_rules_of_one_id_are_told_apart() -> None:
    rule = "  - id: a\n    conditions: {all: [{type: min_step, value: 1}]}\n    actions: []\n"
    document = RuleDocument("rules:\n" + rule + rule)
    document.set_field("a#1", "priority", 1)
    assert [rule.priority for rule in document.rules] == [1, 99]
    document.set_field("a", "priority", 2)
    assert [rule.priority for rule in document.rules] == [1, 2]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("&a # an anchor: the file is read as a whole\nrules:\n  - {id: one, actions: []}\n", "injection"),
        ("&a # the same\none:\n  conditions: {all: []}\n", "success"),
    ],
)
def test_rules_of_a_file_with_an_anchor_are_duplicated_and_added_too(text: str, kind: str) -> None:
    document = RuleDocument(text, "x.yaml", kind)
    copy = document.duplicate_rule("one")
    assert [rule.id for rule in document.file.rules] == ["one", copy]
    document.undo()
    assert document.text == text
