"""Reports as documents for scripts, with every number unrounded."""

from __future__ import annotations

from typing import Any

from collector.metrics.rendering.columns import column_ids
from collector.metrics.report import ReportCell, ReportRow, ReportTable


def table_document(table: ReportTable) -> dict[str, Any]:
    """A table as a dictionary for JSON: ``rows[i].cells[column id]`` has value, count, hits, low and high.

    Shares are 0 to 1; null where nothing was counted.
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
    return document


def _cell(cell: ReportCell) -> dict[str, Any]:
    number = cell.number
    document = {
        "value": number.value, "count": number.count, "hits": number.hits, "low": number.low,
        "high": number.high,
    }  # fmt: skip
    return {**document, "note": cell.note} if cell.note else document
