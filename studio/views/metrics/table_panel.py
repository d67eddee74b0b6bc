"""The table of numbers in the centre of the workspace: the pivot, or the tables of a paper."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from collector.metrics.measure import Counting, Unit
from collector.metrics.pivot import Pivot
from collector.metrics.report_cell import ReportCell
from collector.metrics.value_text import counting_text, dimension_value_text
from collector.metrics.views import JUDGES
from collector.model.i18n import _, ngettext, paragraph
from studio.views.metrics.report_layout import number_text
from studio.views.metrics.session import MetricsSession, MetricsTable, ShownNumber
from studio.views.services import WindowServices
from studio.widgets.controls import Button, EmptyState, Label, surface
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
        self.study = Button(_("Study windows..."), "play", "outlined")
        self.count = Label("", "caption")
        self.notes = Label("", "caption", "text-2", wrap=True)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.view)
        self._pages.addWidget(self.papers)
        self.no_judges = EmptyState(
            _("No judge to compare with people yet"),
            _("Label trajectories in Review, and let judges judge them in States"),
            _("Go to Review"), icon="review", shows_enter=False, other=_("Go to States"),
        )  # fmt: skip
        self._pages.addWidget(self.no_judges)
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
        column.addWidget(self._study_row())
        column.addWidget(self._pages, 1)
        column.addWidget(self._foot)
        session.table_changed.connect(self.show_tables)
        session.number_changed.connect(self._number_changed)
        self.view.chosen.connect(self._chosen)
        self.view.opened.connect(self._opened)
        self.papers.chosen.connect(self._chosen_of_paper)
        self.papers.opened.connect(self._opened)
        self.no_judges.pressed.connect(partial(self._services.run_command, "view.review"))
        self.no_judges.other_pressed.connect(partial(self._services.run_command, "view.states"))

    def _study_row(self) -> QFrame:
        """Above the studies of judges: what a study of windows is, and the button that begins one."""
        self._studies = surface("panel", "bottom")
        row = QHBoxLayout(self._studies)
        row.setContentsMargins(_SIDE, 6, _SIDE, 6)
        words = _("Which window and interval suit a judge is a study of its own: A3, Table 5")
        row.addWidget(Label(words, "body", "text-2", cut=True), 1)
        row.addWidget(self.study)
        self._studies.hide()
        return self._studies

    def focus_numbers(self) -> None:
        """Give the keyboard to the numbers."""
        view = self.view if not self._session.layout.view else self.papers.first
        if view is not None:
            view.setFocus()

    @Slot()
    def show_tables(self) -> None:
        """Show the tables as they were computed last."""
        tables = self._session.tables
        had_keyboard = self._has_keyboard
        is_pivot = not tables or tables[0].pivot is not None
        self._studies.setVisible(self._session.layout.view == JUDGES)
        is_empty = not tables and self._session.layout.view == JUDGES and self._session.is_counted
        self._pages.setCurrentIndex(2 if is_empty else 0 if is_pivot else 1)
        self._foot.setVisible(is_pivot)
        if is_pivot:
            self._show_pivot(tables[0] if tables else None)
            self.papers.show_tables(())
        else:
            self.papers.show_tables(tables)
            if self._session.number is not None:  # its indexes may be of episodes that were loaded before
                self._session.show_episodes(None)
        if had_keyboard:
            self.focus_numbers()  # the table that had the keyboard may be gone

    @property
    def _has_keyboard(self) -> bool:
        focused = self.window().focusWidget()
        return focused is not None and self._pages.isAncestorOf(focused)

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


_SIDE, _GAP = 8, 8


class PaperPage(QScrollArea):
    """Titles, tables and the sentences below them. One number of all tables is selected."""

    chosen = Signal(int, int, int)
    """The person selected a number: which table, row of it, number of the row."""
    opened = Signal(int, int)
    """Enter or a double click on a number: its row, and its place in the row."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its tables have the keyboard
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.views: list[NumberTable] = []
        self.titles: list[Label] = []
        self._notes: list[Label] = []
        self._build(0)

    @property
    def first(self) -> NumberTable | None:
        """The first table on show."""
        return self.views[0] if self.views else None

    def show_tables(self, tables: Sequence[MetricsTable]) -> None:
        """Show other tables; as many as before keep their place and their widths."""
        if len(tables) != len(self.views):
            self._build(len(tables))
        for title, view, note, table in zip(self.titles, self.views, self._notes, tables, strict=True):
            title.setText(table.report.title)
            view.setAccessibleName(table.report.title)
            view.show_content(table.content)
            view.setFixedHeight(view.sizeHint().height() + view.horizontalScrollBar().sizeHint().height())
            note.setText("\n".join(table.report.notes))

    def _build(self, count: int) -> None:
        page = QWidget()
        page.setProperty("surface", "panel")
        column = QVBoxLayout(page)
        column.setContentsMargins(0, _GAP, 0, _SIDE)
        column.setSpacing(_GAP)
        self.titles = [Label("", "heading", wrap=True) for _number in range(count)]
        self.views = [NumberTable("") for _number in range(count)]
        self._notes = [Label("", "caption", "text-2", wrap=True) for _number in range(count)]
        for place, (title, view, note) in enumerate(zip(self.titles, self.views, self._notes, strict=True)):
            title.setContentsMargins(_SIDE, 0, _SIDE, 0)
            note.setContentsMargins(_SIDE, 0, _SIDE, _GAP)
            for widget in (title, view, note):
                column.addWidget(widget)
            view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            view.chosen.connect(partial(self._chosen, place))
            view.opened.connect(self.opened)
        column.addStretch(1)
        self.setWidget(page)

    def _chosen(self, place: int, row: int, number: int) -> None:
        for other, view in enumerate(self.views):
            if other != place:
                view.clear_selected()
        self.chosen.emit(place, row, number)


