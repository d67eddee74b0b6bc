"""The project's numbers laid out as the tables of a paper, one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from studio.views.metrics.session import MetricsTable
from studio.widgets.controls import Label
from studio.widgets.number_table.view import NumberTable

_SIDE, _GAP = 8, 8


class PaperPage(QScrollArea):
    """Titles, tables and the sentences below them. One number of all tables is selected."""

    chosen = Signal(int, int, int)
    """The person selected a number: which table, row of it, number of the row."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
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
        column.addStretch(1)
        self.setWidget(page)

    def _chosen(self, place: int, row: int, number: int) -> None:
        for other, view in enumerate(self.views):
            if other != place:
                view.clear_selected()
        self.chosen.emit(place, row, number)
