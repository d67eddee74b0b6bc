"""The table of numbers in the centre of the workspace."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QVBoxLayout

from collector.metrics.report import ReportCell
from collector.model.i18n import _
from studio.views.metrics.session import MetricsSession, ShownNumber
from studio.views.services import WindowServices
from studio.widgets.cell_table import CellTable, TableCell, TableColumn


class TablePanel(QFrame):
    """Shows the table of the session, and selects numbers."""

    def __init__(self, session: MetricsSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._session, self._services = session, services
        self.view = CellTable(_("Numbers"), ())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)
        session.table_changed.connect(self.show_table)
        self.view.chosen.connect(self._chosen)

    @Slot()
    def show_table(self) -> None:
        """Show the table as it was computed last."""
        table = self._session.table
        if table is None:
            self.view.show_rows(())
            return
        report = table.report
        self.view.set_columns(
            [TableColumn(title, 200) for title in report.label_titles]
            + [TableColumn(column.title, 90, at_right=True) for column in report.columns]
        )
        self.view.show_rows(
            [[*map(TableCell, row.labels), *map(_number_cell, row.cells)] for row in report.rows]
        )

    @Slot(int)
    def _chosen(self, row: int) -> None:
        table = self._session.table
        if table is None or row >= len(table.report.rows):
            return
        labels = table.report.rows[row].labels
        names = [dimension.id for dimension in table.pivot.groups.dimensions]
        self._session.select_row(dict(zip(names, labels, strict=True)))
        if table.report.columns:
            column, cell = table.report.columns[0], table.report.rows[row].cells[0]
            self._session.show_episodes(
                ShownNumber(column.title, ", ".join(labels), cell, column.unit, column.how)
            )


def _number_cell(cell: ReportCell) -> TableCell:
    value = cell.number.value
    return TableCell("–" if value is None else f"{100 * value:.1f}", at_right=True)
