"""Headers of the columns of a report."""

from __future__ import annotations

from collections import Counter

from collector.metrics.measure import Unit
from collector.metrics.report import ReportColumn, ReportTable

_UNITS = {Unit.PERCENT: "%", Unit.SECONDS: "s"}


def column_title(column: ReportColumn) -> str:
    """The title with its unit where the numbers do not show it: ``SR %``."""
    unit = _UNITS.get(column.unit, "")
    return column.title if not unit or column.title.endswith(unit) else f"{column.title} {unit}"


def column_ids(table: ReportTable) -> list[str]:
    """An id of each column that no other column of the table has."""
    times = Counter(column.id for column in table.columns)
    ids = [
        f"{column.group}: {column.id}" if times[column.id] > 1 and column.group else column.id
        for column in table.columns
    ]
    seen: Counter[str] = Counter()
    unique = []
    for name in ids:
        seen[name] += 1
        unique.append(name if seen[name] == 1 else f"{name} {seen[name]}")
    return unique


def column_groups(table: ReportTable) -> list[tuple[str, int]]:
    """The titles over neighbouring columns, with how many columns each spans; empty where there is none."""
    groups: list[tuple[str, int]] = []
    for column in table.columns:
        if groups and groups[-1][0] == column.group:
            groups[-1] = (column.group, groups[-1][1] + 1)
        else:
            groups.append((column.group, 1))
    return groups


def sentences(table: ReportTable) -> list[str]:
    """The notes of a table, then of each column how it is counted."""
    counted = dict.fromkeys(f"{column.title}: {column.how}" for column in table.columns if column.how)
    return [*table.notes, *counted]
