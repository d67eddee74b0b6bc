"""On a terminal no number is cut: what does not fit follows below, and no name controls the terminal."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from collector.metrics.rendering.number_text import cell_text
from collector.metrics.rendering.terminal_table import as_text, print_reports
from tests.collector.metrics.rendering.hostile import NAMES, hostile_report

REPORT = hostile_report()
NUMBERS = [
    [cell_text(row.cells[place], column.unit) for row in REPORT.rows]
    for place, column in enumerate(REPORT.columns)
]


@pytest.mark.parametrize("width", [60, 80, 400])
def test_every_number_is_printed_whole_at_every_width(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(width))
    print_reports([REPORT])
    printed = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e]", printed)
    assert max(map(cell_len, printed.splitlines())) <= width
    for numbers in NUMBERS:
        assert all(printed.count(text) >= numbers.count(text) for text in numbers)


def test_a_file_has_a_line_for_each_row() -> None:
    lines = as_text([REPORT, hostile_report(("a",), title="Second")]).splitlines()
    assert lines[0] == REPORT.title
    assert lines[3].endswith(NUMBERS[1][0])
    assert lines[3 + len(NAMES)].startswith(REPORT.notes[0])
    assert lines[lines.index("Second") - 1] == ""
