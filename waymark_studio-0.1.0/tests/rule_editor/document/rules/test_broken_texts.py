"""Broken files: sound rules stay editable, broken parts stay as they are, and nothing ever crashes."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collector.located_yaml.yaml_patch.lines import without_tail
from collector.model.errors import UserError
from collector.rules.conditions.min_step import MinStep
from rule_editor.document.completion.completions import Vocabulary
from rule_editor.document.rules.rule_document import RuleDocument
from tests.helpers.rule_edits import edit_at_random, paths_of

RULES = """\
rules:
  - id: good
    conditions:
      all:
        # kept
        - {type: min_step, value: 3}
    actions: []

  # the broken one
  - id: bad
    conditions: {all: [
    actions: []

  - id: fine
    conditions:
      all:
        - any:
            - type: element_exists
              selector: "text='x'"
    actions:
      - type: inject_interference
        interference_id: low
"""
SUCCESS = """\
good:
  conditions:
    - type: any_of
      sub_conditions:
        - {type: min_step, value: 1}
bad:
  conditions:
    - type: "open
fine:
  conditions: []
"""
SIGNS = (
    "\n",
    "  ",
    "- ",
    '"',
    "'",
    "[",
    "]",
    "{",
    "}",
    ": ",
    "#",
    "&a ",
    "*a",
    "|",
    ">",
    "\t",
    "---",
    "\r\n",
    "\x00",
)
PIECES = st.sampled_from(
    (*SIGNS, "id: good", "\n- id: x", "conditions:", "all:", "电", "<<: *a", "\ufeff", "!!map ")
)


def broken(document: RuleDocument) -> list[str]:
    """Own lines of the entries that cannot be read."""
    entries = (entry for entry in document.parsed.entries if entry.node is None)
    return sorted(without_tail(document.text[entry.start : entry.end]) for entry in entries)


def test_sound_rules_of_a_broken_file_are_edited_and_the_broken_one_keeps_its_bytes():
    document = RuleDocument(RULES)
    bad = RULES[RULES.index("  # the broken one") : RULES.index("  - id: fine")]
    assert [rule.id for rule in document.rules] == ["good", "fine"]
    document.add_condition("good", (), MinStep(value=9))
    document.set_condition_field("fine", (0, 0), "selector", "text='y'")
    document.set_group("fine", (0,), "not")
    document.duplicate_rule("good", "copy")
    document.delete_rule("good")
    assert bad.rstrip() in document.text
    assert [rule.id for rule in document.rules] == ["copy", "fine"]
    while document.undo():
        pass
    assert document.text == RULES


def test_a_broken_rule_is_not_edited_and_says_why_but_can_be_deleted():
    document = RuleDocument(RULES)
    key = next(entry.key for entry in document.parsed.entries if entry.node is None)
    with pytest.raises(UserError, match="cannot be read"):
        document.set_field(key, "priority", 1)
    assert document.text == RULES
    document.delete_rule(key)
    assert document.parsed.is_whole
    assert [rule.id for rule in document.rules] == ["good", "fine"]


def test_success_rules_beside_a_broken_one_are_edited():
    document = RuleDocument(SUCCESS)
    document.set_field("good", "description", "liked: yes")
    assert 'description: "liked: yes"' in document.text or "description: 'liked: yes'" in document.text
    assert (
        document.text.replace(document.text[document.text.index("  description") :].split("\n")[0] + "\n", "")
        == SUCCESS
    )


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from((RULES, SUCCESS)), st.data())
def test_no_edit_of_any_broken_text_crashes_or_touches_what_cannot_be_read(text, data):
    for _splice in range(data.draw(st.integers(0, 4))):
        start = data.draw(st.integers(0, len(text)))
        text = text[:start] + data.draw(PIECES) + text[min(len(text), start + data.draw(st.integers(0, 9))) :]
    document = RuleDocument(text)
    for _edit in range(2):
        before = broken(document)
        deleted = len(document.parsed.entries)
        edit_at_random(document, data.draw)
        if len(document.parsed.entries) >= deleted:
            assert broken(document) == before
    while document.undo():
        pass
    assert document.text == text


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=80) | st.lists(PIECES, max_size=25).map("".join), st.integers(-2, 90))
def test_no_text_crashes_a_look_at_it(text, at):
    document = RuleDocument(text)
    document.rule_at(at)
    document.condition_at(at)
    document.completions(at, Vocabulary(texts=("x",)))
    for entry in document.parsed.entries:
        document.place_of(entry.key)
        if entry.rule is not None:
            for path in paths_of(entry.rule.conditions):
                assert document.place_of(entry.key, path) is not None
    document.external_change(b"rules: []\n")
    document.external_change(text.encode("utf-8", "replace"))
