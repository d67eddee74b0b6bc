"""Numbers are rounded as on paper: half up, from the fraction that was counted."""

from __future__ import annotations

import pytest

from collector.metrics.measure import Unit
from collector.metrics.rendering.number_text import amount_text, cell_text, value_text
from collector.metrics.report_cell import ReportCell


@pytest.mark.parametrize(
    ("hits", "count", "text"),
    [(1, 16, "6.3"), (23, 80, "28.8"), (57, 2000, "2.9"), (130, 152, "85.5"), (0, 3, "0.0"), (2, 3, "66.7"),
     (152, 152, "100.0"), (1999, 2000, "100.0")],
)  # fmt: skip
def test_a_share_is_rounded_from_its_fraction(hits: int, count: int, text: str) -> None:
    assert value_text(ReportCell(hits / count, count, hits), Unit.PERCENT) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(0.285, Unit.PERCENT, "28.5"), (1.005, Unit.RATIO, "1.01"), (-0.04, Unit.NUMBER, "0.0"),
     (-0.05, Unit.NUMBER, "-0.1"), (12.0, Unit.COUNT, "12"), (1e-7, Unit.MONEY, "0.0000"),
     (0.12345, Unit.MONEY, "0.1235"), (float("inf"), Unit.RATIO, "∞"), (2e16, Unit.COUNT, "2" + "0" * 16)],
)  # fmt: skip
def test_an_amount_is_rounded_as_it_is_written(value: float, unit: Unit, text: str) -> None:
    assert amount_text(value, unit) == text


def test_a_cell_shows_its_interval_and_its_counts() -> None:
    number = ReportCell(0.5, 4, 2, 0.15, 0.85)
    assert cell_text(number, Unit.PERCENT) == "50.0 (15.0 to 85.0) 2/4"
    assert cell_text(number, Unit.PERCENT, with_intervals=False) == "50.0"
    assert cell_text(ReportCell(7.25, 3), Unit.NUMBER) == "7.3 n=3"
    assert cell_text(ReportCell(None, 0), Unit.PERCENT) == "-"
