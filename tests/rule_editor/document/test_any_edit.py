"""Whatever is edited: other entries keep their bytes, undo brings the text back, nothing else is raised."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collector.rules.model import Rule
from collector.rules.reader import read_rules
from rule_editor.document.rule_document import RuleDocument
from tests.helpers.rule_edits import edit_at_random

DGARA = """\
# head 稻香

rules:
  - id: first        # why
    description: "当用户"
    priority: 500
    conditions:
      all:
        # the words
        - type: semantic_element_exists
          match_threshold: 0.5
          keywords: ["简介","稻香", 'x']   # a comment
        - any:
            - {type: element_exists, selector: "text='a'"}
            # b
            - type: current_activity_is
              value: .Main
    actions:
      - type: inject_interference
        interference_id: "low"
        trigger_probability: 1

  # about the second
  - id: second
    conditions: {all: [{type: min_step, value: 3}]}
    actions: []

  - id: third
    conditions:
      any:
      - not:
          - type: element_exists
            selector: >-
              text='folded'
    actions: [{type: inject_interference, interference_id: x}]
"""
SUCCESS = """\
# success_conditions.yaml
task_one:
  description: "Like"
  conditions:
  # Top-level
    - type: any_of
      sub_conditions:

  # Case A
        - type: element_property_contains
          selector: "resource-id='a'"
          attribute: "content-desc"
          value: "已点赞"

  # Case B
        - type: element_exists
          selector: 'b'

"task two":
  conditions:
  - {type: element_exists, selector: "text='x'"}
  - type: text_matches
    pattern: |
      a+

task_three: {description: flow, conditions: [{type: min_step, value: 2}]}
"""
STATES = """\
states:
- id: cart
  after: [a, b]
  conditions:
  - type: semantic_element_exists
    keywords:
    - one   # 1
    - "two"
- id: done
  optional: true
  conditions:
  - all:
    - type: min_step
      value: 1"""
PLAIN_LIST = DGARA.partition("rules:\n")[2]
TEXTS = (DGARA, DGARA.replace("\n", "\r\n"), "\ufeff" + SUCCESS, SUCCESS, STATES, PLAIN_LIST, DGARA.rstrip())


def own_lines(document: RuleDocument, rule: Rule) -> str:
    """A rule from its first key to its last value, with the comments between."""
    return document.text[rule.place.start : rule.place.end].rstrip()


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), text=st.sampled_from(TEXTS))
def test_edits_keep_other_entries_and_are_undone_exactly(data: st.DataObject, text: str) -> None:
    document = RuleDocument(text)
    for _step in range(data.draw(st.integers(1, 5))):
        before = {
            entry.key: own_lines(document, entry.rule) for entry in document.reading.entries if entry.rule
        }
        edited = edit_at_random(document, data.draw)
        assert document.file.rules == read_rules(document.text, kind=document.kind).rules
        for key, lines in before.items():
            assert key == edited or lines in document.text
    while document.undo():
        pass
    assert document.text == text
    assert not document.dirty


@pytest.mark.parametrize("text", TEXTS)
def test_line_ends_stay_what_they_are(text: str) -> None:
    document = RuleDocument(text)
    rule_id = document.rules[0].id
    document.duplicate_rule(rule_id)
    document.set_field(rule_id, "description", "new")
    bare = document.text.count("\n") - document.text.count("\r\n")
    assert bare == 0 or "\r\n" not in text
    assert document.text.endswith("\n") == text.endswith("\n")
    assert document.text.startswith("\ufeff") == text.startswith("\ufeff")