_UNITS = {Unit.PERCENT: " %", Unit.SECONDS: " s"}


def number_of_table(table: MetricsTable, row: int, number: int) -> ShownNumber:
    """A number of a row: of a column of the report; after these, all its episodes, then its faults."""
    line, values = table.report.rows[row], row_values(table, row)
    words = [dimension_value_text(name, value) for name, value in values.items()]
    detail = ", ".join(words or [label for label in line.labels if label])
    if number >= len(table.report.columns) and table.pivot is not None:
        return _episodes_of_row(table.pivot, row, detail, faults=number > len(table.report.columns))
    column, cell = table.report.columns[number], line.cells[number]
    title = ": ".join(filter(None, (column.group, column.title)))
    unit = _UNITS.get(column.unit, "") if cell.value is not None else ""
    return ShownNumber(
        f"{title} {number_text(cell, column.unit)}{unit}", detail, cell, column.unit,
        cell.how or column.how, cell.counting or column.counting, values, line.subjects,
    )  # fmt: skip


def row_values(table: MetricsTable, row: int) -> dict[str, str]:
    """Dimension -> value of a row of a pivot; empty for a paper's table."""
    if table.pivot is None:
        return {}
    groups = table.pivot.groups
    return {item.id: label for item, label in zip(groups.dimensions, groups.labels[row], strict=True)}


def _episodes_of_row(pivot: Pivot, row: int, detail: str, *, faults: bool) -> ShownNumber:
    """All selected episodes of a row, or those of them that a fault of the machine ended."""
    among = pivot.table.selected & pivot.table.faults if faults else pivot.table.selected
    episodes = pivot.groups.members(row, among)
    how = _("All selected episodes of the row. Those that no number counts are among them.")
    if faults:
        how = _("A fault of the machine ended these episodes. They are in no denominator.")
    cell = ReportCell(float(len(episodes)), len(episodes), behind=episodes, positive=np.empty(0, np.int64))
    return ShownNumber(counting_text(Counting.EPISODES, len(episodes)), detail, cell, Unit.COUNT, how)
