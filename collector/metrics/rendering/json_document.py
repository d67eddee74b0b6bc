"""Reports as documents for scripts."""

from __future__ import annotations

import math
from typing import Any

from collector.metrics.rendering.columns import column_ids
from collector.metrics.rendering.number_text import exported
from collector.metrics.report import CountedSubject, ReportRow, ReportTable
from collector.metrics.report_cell import ReportCell


def table_document(table: ReportTable) -> dict[str, Any]:
    """A table as a dictionary for JSON: ``rows[i].cells[column id]`` has value, count, hits, low and high.

    Values have twelve digits; shares are 0 to 1. They are null where nothing was counted, and where the
    number ``is_infinite``. A cell that counts otherwise than its column, as in a table with a measure a row,
    says ``counting`` and ``how``. In a row about judges, ``subjects`` of a cell are the places of what it
    counts among the ``subjects`` of the row.
    """
    ids = column_ids(table)
    return {
        "id": table.id,
        "title": table.title,
        "labels": list(table.label_titles),
        "columns": [
            {
                "id": name, "title": column.title, "group": column.group, "unit": column.unit.value,
                "counting": column.counting.value, "how": column.how,
            }
            for name, column in zip(ids, table.columns, strict=True)
        ],
        "rows": [_row(row, ids) for row in table.rows],
        "notes": list(table.notes),
    }  # fmt: skip


def _row(row: ReportRow, ids: list[str]) -> dict[str, Any]:
    document: dict[str, Any] = {
        "labels": list(row.labels),
        "cells": {name: _cell(cell) for name, cell in zip(ids, row.cells, strict=True)},
    }
    if row.episodes is not None:
        document["episodes"] = len(row.episodes)
    if row.faults is not None:
        document["faults"] = row.faults
    if row.subjects:
        document["subjects"] = list(map(_subject, row.subjects))
        for name, cell in zip(ids, row.cells, strict=True):
            if cell.behind is not None:
                document["cells"][name]["subjects"] = cell.behind.tolist()
    return document


def _subject(subject: CountedSubject) -> dict[str, Any]:
    window = list(subject.window) if subject.window is not None else None
    return {
        "trajectory": subject.folder.name, "folder": str(subject.folder), "task": subject.task,
        "state": subject.state, "verdicts": dict(subject.verdicts), "window": window,
    }  # fmt: skip


def _cell(cell: ReportCell) -> dict[str, Any]:
    document: dict[str, Any] = {
        "value": _finite(cell.value), "count": cell.count, "hits": cell.hits,
        "low": _finite(cell.low), "high": _finite(cell.high),
    }  # fmt: skip
    if cell.value is not None and math.isinf(cell.value):
        document["is_infinite"] = True
    if cell.note:
        document["note"] = cell.note
    if cell.counting is not None:
        document |= {"counting": cell.counting.value, "how": cell.how}
    return document


def _finite(value: float | None) -> float | None:
    """JSON has no word for an infinite number, such as the risk of loops when nothing else fails."""
    return None if value is None or math.isinf(value) else exported(value)
