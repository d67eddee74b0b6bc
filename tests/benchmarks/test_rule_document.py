"""Budgets of editing rules: one edit of a file of 150 rules, read again whole, in at most 60 ms."""

from __future__ import annotations

from itertools import count

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from collector.rules.model import MinStep
from rule_editor.document.rule_document import RuleDocument

RULES = 150
_GROUP = "one edit of 150 rules (budget 60 ms)"
_RULE = """
  - id: rule_{at}  # why
    description: "当用户 {at}"
    priority: {at}
    conditions:
      all:
        # the words
        - type: semantic_element_exists
          match_threshold: 0.5
          keywords: ["Sort","Filter","购物车 {at}"]
    actions:
      - type: inject_interference
        interference_id: "low_battery"
        trigger_probability: 1
"""
_FILE = "rules:" + "".join(_RULE.format(at=at) for at in range(RULES))
_SHARED = (
    _FILE.replace("all:\n", "all: &shared\n", 1) + "  - {id: z, conditions: {all: *shared}, actions: []}\n"
)
_BROKEN = _FILE + "\n  - id: [\n"


@pytest.mark.benchmark(group=_GROUP)
@pytest.mark.parametrize("text", [_FILE, _SHARED, _BROKEN], ids=["sound", "with an alias", "broken"])
def test_a_field_is_changed(benchmark: BenchmarkFixture, text: str) -> None:
    document = RuleDocument(text)
    numbers = count(1000)
    benchmark.pedantic(
        lambda: document.set_field("rule_70", "priority", next(numbers)), rounds=20, warmup_rounds=2
    )


@pytest.mark.benchmark(group=_GROUP)
def test_a_condition_is_added_and_undone(benchmark: BenchmarkFixture) -> None:
    document = RuleDocument(_FILE)

    def there_and_back() -> None:
        document.add_condition("rule_70", (), MinStep(value=3))
        document.undo()

    benchmark.pedantic(there_and_back, rounds=20, warmup_rounds=2)


@pytest.mark.benchmark(group=_GROUP)
def test_a_letter_is_typed(benchmark: BenchmarkFixture) -> None:
    document = RuleDocument(_FILE)
    at = document.text.index("当用户 70")
    benchmark.pedantic(lambda: document.replace(at, at, "x", merge_key="typing"), rounds=50, warmup_rounds=2)
