"""The table of ``make bench`` compares each figure with its budget, or with that of another library."""

from __future__ import annotations

import json

import pytest

from tests.benchmarks.budgets.table import Budget, Row, table

SAMPLES = [1.0] * 99 + [50.0]


@pytest.mark.parametrize(
    ("budget", "verdict"),
    [
        (Budget("median", 1), "ok"),
        (Budget("max", 49), "over"),
        (Budget("median", 0.6, of_rival=True), "ok"),
        (Budget("median", 0.4, of_rival=True), "over"),
        (None, ""),
    ],
)
def test_the_verdict_is_of_the_figure_the_bar_names(budget: Budget | None, verdict: str) -> None:
    assert Row("work", SAMPLES, budget, "rival", [2.0]).verdict == verdict


def test_rows_with_and_without_a_rival_print_and_are_json() -> None:
    rows = [Row("alone", [1.0]), Row("beside", SAMPLES, Budget("max", 9), "rival", [2.0], "a note")]

    printed = table(rows)

    assert "alone" in printed
    assert "0.5x" in printed
    assert printed.endswith("beside: a note")
    assert [row["rival"] is None for row in json.loads(json.dumps([row.as_json() for row in rows]))] == [
        True,
        False,
    ]
