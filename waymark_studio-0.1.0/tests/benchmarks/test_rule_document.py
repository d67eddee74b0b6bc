"""Budget of the rule document: one edit in a file of 150 rules, read again and checked, at most 30 ms."""

from __future__ import annotations

import itertools

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from rule_editor.document.rules.rule_document import RuleDocument

RULES = 150
BUDGET_S = 0.030
_RULE = """\
  - id: rule_{number}
    description: "Offers an update while the list of results {number} is open"
    priority: {number}
    conditions:
      all:
        # what the screen shows
        - type: semantic_element_exists
          match_threshold: 0.5
          keywords: ["Sort", "Filter", "Metro", "Results {number}"]
    actions:
      - type: inject_interference
        interference_id: "app_update_double"
        trigger_probability: 1

"""
_PRIORITIES = itertools.count(1000)


@pytest.fixture
def document() -> RuleDocument:
    return RuleDocument("rules:\n" + "".join(_RULE.format(number=at) for at in range(RULES)))


def _edit(document: RuleDocument) -> None:
    document.set_field("rule_70", "priority", next(_PRIORITIES))


def _type(document: RuleDocument) -> None:
    document.replace(30_000, 30_000, "x")


def _copy(document: RuleDocument) -> None:
    document.duplicate_rule("rule_70")
    document.undo()


@pytest.mark.parametrize(
    "edit", [_edit, _type, _copy], ids=["a field", "a letter", "a rule copied and undone"]
)
def test_an_edit(benchmark: BenchmarkFixture, document: RuleDocument, edit, within) -> None:
    benchmark.group = f"one edit in a file of {RULES} rules"
    benchmark.pedantic(edit, (document,), rounds=20, warmup_rounds=2)
    within(BUDGET_S)


@pytest.mark.parametrize("find", [str.index, str.rindex], ids=["near the start", "near the end"])
@pytest.mark.parametrize("slip", ['"', "[", "{", "*x "])
def test_a_letter_in_a_broken_file(
    benchmark: BenchmarkFixture, document: RuleDocument, slip: str, find, within
) -> None:
    benchmark.group = f"one edit in a file of {RULES} rules, broken"
    at = find(document.text, "[") + 1
    document.replace(at, at, slip)
    assert not document.parsed.is_whole
    benchmark.pedantic(_type, (document,), rounds=20, warmup_rounds=2)
    within(BUDGET_S)
