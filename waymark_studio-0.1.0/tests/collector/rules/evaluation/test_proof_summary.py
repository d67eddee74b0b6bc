"""The clauses that decided a rule are named, and no others."""

from __future__ import annotations

import pytest

from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.proof_summary import summarize_proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.rule_text import rule_text

VIEW = StateView(package="org.shop", activity=".Cart", step=4)
SHOP, OTHER = "{type: current_package_is, value: org.shop}", "{type: current_package_is, value: org.other}"
EARLY, LATE = "{type: min_step, value: 2}", "{type: min_step, value: 9}"


def summary(conditions: str) -> str:
    (rule,) = rule_text(f"rules: [{{id: r, conditions: {conditions}}}]", "x.yaml").file.rules
    return summarize_proof(evaluate(rule, VIEW), VIEW)


def lone(condition: str) -> str:
    return summary(f"{{all: [{condition}]}}")


@pytest.mark.parametrize(
    ("conditions", "deciding"),
    [
        (f"{{all: [{SHOP}, {EARLY}]}}", [SHOP, EARLY]),
        (f"{{all: [{SHOP}, {LATE}]}}", [LATE]),
        (f"{{any: [{OTHER}, {SHOP}, {EARLY}]}}", [SHOP]),
        (f"{{any: [{OTHER}, {LATE}]}}", [OTHER, LATE]),
        (f"{{all: [{{not: [{OTHER}]}}, {SHOP}]}}", [OTHER, SHOP]),
        (f"{{all: [{{not: [{SHOP}]}}, {EARLY}]}}", [SHOP]),
        (f"{{all: [{SHOP}, {{any: [{OTHER}, {LATE}]}}]}}", [OTHER, LATE]),
    ],
)
def test_only_what_decided_is_told(conditions: str, deciding: list[str]) -> None:
    assert summary(conditions) == "; ".join(map(lone, deciding))


def test_more_than_three_are_cut() -> None:
    assert summary(f"{{all: [{SHOP}, {EARLY}, {SHOP}, {EARLY}]}}").endswith("; …")
