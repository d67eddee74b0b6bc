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


def test_what_is_found_everywhere_is_named_200_times_and_counted() -> None:
    log = ExchangeLog()
    for number in range(250):
        log.where = f"t{number}"
        log.add("times-lost", "No times")
    last = log.findings[-1]
    assert (len(log.findings), last.where, last.severity) == (201, "", "loss")
    assert last.what == "No times (and so 50 times more)"
    for number in range(3000):
        log.add("odd", f"This is odd: {number}", severity="note")
    assert len(log.findings) == 201 + 2000 + 1
    assert log.findings[-1].what == "Others like the ones before (and so 1000 times more)"
