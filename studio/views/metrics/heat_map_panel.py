"""The heat map: success by the values of two factors, such as agents and variations."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.episode_columns import EpisodeColumns
from collector.metrics.measures.outcomes import SUCCESS_RATE
from collector.model.i18n import _
from rule_editor.widgets.cell_grid import GridCell
from studio.views.metrics.dimension_chooser import DimensionChooser
from studio.views.metrics.heat_map_sheet import (
    SuccessByFactors,
    counted_values,
    heat_note_of,
    heat_place_text,
    heat_sheet_of,
    success_by_factors,
)
from studio.views.metrics.plot_saver import PlotSaver
from studio.views.metrics.session import MetricsSession, ShownNumber
from studio.views.services import WindowServices
from studio.widgets.controls import Button, Label, surface
from studio.widgets.icon_button import IconButton
from studio.widgets.metric_plots.figure import Figure
from studio.widgets.metric_plots.heat_map_view import HeatMapView

FACTORS = (
    "agent", "model", "variation", "factor", "appearance", "content", "pop-ups", "noise", "goal-style",
    "condition", "anomaly-category", "app", "task", "category", "level", "language", "seed",
)  # fmt: skip
_USUAL = (("appearance", "content"), ("agent", "variation"), ("agent", "condition"), ("agent", "task"))
"""Rows and columns until a person chooses others: the first of these in which both differ."""


class HeatMapPanel(QFrame):
    """Follows the episodes of the session. ``tools`` belong into the head above it."""

    counted = Signal()
    """Other cells are on show, or none."""

    def __init__(self, session: MetricsSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._session, self._services = session, services
        self._found: SuccessByFactors | None = None
        self._is_chosen = False
        self.rows = DimensionChooser(_("Rows"), FACTORS)
        self.columns = DimensionChooser(_("Columns"), FACTORS)
        self.save = IconButton("down", _("Save the plot..."))
        self.note = Label("", "body", "text-2", cut=True)
        self.view = HeatMapView(_("Success by two factors"))
        self.nothing = Label("", "body", "text-3", wrap=True)
        self.go_to_run = Button(_("Go to Run"), kind="outlined", small=True)
        self.tools = QWidget()
        self.saver = PlotSaver(self, services, "heat-map", self.figure)
        self._pages = QStackedWidget()
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self.tools)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(self.save)
        body = surface("panel")
        inside = QVBoxLayout(body)
        inside.setContentsMargins(0, 8, 0, 4)
        above = QHBoxLayout()
        above.setContentsMargins(14, 0, 14, 0)
        above.setSpacing(6)
        above.addWidget(self.note, 1)
        above.addWidget(self.rows)
        above.addWidget(Label("×", "body", "text-2"))
        above.addWidget(self.columns)
        inside.addLayout(above)
        inside.addWidget(self.view, 1)
        # A folded panel shows its head alone: the body must not press into it.
        self._pages.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self._pages.addWidget(self._empty())
        self._pages.addWidget(body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._pages)

    def _empty(self) -> QWidget:
        """What stands in place of the map: why there is none, and what to do."""
        empty = surface("panel")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(empty)
        column.setContentsMargins(14, 8, 14, 8)
        column.addStretch(1)
        column.addWidget(self.nothing)
        column.addSpacing(8)
        column.addWidget(self.go_to_run, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        return empty

    def _connect(self) -> None:
        self._session.columns_changed.connect(self.refresh)
        for chooser in (self.rows, self.columns):
            chooser.chosen.connect(self._factors_chosen)
        self.save.clicked.connect(self.saver.ask)
        self.view.chosen.connect(self._choose)
        self.view.opened.connect(self._choose)
        self.go_to_run.clicked.connect(self._go_to_run)
        self._show(None)

    @property
    def differs(self) -> bool:
        """Whether there is more than one row and more than one column."""
        found = self._found
        return found is not None and min(len(found.row_labels), len(found.column_labels)) > 1

    @Slot()
    def _factors_chosen(self) -> None:
        self._is_chosen = True
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Count the cells again."""
        if self._session.columns is None:
            self._show(None)
            return
        chosen = (self.rows.dimension, self.columns.dimension) if self._is_chosen else None
        self._session.compute("heat map", _work(chosen), self._show)

    @Slot(object)
    def _show(self, found: SuccessByFactors | None) -> None:
        self._found = found if found is not None and found.cells else None
        is_loaded = self._session.columns is not None
        self.nothing.setText(
            _("No judged episode to draw: run an experiment over variations")
            if is_loaded
            else _("Counting...")
        )
        self.go_to_run.setVisible(is_loaded)
        self.save.setEnabled(self._found is not None)
        self._pages.setCurrentIndex(int(self._found is not None))
        if self._found is not None:
            self.rows.show_dimension(self._found.rows)
            self.columns.show_dimension(self._found.columns)
            self.note.setText(heat_note_of(self._found))
            self.view.show_sheet(heat_sheet_of(self._found))
        self.counted.emit()

    @Slot(object)
    def _choose(self, place: GridCell) -> None:
        """Show the episodes of a cell; of an empty one there are none."""
        found = self._found
        if found is None:
            return
        row, column = found.row_labels[place.row], found.column_labels[place.column]
        cell = found.cells.get((row, column))
        if cell is None or cell.value is None:
            self._session.show_episodes(None)
            return
        self._session.show_episodes(
            ShownNumber(
                f"{_(SUCCESS_RATE.title)} {100 * cell.value:.1f} %",
                heat_place_text(found, row, column),
                cell,
                how=_(SUCCESS_RATE.how),
            )
        )

    @Slot()
    def _go_to_run(self) -> None:
        self._services.run_command("view.run")

    # -- saving --------------------------------------------------------------
    def figure(self) -> Figure:
        """The whole map with its title, as it is saved."""
        title = _(
            "Success by {rows} and {columns}",
            rows=_(DIMENSIONS[self.rows.dimension].title).lower(),
            columns=_(DIMENSIONS[self.columns.dimension].title).lower(),
        )
        return Figure(title, self.note.text(), (), self.view.plot_size(), self.view.paint_plot)


def _work(chosen: tuple[str, str] | None) -> Callable[[EpisodeColumns], SuccessByFactors]:
    """What counts the chosen rows and columns; without a choice the first usual ones that differ."""

    def work(table: EpisodeColumns) -> SuccessByFactors:
        usual = (pair for pair in _USUAL if all(counted_values(table, dimension) > 1 for dimension in pair))
        return success_by_factors(table, *(chosen or next(usual, _USUAL[1])))

    return work
