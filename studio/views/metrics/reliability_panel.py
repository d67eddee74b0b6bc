"""The reliability plot: success by agent and variation, with its spread."""

from __future__ import annotations

import importlib

import numpy as np
from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout

from collector.metrics.dimensions import DIMENSIONS
from collector.metrics.episode_columns import EpisodeColumns
from collector.metrics.measures.outcomes import SUCCESS_RATE
from collector.metrics.pivot import PivotCell
from collector.metrics.reliability import Reliability, ReliabilityPoint, reliability
from collector.metrics.report import ReportCell
from collector.metrics.value_text import dimension_value_text
from collector.model.i18n import _, ngettext
from studio.theme import theme
from studio.views.metrics.dimension_chooser import DimensionChooser
from studio.views.metrics.plot_saver import PlotSaver
from studio.views.metrics.session import MetricsSession, ShownNumber
from studio.views.metrics.spread_table import SpreadTable
from studio.views.services import WindowServices
from studio.widgets.controls import Label, surface
from studio.widgets.icon_button import IconButton
from studio.widgets.metric_plots.figure import Figure
from studio.widgets.metric_plots.mark_legend import LegendEntry, MarkLegend
from studio.widgets.metric_plots.mark_shapes import LOOKS
from studio.widgets.metric_plots.plot_series import PlotPoint, PlotSeries, PlotSheet

_ACROSS = (
    "variation",
    "condition",
    "anomaly-category",
    "app",
    "category",
    "level",
    "task",
    "language",
    "seed",
)


class ReliabilityPanel(QFrame):
    """Follows the episodes of the session. The plot is built when there is something to draw."""

    def __init__(self, session: MetricsSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._session, self._services = session, services
        self._found: Reliability | None = None
        self._is_chosen = False
        self.note = Label("", "body", "text-2", cut=True)
        self.legend = MarkLegend(is_wrapped=True)
        self.across = DimensionChooser(_("Across"), _ACROSS)
        self.save = IconButton("down", _("Save the plot..."))
        self.spread = SpreadTable()
        self.saver = PlotSaver(self, services, "reliability.png", self.figure)
        self._place = QStackedWidget()
        self._nothing = Label(_("No judged episode to draw"), "body", "text-3")
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        head = surface("panel", "bottom")
        head.setFixedHeight(theme.size("section_header"))
        row = QHBoxLayout(head)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(10)
        self.heading = Label(_("Reliability across variations"), "heading")
        row.addWidget(self.heading)
        row.addWidget(self.note, 1)
        row.addWidget(self.across)
        row.addWidget(self.save)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._place.addWidget(self._nothing)
        below = QHBoxLayout()
        below.setContentsMargins(14, 8, 14, 0)
        below.addWidget(self.legend, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addLayout(below)
        inside = QVBoxLayout()
        inside.setContentsMargins(8, 4, 8, 4)
        inside.addWidget(self._place)
        column.addLayout(inside, 3)
        column.addWidget(self.spread, 1)

    def _connect(self) -> None:
        self._session.columns_changed.connect(self.refresh)
        self.across.chosen.connect(self._across_chosen)
        self.save.clicked.connect(self.saver.ask)
        self._show(None)

    @Slot()
    def _across_chosen(self) -> None:
        self._is_chosen = True
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Compute the plot again."""
        if self._session.columns is None:
            self._show(None)
            return
        wanted = [self.across.dimension] if self._is_chosen else [*_ACROSS]

        def work(table: EpisodeColumns) -> Reliability:
            # It takes half a second to import, which the window must not wait for.
            importlib.import_module("pyqtgraph")
            # Until a person chooses: the first dimension in which the episodes differ.
            differing = (name for name in wanted if _values(table, name) > 1)
            return reliability(table, DIMENSIONS[next(differing, wanted[0])])

        self._session.compute("reliability", work, self._show)

    @Slot(object)
    def _show(self, found: Reliability | None) -> None:
        self._found = found if found is not None and found.series else None
        if self._found is not None:
            self.across.show_dimension(self._found.across.id)
        self.save.setEnabled(self._found is not None)
        self._describe()
        if self._found is None:
            self._place.setCurrentIndex(0)
            return
        if self._place.count() == 1:
            self._build_plot()
        self.plot.show_sheet(self._sheet(self._found))
        self._place.setCurrentIndex(1)

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
        self.note.setText(_("SR with 95 % intervals") if found is not None else "")
        names = [self._series_name(series.name) for series in found.series] if found is not None else []
        self.legend.show_entries([LegendEntry(LOOKS[n % len(LOOKS)], name) for n, name in enumerate(names)])
        self.spread.show_spread(found, names)

    def _series_name(self, name: str) -> str:
        assert self._found is not None
        return dimension_value_text(self._found.of.id, name)

    def _sheet(self, found: Reliability) -> PlotSheet:
        categories = tuple(dimension_value_text(found.across.id, label) for label in found.labels)
        series = []
        for each in found.series:
            by_label = {point.label: point for point in each.points}
            points = (by_label.get(label) for label in found.labels)
            name = self._series_name(each.name)
            drawn = tuple(None if point is None else self._drawn(name, point) for point in points)
            series.append(PlotSeries(name, drawn))
        return PlotSheet(categories, tuple(series))

    def _drawn(self, name: str, point: ReliabilityPoint) -> PlotPoint:
        return PlotPoint(100 * point.rate, 100 * point.low, 100 * point.high, self._tip(name, point))

    def _tip(self, name: str, point: ReliabilityPoint) -> str:
        lines = [
            _(
                "{name}, {place}: {rate} %, {hits} of {count}, 95 % interval {low} to {high}",
                name=name, place=self._label(point.label), rate=f"{100 * point.rate:.1f}", hits=point.hits,
                count=point.count, low=f"{100 * point.low:.1f}", high=f"{100 * point.high:.1f}",
            )
        ]  # fmt: skip
        if point.runs.count > 1 and point.runs.std is not None:
            lines.append(
                ngettext(
                    "Standard deviation over {count} run: {std}",
                    "Standard deviation over {count} runs: {std}",
                    point.runs.count, std=f"{100 * point.runs.std:.1f}",
                )
            )  # fmt: skip
        return "\n".join(lines)

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
        number = PivotCell(point.rate, point.count, point.hits, point.low, point.high)
        self._session.show_episodes(
            ShownNumber(
                f"{_(SUCCESS_RATE.title)} {100 * point.rate:.1f} %",
                f"{self._series_name(series.name)}, {self._label(label)}",
                ReportCell(number, point.behind, point.positive),
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
