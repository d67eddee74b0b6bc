"""Compare numbers with those that papers print: as percentages with some decimals, rounded half up."""

from __future__ import annotations

from fractions import Fraction

from collector.metrics.report import ReportTable
from collector.metrics.report_cell import ReportCell


def percentage(hits: int, count: int, decimals: int) -> str:
    """``hits`` of ``count`` as a paper prints it: ``80.26``."""
    scaled = int(Fraction(hits * 100 * 10**decimals * 2 + count, 2 * count))
    whole, rest = divmod(scaled, 10**decimals)
    return f"{whole}.{rest:0{decimals}d}" if decimals else str(whole)


def decimals_of(cell: str) -> int:
    return len(cell.partition(".")[2])


def counts_that_give(cell: str, count: int) -> list[int]:
    """All numerators that are printed as ``cell`` when they are divided by ``count``."""
    nearest = int(float(cell) * count / 100)
    around = range(max(0, nearest - 1), min(count, nearest + 2) + 1)
    return [hits for hits in around if percentage(hits, count, decimals_of(cell)) == cell]


def printed(number: ReportCell, like: str) -> str:
    """A number with as many decimals as the cell of a paper has."""
    assert number.hits is not None
    return percentage(number.hits, number.count, decimals_of(like))


def numbers_of(table: ReportTable) -> dict[tuple[str, ...], dict[str, ReportCell]]:
    """Labels of a row -> id of a column -> the number."""
    ids = [column.id for column in table.columns]
    assert len(set(ids)) == len(ids)
    return {row.labels: dict(zip(ids, (cell for cell in row.cells), strict=True)) for row in table.rows}
