"""How far judges agree, as a table to paste: CSV or Markdown, with the quality of judges behind it."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from collector.judge.votes.votes import AgreementRow, QualityRow
from collector.model.text.csv_cells import plain_cell

AGREEMENT_HEAD = (
    "judges", "on", "of", "subjects", "judged by some", "percent", "kappa", "same step percent",
    "states with steps",
)  # fmt: skip
QUALITY_HEAD = ("judge", "against", "on", "subjects", "precision", "recall", "f1", "accuracy")


def agreement_cells(row: AgreementRow) -> tuple[str, ...]:
    """One row of the table of agreement; what is undefined is empty."""
    found = row.agreement
    return (
        " - ".join(row.judges), row.kind, row.of or "all", str(found.subjects), str(row.judged_by_some),
        _number(found.percent, 1), _number(found.kappa, 3), _number(row.same_step, 1), str(row.with_steps),
    )  # fmt: skip


def quality_cells(row: QualityRow, against: str) -> tuple[str, ...]:
    """One row of the table of quality, in percent, as A3's Table 2; what is undefined is empty."""
    found = row.quality
    measures = (found.precision, found.recall, found.f1, found.accuracy)
    shares = (_number(None if value is None else 100 * value, 1) for value in measures)
    return row.judge, against, row.kind, str(found.subjects), *shares


def as_csv(rows: Sequence[AgreementRow], qualities: Sequence[QualityRow] = (), against: str = "") -> str:
    """Both tables as CSV, an empty line between them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for number, (head, cells) in enumerate(_tables(rows, qualities, against)):
        if number:
            text.write("\n")
        writer.writerows([head, *([plain_cell(cell) for cell in line] for line in cells)])
    return text.getvalue()


def as_markdown(rows: Sequence[AgreementRow], qualities: Sequence[QualityRow] = (), against: str = "") -> str:
    """Both tables as Markdown, an empty line between them."""
    tables = [
        "\n".join([_line(head), _line(["---"] * len(head)), *map(_line, cells)]) + "\n"
        for head, cells in _tables(rows, qualities, against)
    ]
    return "\n".join(tables)


def _tables(
    rows: Sequence[AgreementRow], qualities: Sequence[QualityRow], against: str
) -> list[tuple[Sequence[str], list[tuple[str, ...]]]]:
    tables: list[tuple[Sequence[str], list[tuple[str, ...]]]] = [
        (AGREEMENT_HEAD, [agreement_cells(row) for row in rows])
    ]
    if qualities:
        tables.append((QUALITY_HEAD, [quality_cells(row, against) for row in qualities]))
    return tables


def _line(cells: Sequence[str]) -> str:
    escaped = (" ".join(cell.replace("\\", "\\\\").replace("|", "\\|").split()) for cell in cells)
    return f"| {' | '.join(escaped)} |"


def _number(value: float | None, places: int) -> str:
    return "" if value is None else f"{value:.{places}f}"
