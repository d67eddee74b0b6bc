"""Whatever is edited: other entries keep their bytes, undo brings the text back, nothing else is raised."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collector.rules.grammar.model import Rule
from collector.rules.grammar.rule_reader import read_rules
from rule_editor.document.rules.rule_document import RuleDocument
from tests.helpers.rule_edits import edit_at_random
from tests.helpers.rule_texts import TEXTS


def own_lines(document: RuleDocument, rule: Rule) -> str:
    """A rule from its first key to its last value, with the comments between."""
    return document.text[rule.place.start : rule.place.end].rstrip()


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), text=st.sampled_from(TEXTS))
def test_edits_keep_other_entries_and_are_undone_exactly(data: st.DataObject, text: str) -> None:
    document = RuleDocument(text)
    for _step in range(data.draw(st.integers(1, 5))):
        before = {
            entry.key: own_lines(document, entry.rule) for entry in document.parsed.entries if entry.rule
        }
        edited = edit_at_random(document, data.draw)
        assert document.file.rules == read_rules(document.text, kind=document.kind).rules
        for key, lines in before.items():
            assert key == edited or lines in document.text
        assert not [diagnostic for diagnostic in document.diagnostics if diagnostic.code == "W101"]
        assert document.text.count("\n") == document.text.count("\r\n") or "\r\n" not in text
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
