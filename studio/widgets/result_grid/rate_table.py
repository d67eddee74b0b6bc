"""Success rates by agent and condition, with the counts they come from."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from collector.model.episode_text import condition_name
from collector.model.i18n import _
from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED
from collector.run.progress import FAULT, RUNNING, UNJUDGED, WAITING
from collector.run.results.result_grid import ResultRate
from studio.widgets.tables.cell_table import CellTable, TableCell, TableColumn

_COUNTS = (SUCCESS, FAILURE, UNCOMPLETED, UNJUDGED, FAULT)


class RateTable(CellTable):
    """A row for each agent and condition. Faults of the machine and cells that wait are never in a rate."""

    def __init__(self, parent: QWidget | None = None) -> None:
        columns = (
            TableColumn(_("Agent"), 140),
            TableColumn(_("Condition"), 160),
            TableColumn(_("Success rate"), 96, at_right=True),
            TableColumn(_("Success"), 76, at_right=True),
            TableColumn(_("Failure"), 76, at_right=True),
            TableColumn(_("Uncompleted"), 100, at_right=True),
            TableColumn(_("Not judged"), 86, at_right=True),
            TableColumn(_("Faults"), 66, at_right=True),
            TableColumn(_("To do"), 66, at_right=True),
            TableColumn(""),
        )
        super().__init__(_("Success rates by agent and condition"), columns, parent=parent)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def show_rates(self, rates: Sequence[ResultRate]) -> None:
        """Show the rates; an agent is named in its first row."""
        before, rows = "", []
        for rate in rates:
            rows.append(_cells(rate, is_first=rate.agent != before))
            before = rate.agent
        self.show_rows(rows)


def _cells(rate: ResultRate, *, is_first: bool) -> list[TableCell]:
    share = rate.success
    words = _("{percent} %", percent=f"{100 * share:.1f}") if share is not None else "–"
    counted = _("{count} of {total} episodes count", count=rate.counted, total=rate.total)
    counts = [_count(rate.counts.get(status, 0)) for status in _COUNTS]
    to_do = rate.counts.get(WAITING, 0) + rate.counts.get(RUNNING, 0)
    return [
        TableCell(rate.agent if is_first else "", role="name"),
        TableCell(condition_name(rate.condition)),
        TableCell(words, role="name", at_right=True, tip=counted),
        *counts,
        _count(to_do),
        TableCell(),
    ]


def _count(number: int) -> TableCell:
    return TableCell(str(number), "text-2" if number else "text-3", at_right=True)
