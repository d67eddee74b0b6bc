"""The table of ``make bench`` compares each figure with its budget, or with that of another library."""

from __future__ import annotations

import json

import pytest

from tests.benchmarks.budgets.table import Budget, Row, better_rows, exit_status, table

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


def test_a_row_over_its_budget_is_asked_again_and_fails_unless_it_is_only_reported() -> None:
    bar = Budget("median", 1)
    slow, quick, other = Row("a", [3.0], bar), Row("a", [0.5], bar), Row("b", [0.9], bar)
    assert slow.shortfall == "median <= 1 ms, measured 3.0 ms"
    assert better_rows([slow, other], [quick, Row("b", [7.0], bar)]) == [quick, other]
    assert better_rows([slow], [slow]) == [slow]
    assert exit_status([slow, other], [], report=False) == 1
    assert exit_status([slow, other], [], report=True) == 0
    assert exit_status([quick, other], [], report=False) == 0
    assert exit_status([quick], ["group"], report=True) == 1
