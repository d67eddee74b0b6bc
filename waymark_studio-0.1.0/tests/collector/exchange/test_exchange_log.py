"""What an import noticed, in sentences: where it holds is told by number or by name."""

from __future__ import annotations

import pytest

from collector.exchange.exchange_log import ExchangeLog, sentence_of


@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        ((), "A screenshot has no tree"),
        ((3,), "A screenshot has no tree (number 3)"),
        ((1, 2, 3, 7), "A screenshot has no tree (numbers 1-3, 7)"),
        (("first.png",), "A screenshot has no tree (first.png)"),
    ],
)
def test_a_finding_says_where_it_holds(steps, sentence):
    report = ExchangeLog()
    report.add("no-tree", "A screenshot has no tree")
    for step in steps:
        report.add("no-tree", "A screenshot has no tree", step=step)
    assert sentence_of(report.findings[0]) == sentence
