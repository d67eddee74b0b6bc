"""The tables of numbers in the centre of the workspace, with the sentences below them."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from collector.metrics.rendering.columns import column_title
from collector.metrics.value_text import dimension_value_text
from collector.model.i18n import _
from studio.theme import theme
from studio.views.metrics.session import MetricsSession, MetricsTable, ShownNumber
from studio.views.metrics.table_content import number_text
from studio.views.services import WindowServices
from studio.widgets.controls import Label, surface
from studio.widgets.number_table.view import NumberTable
from studio.widgets.wrapped_text import tooltip_text


class TablePanel(QFrame):
    """Shows the pivot of the session, or the tables of a paper below each other, and selects numbers."""

    def __init__(self, session: MetricsSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._session, self._services = session, services
        self.view = NumberTable(_("Numbers"))
        self.notes = Label("", "caption", "text-2", cut=True)
        self.paper_views: list[NumberTable] = []
        self._paper = QScrollArea()
        self._pages = QStackedWidget()
        self._lay_out()
        self.view.chosen.connect(partial(self._choose, 0))
        self.view.opened.connect(partial(self._choose, 0))
        session.table_changed.connect(self.show_tables)
        session.number_changed.connect(self._number_changed)

    def _lay_out(self) -> None:
        foot = surface("panel", "top")
        foot.setFixedHeight(theme.size("sub_header"))
        row = QVBoxLayout(foot)
        row.setContentsMargins(8, 0, 8, 0)
        row.addWidget(self.notes)
        pivot = QWidget()
        inside = QVBoxLayout(pivot)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addWidget(self.view, 1)
        inside.addWidget(foot)
        self._paper.setWidgetResizable(True)
        self._paper.setFrameShape(QFrame.Shape.NoFrame)
        self._pages.addWidget(pivot)
        self._pages.addWidget(self._paper)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._pages)

    # -- what is shown -------------------------------------------------------
    @Slot()
    def show_tables(self) -> None:
        """Show the tables as they were computed last."""
        tables = self._session.tables
        is_pivot = not tables or tables[0].pivot is not None
        self._pages.setCurrentIndex(int(not is_pivot))
        if not is_pivot:
            self._show_paper(tables)
            self._session.show_episodes(None)
            return
        if tables:
            self.view.show_content(tables[0].content)
            self._show_notes(tables[0])
        if self.view.selected is not None:
            self._choose(0, *self.view.selected)
        elif self._session.number is not None:
            # Its indexes are of episodes that were loaded before.
            self._session.show_episodes(None)

    def _show_notes(self, table: MetricsTable) -> None:
        notes = table.report.notes[::-1]  # that of faults comes first
        self.notes.setText("  ".join(notes))
        self.notes.setToolTip(tooltip_text("\n".join(notes)))

    def _show_paper(self, tables: tuple[MetricsTable, ...]) -> None:
        page = surface("panel")
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 12)
        column.setSpacing(0)
        self.paper_views = []
        for place, table in enumerate(tables):
            title = Label(table.report.title, "heading")
            title.setContentsMargins(8, 12, 8, 4)
            column.addWidget(title)
            view = NumberTable(table.report.title)
            view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            view.show_content(table.content)
            view.setFixedHeight(view.sizeHint().height() + theme.size("check"))
            view.chosen.connect(partial(self._choose, place))
            view.opened.connect(partial(self._choose, place))
            column.addWidget(view)
            self.paper_views.append(view)
            for note in table.report.notes:
                sentence = Label(note, "caption", "text-2", wrap=True)
                sentence.setContentsMargins(8, 4, 8, 0)
                column.addWidget(sentence)
        column.addStretch(1)
        self._paper.setWidget(page)

    # -- choosing ------------------------------------------------------------
    def _choose(self, place: int, row: int, column: int) -> None:
        """Show the episodes of a number of a table."""
        table = self._session.tables[place]
        chosen, line = table.report.columns[column], table.report.rows[row]
        cell = line.cells[column]
        values: dict[str, str] = {}
        words = [label for label in line.labels if label]
        if table.pivot is not None:
            dimensions = table.pivot.groups.dimensions
            values = {item.id: label for item, label in zip(dimensions, line.labels, strict=True)}
            words = [dimension_value_text(name, value) for name, value in values.items()]
            self._session.select_row(values)
        for other, view in enumerate(self.paper_views if table.pivot is None else ()):
            if other != place:
                view.clear_selected()
        title = f"{chosen.title} {number_text(cell, chosen.unit)}"
        title += " %" if column_title(chosen).endswith("%") else ""
        self._session.show_episodes(
            ShownNumber(title, ", ".join(words), cell, chosen.unit, chosen.how, values)
        )

    @Slot()
    def _number_changed(self) -> None:
        if self._session.number is None:
            self.view.clear_selected()
