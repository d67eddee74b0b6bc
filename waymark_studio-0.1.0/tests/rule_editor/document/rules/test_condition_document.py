"""Edits of conditions: the smallest change of text that means what was asked, in the file's own style."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from collector.model.errors import UserError
from collector.rules.conditions.current_activity_is import CurrentActivityIs
from collector.rules.conditions.element_exists import ElementExists
from collector.rules.conditions.min_step import MinStep
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from collector.rules.grammar.model import Group
from rule_editor.document.rules.rule_document import RuleDocument
from tests.helpers.rule_edits import paths_of
from tests.helpers.rule_strategies import CONDITIONS
from tests.helpers.rule_texts import TEXTS

INJECTION = """\
rules:
  - id: a
    conditions:
      all:
        # words
        - type: semantic_element_exists
          threshold: 0.5   # half
          keywords: ["x","y", 'z']
        - any:
            - {type: element_exists, selector: "text='a'"}
    actions:
      - type: inject_interference
        interference_id: "low"
"""
LIST = """\
t:
  conditions:
    # first
    - type: any_of
      sub_conditions:
        - type: element_exists
          selector: "b"
    - type: element_exists
      selector: "c"
"""


def changed(document: RuleDocument, before: str) -> tuple[list[str], list[str]]:
    """Lines that went and lines that came."""
    old, new = before.splitlines(), document.text.splitlines()
    return [line for line in old if line not in new], [line for line in new if line not in old]


def test_a_keyword_more_keeps_the_quotes_of_the_others() -> None:
    document = RuleDocument(INJECTION)
    document.set_condition_field("a", (0,), "keywords", ("x", "y", "new: one", "z"))
    assert changed(document, INJECTION) == (
        ['          keywords: ["x","y", \'z\']'],
        ['          keywords: ["x","y","new: one", \'z\']'],
    )


def test_a_word_with_a_sharp_in_it_can_go_and_a_comment_cannot() -> None:
    document = RuleDocument(INJECTION.replace('"y"', '"y #1"'))
    document.set_condition_field("a", (0,), "keywords", ("x", "z"))
    assert "          keywords: [\"x\", 'z']\n" in document.text
    text = INJECTION.replace('"y",', '"y", # why\n            ')
    document = RuleDocument(text)
    with pytest.raises(UserError):
        document.set_condition_field("a", (0,), "keywords", ("x", "y"))
    assert document.text == text


def test_a_comment_behind_any_of_stays() -> None:
    text = LIST.replace("type: any_of", "type: any_of   # one of")
    document = RuleDocument(text)
    document.set_group("t", (0,), "not")
    assert "# one of" in document.text
    assert document.condition("t", (0,)).parts == RuleDocument(text).condition("t", (0,)).parts


def test_keywords_below_each_other_stay_so() -> None:
    text = INJECTION.replace(
        """["x","y", 'z']""", """\n            - x   # ex\n            - "y"\n            - 'z'"""
    )
    document = RuleDocument(text)
    document.set_condition_field("a", (0,), "keywords", ("x", "w", "z"))
    assert changed(document, text) == (['            - "y"'], ['            - "w"'])
    document.set_condition_field("a", (0,), "keywords", ("x", "w", "z", "on"))
    assert "            - 'z'\n" in document.text
    assert document.rules[0].conditions.conditions[0].keywords == ("x", "w", "z", "on")


def test_an_alias_stays_the_key_and_its_comment_stays() -> None:
    document = RuleDocument(INJECTION)
    document.set_condition_field("a", (0,), "match_threshold", 0.75)
    assert "          threshold: 0.75   # half\n" in document.text
    assert "match_threshold" not in document.text
    document.set_condition_field("a", (0,), "match_threshold", None)
    assert "threshold" not in document.text


def test_a_text_that_yaml_reads_as_something_else_is_quoted() -> None:
    text = "t:\n  conditions:\n    - type: current_activity_is\n      value: plain\n"
    for word in ("true", "5", "a: b", "- x", "#no", "", "2026-01-01", "it's", "稻\u2028香", "a\nb"):
        document = RuleDocument(text)
        document.set_condition_field("t", (0,), "value", word)
        assert document.condition("t", (0,)) == CurrentActivityIs(value=word)


def test_a_new_condition_is_written_as_the_others_are() -> None:
    document = RuleDocument(INJECTION)
    document.add_condition("a", (), MinStep(value=3), 1)
    assert (
        '          keywords: ["x","y", \'z\']\n        - type: min_step\n          value: 3\n'
        in document.text
    )
    document.add_condition("a", (2,), ElementExists(selector="d"))
    assert document.condition("a", (2, 1)) == ElementExists(selector="d")


