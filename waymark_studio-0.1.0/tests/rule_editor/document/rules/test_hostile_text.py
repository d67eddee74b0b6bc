"""No text breaks the document: whatever is in it, every method answers or says one sentence."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collector.located_yaml.yaml_patch.errors import UnsafeEditError
from collector.rules.conditions.element_exists import ElementExists
from collector.rules.conditions.min_step import MinStep
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from collector.rules.grammar.model import KINDS, Group
from rule_editor.document.rules.rule_document import RuleDocument
from tests.helpers.rule_edits import edit_at_random, paths_of
from tests.helpers.rule_texts import TEXTS

HARM = (
    "]", "[", "{", "}", "- ", ": ", "&a ", "*a", "!!x ", "<<: *a", "\t", "\r", "\ufeff", "\x00", "\ud800",
    "|\n",
    "> ", "'", '"', "#", "---\n", "...\n", "? ", "\u2028", "\x85", "  ", "\n", "id: first\n", "rules:\n", "%",
)  # fmt: skip


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), text=st.sampled_from(TEXTS) | st.text())
def test_edits_of_harmed_texts(data: st.DataObject, text: str) -> None:
    for _wound in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(st.sampled_from(HARM)) + text[at + data.draw(st.integers(0, 3)) :]
    document = RuleDocument(text, kind=data.draw(st.sampled_from(("", *KINDS))))
    for _step in range(3):
        edit_at_random(document, data.draw)
        offset = data.draw(st.integers(-1, len(document.text) + 1))
        document.completions(offset)
        at = document.condition_at(offset)
        if at is not None:
            assert document.place_of(*at) is not None
    while document.undo():
        pass
    assert document.text == text


PARTS = (
    MinStep(value=3),
    ElementExists(selector="text='a'"),
    Group(kind="any", spelling="any_of", conditions=(MinStep(value=1),)),
    Group(kind="not", spelling="not", conditions=(MinStep(value=1),)),
    SemanticElementExists(keywords=("a", "b: c"), match_threshold=0.5),
)


@pytest.mark.parametrize("text", TEXTS)
def test_no_edit_that_has_a_meaning_is_refused(text: str) -> None:
    document = RuleDocument(text)
    for rule in document.rules:
        for path in paths_of(rule.conditions):
            if isinstance(document.condition(rule.id, path), Group):
                for part in PARTS:
                    document.add_condition(rule.id, path, part, 0)
                document.set_condition_field(rule.id, path, "min_step", 4)
                for kind in ("any", "not", "any_of", "all"):
                    document.set_group(rule.id, path, kind)
            while document.undo():
                pass
            if path:
                document.wrap(rule.id, path, "not")
                document.undo()
                document.move_condition(rule.id, path, (), 0)
                document.undo()
                document.delete_condition(rule.id, path)
                document.undo()
    assert document.text == text


def test_an_entry_that_cannot_be_read_alone_is_not_guessed_at() -> None:
    document = RuleDocument(
        "rules:\n  - &r {id: a, conditions: {all: []}, actions: []}\n  - {<<: *r, id: b}\n"
    )
    with pytest.raises(UnsafeEditError):
        document.set_field("a", "priority", 3)
