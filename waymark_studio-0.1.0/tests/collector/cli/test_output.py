"""Tables that verbs print: aligned on a terminal, whole in a pipe."""

from __future__ import annotations

import pytest

from collector.cli.output import print_table


def test_columns_are_aligned_whatever_the_width_of_their_characters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = [("稻香", 1, ""), ("cafe\N{COMBINING ACUTE ACCENT}", 20, "x"), ("a\tb\x1b[31m", 3, "y")]
    print_table(("NAME", "NO", "NOTE"), rows)
    assert capsys.readouterr().out.splitlines() == [
        "NAME     NO  NOTE",
        "稻香     1",
        "cafe\N{COMBINING ACUTE ACCENT}     20  x",
        "a b[31m  3   y",
    ]


def test_a_row_is_never_wrapped_and_long_cells_are_cut(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(["A"] * 9, [["x" * 70] * 9], first=70)
    (_header, line) = capsys.readouterr().out.splitlines()
    assert line.split() == ["x" * 70, *["x" * 59 + "…"] * 8]
