"""No cell of the CSV is a formula, for a spreadsheet that separates by commas or by any other sign."""

from __future__ import annotations

import csv
import io
import unicodedata

import pytest

from collector.metrics.measure import Unit
from collector.metrics.rendering.csv_text import as_csv
from collector.metrics.rendering.json_document import table_document
from collector.metrics.report import ReportColumn, ReportRow, ReportTable
from collector.metrics.report_cell import ReportCell
from tests.collector.metrics.rendering.hostile import NAMES, hostile_report

TEXT = as_csv([hostile_report()])


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet may run a cell: numbers are none."""
    begin = unicodedata.normalize("NFKC", cell).lstrip(" \t\r\n\0\ufeff\u200b")[:1]
    try:
        float(cell)
    except ValueError:
        return begin in ("=", "+", "-", "@", "\N{MINUS SIGN}")
    return False


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.fault("F26")
def test_no_cell_is_a_formula_whatever_separates_them(separator: str) -> None:
    quoted = list(csv.reader(io.StringIO(TEXT, newline=""), delimiter=separator))
    crude = [line.split(separator) for line in TEXT.splitlines()]
    cells = [cell for row in (*quoted, *crude) for cell in row]
    assert len(cells) > len(NAMES)
    assert [cell for cell in cells if is_formula(cell.strip('"'))] == []


def test_each_row_has_its_names_its_number_and_its_counts() -> None:
    header, *rows = csv.reader(io.StringIO(TEXT, newline=""))
    assert header == [
        "Agent", "Condition", "sr", "sr_low", "sr_high", "sr_hits", "sr_count", "early-stop",
        "early-stop_hits", "early-stop_count", "episodes", "faults",
    ]  # fmt: skip
    assert len(rows) == len(NAMES)
    assert {len(row) for row in rows} == {len(header)}
    by_agent = {row[0]: row for row in rows}
    assert by_agent["日本語"][2:3] == ["1.0"]
    assert by_agent["日本語"][5:] == ["1", "1", "", "0", "0", "1", "0"]
    assert "'=1+1" in by_agent
    assert "x" * 300 in by_agent


def test_several_tables_have_titles_and_an_empty_line_between() -> None:
    report = hostile_report(("a",))
    lines = as_csv([report, report]).split("\n")
    assert lines[0] == '"Table \\& 中 = $1$"'
    assert lines[3] == ""
    assert lines[4:7] == lines[:3]


def test_a_number_has_no_digits_that_rounding_left_behind() -> None:
    number = ReportCell(0.031250000000000014, 6, low=1 / 3, high=float("inf"))
    column = ReportColumn("p", "p", Unit.P_VALUE)
    both, cell = ReportColumn("both", "Both", Unit.COUNT), ReportCell(4, 6)
    table = ReportTable("t", "", ("Pairs",), (column, both), (ReportRow(("all",), (number, cell)),))
    assert as_csv([table]).splitlines()[1] == '"all",0.03125,0.333333333333,inf,6,4,6'
    (row,) = table_document(table)["rows"]
    assert row["cells"]["p"]["value"] == 0.03125


def test_a_dash_where_nothing_is_said_stays_one() -> None:
    rows = csv.reader(io.StringIO(as_csv([hostile_report(("-", "-1"))]), newline=""))
    assert [row[0] for row in rows][1:] == ["-", "'-1"]
