"""Whatever stands before it, a place names the characters it speaks of, and the line an editor shows."""

from __future__ import annotations

import re

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.located_yaml.diagnostics import Place, apply_edits
from collector.rules.grammar.model import Rule
from collector.rules.grammar.plain import plain_rule
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.rule_strategies import INJECTION_RULES

HEADS = (
    "",
    "\ufeff",
    "# 稻香 \U0001f6d2\n",
    "\n\n",
    "# a\u2028b\x85c\n",
    "---\n",
    "%YAML 1.1\n---\n",
    "#\ttab\r\n",
)
BREAKS = ("\n", "\r\n")


def shown_at(text: str, place: Place) -> tuple[int, int]:
    """Line and column from 1, counted as an editor counts them: a byte order mark is no character."""
    before = text[: place.start]
    line_start = max(before.rfind("\n"), before.rfind("\r")) + 1
    breaks = len(re.findall("\r\n|\n|\r", before))
    mark = text.startswith("\ufeff") and line_start == 0
    return breaks + 1, place.start - line_start + 1 - mark


def unquoted(written: str) -> str:
    return str(yaml.safe_load(f"[{written}]")[0]) if written[:1] in "'\"" else written


@settings(max_examples=80)
@given(
    rules=st.lists(INJECTION_RULES, min_size=1, max_size=3),
    head=st.sampled_from(HEADS),
    line_break=st.sampled_from(BREAKS),
    unicode=st.booleans(),
)
def test_ids_stand_where_they_are_said_to(
    rules: list[Rule], head: str, line_break: str, unicode: bool
) -> None:
    names = [rule.id for rule in rules]
    plain = {"rules": [plain_rule(rule) for rule in rules]}
    body = yaml.safe_dump(plain, sort_keys=False, allow_unicode=unicode, width=10_000)
    text = head + body.replace("\n", line_break)
    rules_read = read_rules(text).rules
    if "\x85" not in "".join(names) or not unicode:  # PyYAML itself writes that one as a line break
        assert [rule.id for rule in rules_read] == names
    for rule in rules_read:
        if "\n" not in rule.id:
            assert unquoted(text[rule.id_place.start : rule.id_place.end]) == rule.id
        for part in (rule, *rule.conditions.walk(), *rule.actions):
            place = part.place
            assert 0 <= place.start <= place.end <= len(text)
            assert (place.line, place.column) == shown_at(text, place)
    for finding in read_rules(text).diagnostics:
        assert (finding.place.line, finding.place.column) == shown_at(text, finding.place)
        for fix in finding.fixes:
            apply_edits(text, fix.edits)


MISTAKES = """\
rules:
  - id: 购物\U0001f6d2
    conditions:
      all:
        - {type: elment_exists, selector: "text='稻'"}
        - {type: element_exists, selector: "text='稻\\"", colour: red}
        - type: semantic_element_exists
          keywords: 稻香
          match_threshold: 75
        - {type: text_matches, pattern: '('}
    actions: []
"""
SPOKEN_OF = {
    "unknown-type": "elment_exists",
    "bad-selector": '"text=\'稻\\""',
    "unknown-key": "colour",
    "wrong-shape": "稻香",
    "out-of-range": "75",
    "bad-pattern": "'('",
}


@pytest.mark.parametrize("line_break", BREAKS)
@pytest.mark.parametrize("head", HEADS)
def test_each_diagnostic_points_at_its_own_words(head: str, line_break: str) -> None:
    from collector.located_yaml.codes import CODES

    text = head + MISTAKES.replace("\n", line_break)
    names = {spec.code: name for name, spec in CODES.items()}
    places = {names[diagnostic.code]: diagnostic.place for diagnostic in read_rules(text).diagnostics}
    for name, words in SPOKEN_OF.items():
        place = places[name]
        assert text[place.start : place.end] == words
        assert (place.line, place.column) == shown_at(text, place)


@pytest.mark.parametrize("line_break", BREAKS)
@pytest.mark.parametrize("head", HEADS)
def test_places_hold_in_a_file_that_is_read_entry_by_entry(head: str, line_break: str) -> None:
    broken = (
        MISTAKES + "  - id: broken\n    conditions: [\n  - id: last\n    conditions:\n      all: [{typ: x}]\n"
    )
    text = head + broken.replace("\n", line_break)
    file = read_rules(text)
    assert [rule.id for rule in file.rules] == ["购物\U0001f6d2", "last"]
    for rule in file.rules:
        assert text[rule.id_place.start : rule.id_place.end] == rule.id
        assert (rule.id_place.line, rule.id_place.column) == shown_at(text, rule.id_place)
    for finding in file.diagnostics:
        assert finding.place.line == shown_at(text, finding.place)[0]


@pytest.mark.parametrize("mistake", ["elment_exists", "colour", "75", "稻香"])
def test_quick_fixes_leave_a_file_with_one_mistake_less(mistake: str) -> None:
    text = "\ufeff" + MISTAKES.replace("\n", "\r\n")
    before = read_rules(text)
    finding = next(
        diagnostic
        for diagnostic in before.diagnostics
        if text[diagnostic.place.start : diagnostic.place.end] == mistake
    )
    mended = apply_edits(text, finding.fixes[0].edits)
    after = read_rules(mended)
    assert len(after.diagnostics) == len(before.diagnostics) - 1
    assert [rule.id for rule in after.rules] == [rule.id for rule in before.rules]
