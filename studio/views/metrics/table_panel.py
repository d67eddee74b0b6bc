"""The table of numbers in the centre of the workspace: the pivot, or the tables of a paper."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout

from collector.model.i18n import _, ngettext, paragraph
from studio.views.metrics.paper_page import PaperPage
from studio.views.metrics.session import MetricsSession, MetricsTable
from studio.views.metrics.table_numbers import number_of_table, row_values
from studio.views.services import WindowServices
from studio.widgets.controls import Label, surface
from studio.widgets.number_table.content import TableContent
from studio.widgets.number_table.view import NumberTable

_NOTES_HEIGHT = 26


class TablePanel(QFrame):
    """Shows the tables of the session, and selects numbers."""

    def __init__(self, session: MetricsSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._session, self._services = session, services
        self.view = NumberTable(_("Numbers"))
        self.papers = PaperPage()
        self.count = Label("", "caption")
        self.notes = Label("", "caption", "text-2", wrap=True)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.view)
        self._pages.addWidget(self.papers)
        self._foot = surface("panel", "top")
        self._foot.setMinimumHeight(_NOTES_HEIGHT)
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(8, 5, 8, 5)
        foot.setSpacing(12)
        foot.addWidget(self.count, alignment=Qt.AlignmentFlag.AlignTop)
        foot.addWidget(self.notes, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._pages, 1)
        column.addWidget(self._foot)
        session.table_changed.connect(self.show_tables)
        session.number_changed.connect(self._number_changed)
        self.view.chosen.connect(self._chosen)
        self.view.opened.connect(self._opened)
        self.papers.chosen.connect(self._chosen_of_paper)

    def focus_numbers(self) -> None:
        """Give the keyboard to the numbers."""
        view = self.view if not self._session.layout.view else self.papers.first
        if view is not None:
            view.setFocus()

    @Slot()
    def show_tables(self) -> None:
        """Show the tables as they were computed last."""
        tables = self._session.tables
        is_pivot = not tables or tables[0].pivot is not None
        self._pages.setCurrentIndex(0 if is_pivot else 1)
        self._foot.setVisible(is_pivot)
        if is_pivot:
            self._show_pivot(tables[0] if tables else None)
            self.papers.show_tables(())
        else:
            self.papers.show_tables(tables)
            if self._session.number is not None:  # its indexes may be of episodes that were loaded before
                self._session.show_episodes(None)

    def _show_pivot(self, table: MetricsTable | None) -> None:
        self.view.show_content(table.content if table is not None else TableContent())
        self.count.setText(self._counted())
        self.notes.setText(paragraph(*table.report.notes) if table is not None else "")
        if table is None or not table.report.rows:
            if self._session.number is not None:
                self._session.show_episodes(None)
            return
        if (selected := self.view.selected) is not None:
            self._chosen(*selected)  # its numbers may be others now
        elif self._session.number is None:
            self.view.select_number(0, 0 if table.report.columns else len(table.report.columns))
        else:
            self._session.show_episodes(None)

    def _counted(self) -> str:
        """How many of all episodes are selected."""
        loaded, columns = self._session.loaded, self._session.columns
        if loaded is None or columns is None:
            return ""
        count, shown = len(loaded.found), int(columns.selected.sum())
        return ngettext("{shown} of {count} episode", "{shown} of {count} episodes", count, shown=shown)

    @Slot(int, int)
    def _chosen(self, row: int, number: int) -> None:
        tables = self._session.tables
        if not tables or tables[0].pivot is None or row >= len(tables[0].report.rows):
            return
        table = tables[0]
        self._session.select_row(row_values(table, row))
        self._session.show_episodes(number_of_table(table, row, number))

    @Slot(int, int, int)
    def _chosen_of_paper(self, place: int, row: int, number: int) -> None:
        tables = self._session.tables
        if place < len(tables) and row < len(tables[place].report.rows):
            self._session.show_episodes(number_of_table(tables[place], row, number))

    @Slot(int, int)
    def _opened(self, _row: int, _number: int) -> None:
        self._services.run_command("metrics.go-to-episodes")

    @Slot()
    def _number_changed(self) -> None:
        if self._session.number is None:
            self.view.clear_selected()
