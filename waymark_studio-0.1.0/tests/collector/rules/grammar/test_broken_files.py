"""No file, however broken or hostile, stops the reader; what is sound in it stays usable."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.located_yaml.safe_load import MAX_DEPTH
from collector.rules.grammar.model import INJECTION, KINDS, SUCCESS
from collector.rules.grammar.rule_reader import read_rules

RULE = """\
  - id: rule_{at}
    description: "稻香 {at}"
    conditions:
      all:
        - type: semantic_element_exists
          keywords: ["Sort", 'Filter', 购物车]   # a comment
          threshold: 0.5
        - not: [{{type: element_exists, selector: "text='Sign in'"}}]
    actions:
      - type: inject_interference
        interference_id: low_battery
"""
COUNT = 5
FILE = "# head\nrules:\n" + "".join(RULE.format(at=at) for at in range(COUNT))
SUCCESS_RULE = """\
task_{at}:
  # why
  description: done {at}
  conditions:
    - {{type: element_exists, selector: "text='Done {at}'"}}
"""
SUCCESS_FILE = "".join(SUCCESS_RULE.format(at=at) for at in range(COUNT))
HARM = (
    "]",
    "[",
    "{",
    "'",
    '"',
    "\t- x",
    ": :",
    "&a *b",
    "*nobody",
    "%",
    "`",
    "@",
    "!!python/object:os.system",
    "\x01",
    "- - -",
)
PIECES = (
    *("- ", ": ", "[", "]", "{", "}", "'", '"', "#", "\n", "  ", "\t", "&a", "*a", "<<", "!", "|", ">", "?"),
    *("%", "---", "...", "id", "type", "rules", "all", "conditions", "稻", "\U0001f6d2", "\x00", "\x85"),
    *("\ufeff", "\ud800", "1e999", ".nan"),
)


@settings(max_examples=300)
@given(
    st.text(max_size=80) | st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.sampled_from(("", *KINDS)),
)
def test_any_text_is_read_without_an_exception(text: str, kind: str) -> None:
    read_rules(text, "rules.yaml", kind)


@settings(max_examples=200)
@given(st.randoms(use_true_random=False), st.sampled_from((FILE, SUCCESS_FILE)))
def test_a_file_with_random_harm_is_read_without_an_exception(rng: random.Random, text: str) -> None:
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(PIECES) + text[at + rng.randrange(9) :]
    read_rules(text)


@pytest.mark.parametrize("harm", HARM)
def test_what_is_sound_beside_a_broken_rule_stays(harm: str) -> None:
    whole = {rule.id: rule for rule in read_rules(FILE).rules}
    for harmed in range(COUNT):
        for line in range(1, 11):
            rules = [RULE.format(at=at) for at in range(COUNT)]
            lines = rules[harmed].splitlines(keepends=True)
            rules[harmed] = "".join([*lines[:line], f"    {harm}\n", *lines[line:]])
            file = read_rules("# head\nrules:\n" + "".join(rules))
            unharmed = {rule.id: rule for rule in file.rules if rule.id != f"rule_{harmed}"}
            assert unharmed == {name: rule for name, rule in whole.items() if name != f"rule_{harmed}"}
            assert file.kind == INJECTION


@pytest.mark.parametrize("harm", HARM)
def test_what_is_sound_beside_a_broken_success_rule_stays(harm: str) -> None:
    entries = [SUCCESS_RULE.format(at=at) for at in range(COUNT)]
    entries[2] = f"task_2:\n  {harm}\n  conditions: [\n"
    file = read_rules("".join(entries))
    whole = {rule.id: rule for rule in read_rules(SUCCESS_FILE).rules}
    assert file.kind == SUCCESS
    assert {rule.id: rule for rule in file.rules if rule.id != "task_2"} == {
        name: rule for name, rule in whole.items() if name != "task_2"
    }
    assert "W101" in [diagnostic.code for diagnostic in file.diagnostics]


def test_items_whose_dash_stands_alone_are_entries_too() -> None:
    text = FILE.replace("  - id:", "  -\n    id:") + "  -\n    id: broken\n    conditions: [\n"
    assert [rule.id for rule in read_rules(text).rules] == [f"rule_{at}" for at in range(COUNT)]


def test_nesting_beyond_reason_is_told() -> None:
    deep = "rules:\n- id: x\n  conditions: " + "[" * (MAX_DEPTH * 50) + "]" * (MAX_DEPTH * 50)
    assert "W101" in [diagnostic.code for diagnostic in read_rules(deep).diagnostics]
    groups = "{any: [" * 60 + "{type: min_step, value: 1}" + "]}" * 60
    file = read_rules(f"rules:\n- id: x\n  conditions: {groups}\n  actions: []\n")
    assert file.diagnostics


def test_tags_make_nothing() -> None:
    file = read_rules("rules:\n- id: !!python/object/apply:os.system [true]\n  conditions: {all: []}\n")
    assert file.diagnostics
    assert [rule.id for rule in file.rules] in ([], [""])


def test_a_control_character_is_told_where_it_stands() -> None:
    text = "rules: # 稻香\n- id: \x01x\n"
    (finding,) = [diagnostic for diagnostic in read_rules(text).diagnostics if diagnostic.code == "W101"]
    assert finding.place.line == 2
    assert text[finding.place.start] == "\x01"


def test_aliases_and_merges_are_read_as_pyyaml_reads_them() -> None:
    text = """\
base: &base {type: element_exists, selector: "text='a'"}
x:
  conditions: [*base, {<<: *base, selector: "text='b'"}]
"""
    rule = next(rule for rule in read_rules(text, kind=SUCCESS).rules if rule.id == "x")
    assert [part.selector for part in rule.conditions.conditions] == ["text='a'", "text='b'"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", [FILE, SUCCESS_FILE])
def test_sound_rules_of_a_broken_file_with_a_byte_order_mark_are_read(text: str) -> None:
    broken = "\ufeff" + text.removeprefix("# head\n") + "  - ]\n"
    file = read_rules(broken)
    assert [rule.id for rule in file.rules][: COUNT - 1] == [rule.id for rule in read_rules(text).rules][:-1]
