"""The reliability plot: a line of success for each agent over variations, with its spread."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.episode_columns import EpisodeColumns
from collector.metrics.measures.outcomes import SUCCESS_RATE
from collector.metrics.reliability import Reliability, reliability
from collector.metrics.report_cell import ReportCell
from collector.metrics.value_text import dimension_value_text
from collector.model.i18n import _
from rule_editor.widgets.combo_box import ComboBox
from studio.views.metrics.dimension_chooser import DimensionChooser
from studio.views.metrics.plot_saver import PlotSaver
from studio.views.metrics.reliability_sheet import MOST_SERIES, ErrorBars, has_runs, note_of, sheet_of
from studio.views.metrics.session import MetricsSession, ShownNumber
from studio.views.metrics.spread_table import SpreadTable
from studio.views.services import WindowServices
from studio.widgets.controls import Label, header_row, surface
from studio.widgets.icon_button import IconButton
from studio.widgets.metric_plots.figure import Figure
from studio.widgets.metric_plots.mark_legend import LegendEntry, MarkLegend
from studio.widgets.metric_plots.mark_shapes import look_of
from studio.widgets.metric_plots.plot_import import PlotImport

_ACROSS = (
    "variation", "factor", "appearance", "content", "pop-ups", "noise", "goal-style", "condition",
    "anomaly-category", "app", "category", "level", "task", "language", "seed",
)  # fmt: skip


class ReliabilityPanel(QFrame):
    """Follows the episodes of the session. The plot is built when there is something to draw."""

    def __init__(self, session: MetricsSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._session, self._services = session, services
        self._imports = PlotImport(self)
        self._found: Reliability | None = None
        self._is_chosen = self._has_chosen_bars = False
        self.note = Label("", "body", "text-2", cut=True)
        self.legend = MarkLegend(is_wrapped=True)
        self.across = DimensionChooser(_("Across"), _ACROSS)
        self.bars = ComboBox()
        self.save = IconButton("down", _("Save the plot..."))
        self.spread = SpreadTable()
        self.saver = PlotSaver(self, services, "reliability", self.figure)
        self._place = QStackedWidget()
        self.nothing = Label("", "body", "text-3")
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self.bars.setProperty("small", True)
        self.bars.setAccessibleName(_("Error bars"))
        self.bars.setToolTip(_("What the bars show"))
        self.bars.addItem(_("95 % interval"), ErrorBars.INTERVAL)
        self.bars.addItem(_("std over runs"), ErrorBars.RUNS)
        head, row = header_row("section_header", spacing=10)
        self.heading = Label(_("Reliability across variations"), "heading", cut=True)
        row.addWidget(self.heading, 1)
        row.addWidget(self.across)
        row.addWidget(self.save)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._place.addWidget(self.nothing)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._body(), 1)

    def _body(self) -> QWidget:
        body = surface("panel")
        # A folded panel shows its head alone: the body must not press into it.
        body.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        above = QHBoxLayout()
        above.setContentsMargins(14, 8, 14, 0)
        above.addWidget(self.note, 1)
        above.addWidget(self.bars)
        marks = QHBoxLayout()
        marks.setContentsMargins(14, 4, 14, 0)
        marks.addWidget(self.legend)
        inside = QVBoxLayout()
        inside.setContentsMargins(8, 4, 8, 4)
        inside.addWidget(self._place)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(above)
        column.addLayout(marks)
        column.addLayout(inside, 3)
        column.addWidget(self.spread, 1)
        return body

    def _connect(self) -> None:
        self._session.columns_changed.connect(self.refresh)
        self.across.chosen.connect(self._across_chosen)
        self.bars.activated.connect(self._bars_chosen)
        self.save.clicked.connect(self.saver.ask)
        self._wait()

    @Slot()
    def _across_chosen(self) -> None:
        self._is_chosen = True
        self.refresh()

    @Slot()
    def _bars_chosen(self) -> None:
        self._has_chosen_bars = True
        self._draw()

    @Slot()
    def refresh(self) -> None:
        """Compute the plot again."""
        if self._session.columns is None:
            self._wait()
            return
        wanted, imports = [self.across.dimension] if self._is_chosen else [*_ACROSS], self._imports

        def work(table: EpisodeColumns) -> Reliability:
            imports.wait()
            # Until a person chooses: the first dimension in which the episodes differ.
            differing = (name for name in wanted if _values(table, name) > 1)
            return reliability(table, DIMENSIONS[next(differing, wanted[0])])

        self._session.compute("reliability", work, self._show)

    def _wait(self) -> None:
        """Draw nothing until the episodes are loaded."""
        self._show(None)
        self.nothing.setText(_("Counting..."))

    @Slot(object)
    def _show(self, found: Reliability | None) -> None:
        self._found = found if found is not None and found.series else None
        self.nothing.setText(_("No judged episode to draw"))
        if self._found is not None:
            self.across.show_dimension(self._found.across.id)
        self.save.setEnabled(self._found is not None)
        self._draw()

    def _draw(self) -> None:
        """Show the count with the bars that are chosen; until then with those that it has."""
        found = self._found
        if found is not None and not self._has_chosen_bars:
            bars = ErrorBars.RUNS if has_runs(found) else ErrorBars.INTERVAL
            self.bars.setCurrentIndex(self.bars.findData(bars))
        self._describe()
        self.bars.setVisible(found is not None)
        if found is None:
            self._place.setCurrentIndex(0)
            return
        if self._place.count() == 1:
            self._build_plot()
        self.plot.show_sheet(sheet_of(found, self._error_bars))
        self._place.setCurrentIndex(1)

    @property
    def _error_bars(self) -> ErrorBars:
        return ErrorBars(self.bars.currentData())

    def _build_plot(self) -> None:
        from studio.widgets.metric_plots.interval_plot import IntervalPlot

        self.plot = IntervalPlot(_("Success with intervals"))
        self.plot.chosen.connect(self._choose)
        self.plot.opened.connect(self._choose)
        self._place.addWidget(self.plot)

    def _describe(self) -> None:
        found = self._found
        title = _(DIMENSIONS[self.across.dimension].title)
        self.heading.setText(
            _("Reliability across variations")
            if self.across.dimension == "variation"
            else _("Reliability by {dimension}", dimension=title.lower())
        )
        self.note.setText(note_of(found, self._error_bars) if found is not None else "")
        names = [self._series_name(series.name) for series in found.series] if found is not None else []
        drawn = names[:MOST_SERIES]
        self.legend.show_entries([LegendEntry(look_of(place), name) for place, name in enumerate(drawn)])
        self.spread.show_spread(found, names)

    def _series_name(self, name: str) -> str:
        assert self._found is not None
        return dimension_value_text(self._found.of.id, name)

    def _label(self, label: str) -> str:
        assert self._found is not None
        return dimension_value_text(self._found.across.id, label)

    @Slot(object)
    def _choose(self, place: tuple[int, int]) -> None:
        """Show the episodes of a point."""
        found = self._found
        if found is None:
            return
        series = found.series[place[0]]
        label = found.labels[place[1]]
        point = next((point for point in series.points if point.label == label), None)
        if point is None:
            return
        self._session.show_episodes(
            ShownNumber(
                f"{_(SUCCESS_RATE.title)} {100 * point.rate:.1f} %",
                f"{self._series_name(series.name)}, {self._label(label)}",
                ReportCell(
                    point.rate, point.count, point.hits, point.low, point.high, point.behind, point.positive
                ),
                how=_(SUCCESS_RATE.how),
            )
        )

    def figure(self) -> Figure:
        """The plot with its title, as it is saved."""
        return Figure(
            self.heading.text(), self.note.text(), tuple(self.legend.entries), self.plot.size(),
            self.plot.paint_plot,
        )  # fmt: skip


def _values(table: EpisodeColumns, dimension: str) -> int:
    """How many values of a dimension the counted episodes have."""
    _labels, codes = DIMENSIONS[dimension].values(table)
    return len(np.unique(codes[table.selected & table.counted]))