def test_a_new_condition_has_its_keys_in_the_order_of_the_others() -> None:
    document = RuleDocument(INJECTION.replace("threshold", "match_threshold"))
    document.add_condition("a", (), SemanticElementExists(keywords=("q", "r: s"), match_threshold=0.25), 1)
    assert (
        "        - type: semantic_element_exists\n          match_threshold: 0.25\n"
        '          keywords: ["q","r: s"]\n'
    ) in document.text


def test_the_first_condition_of_a_rule_without_any() -> None:
    for body in ("    conditions:\n", "    conditions: []\n", "    conditions: {}\n", ""):
        document = RuleDocument(f"rules:\n  - id: a\n{body}    actions: []\n")
        document.add_condition("a", (), MinStep(value=2))
        assert document.rules[0].conditions == Group(conditions=(MinStep(value=2),))
        assert not [diagnostic for diagnostic in document.diagnostics if diagnostic.code != "W106"]


def test_a_group_around_a_single_condition_grows_a_list() -> None:
    document = RuleDocument("rules:\n  - id: a\n    conditions:\n      all: {type: min_step, value: 1}\n")
    document.add_condition("a", (), MinStep(value=2))
    assert document.rules[0].conditions.conditions == (MinStep(value=1), MinStep(value=2))


def test_another_group_than_all_at_the_top_gets_one_around_it() -> None:
    document = RuleDocument(
        "rules:\n  - id: a\n    conditions:\n      any:\n      - {type: min_step, value: 1}\n"
    )
    document.add_condition("a", (), MinStep(value=2))
    inner, added = document.rules[0].conditions.conditions
    assert (inner.parts, added) == ((MinStep(value=1),), MinStep(value=2))


def test_the_last_condition_of_a_group_leaves_an_empty_list() -> None:
    document = RuleDocument(INJECTION)
    document.delete_condition("a", (1, 0))
    assert "        - any: []\n" in document.text
    document.add_condition("a", (1,), MinStep(value=1))
    assert document.condition("a", (1, 0)) == MinStep(value=1)


def test_a_moved_condition_takes_its_lines_and_comment_along() -> None:
    document = RuleDocument(LIST)
    document.move_condition("t", (0, 0), (), 2)
    assert document.text == (
        "t:\n  conditions:\n    # first\n    - type: any_of\n      sub_conditions: []\n"
        '    - type: element_exists\n      selector: "c"\n    - type: element_exists\n      selector: "b"\n'
    )
    document.undo()
    assert document.text == LIST


def test_a_condition_moves_to_another_rule() -> None:
    document = RuleDocument(LIST + "u:\n  conditions:\n  - {type: min_step, value: 1}\n")
    document.move_condition("t", (1,), (), 0, to_rule="u")
    assert document.condition("u", (0,)) == ElementExists(selector="c")
    assert len(document.rules[0].conditions.conditions) == 1
    document.undo()
    assert document.text.startswith(LIST)


def test_a_group_does_not_go_into_itself() -> None:
    document = RuleDocument(LIST)
    with pytest.raises(UserError, match="itself"):
        document.move_condition("t", (0,), (0,), 0)
    assert document.text == LIST


@pytest.mark.parametrize("kind", ["all", "any", "not", "any_of"])
@pytest.mark.parametrize("path", [(), (0,), (1,)])
@pytest.mark.parametrize("text", [INJECTION, LIST])
def test_a_group_of_another_kind_has_the_same_parts(text: str, path: tuple[int, ...], kind: str) -> None:
    document = RuleDocument(text)
    rule_id = document.rules[0].id
    before = document.condition(rule_id, path)
    if not isinstance(before, Group):
        with pytest.raises(UserError):
            document.set_group(rule_id, path, kind)
        return
    document.set_group(rule_id, path, kind)
    after = document.rules[0].conditions if path == () else document.condition(rule_id, path)
    if path == () and kind != "all":
        (after,) = after.parts
    assert isinstance(after, Group)
    assert (after.spelling, after.parts) == (kind, before.parts)


def test_a_wrapped_condition_stands_alone_in_its_group() -> None:
    document = RuleDocument(INJECTION)
    words = document.condition("a", (0,))
    document.wrap("a", (0,), "not")
    assert document.condition("a", (0,)) == Group(kind="not", spelling="not", conditions=(words,))
    assert "# words" in document.text
    assert "# half" in document.text


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), text=st.sampled_from(TEXTS))
def test_an_edit_reads_as_what_was_asked_for(data: st.DataObject, text: str) -> None:
    document = RuleDocument(text)
    rule = data.draw(st.sampled_from(document.rules))
    path = data.draw(st.sampled_from(paths_of(rule.conditions)))
    condition = data.draw(CONDITIONS)
    before = document.condition(rule.id, path)
    assume(isinstance(before, Group))
    index = data.draw(st.integers(0, len(before.parts)))
    try:
        document.add_condition(rule.id, path, condition, index)
    except UserError:
        assert document.text == text
        return
    after = document.condition(rule.id, path)
    assert after.parts == (*before.parts[:index], condition, *before.parts[index:])
