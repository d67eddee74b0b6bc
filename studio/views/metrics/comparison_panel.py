"""The paired comparison: interrupted episodes against their baselines, in all and broken down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from collector.metrics.comparison import PairBox, PairedComparison, PairedNumbers, compare_with_baselines
from collector.metrics.comparison_summary import ComparisonSummary, summary_of
from collector.metrics.dimensions import DIMENSIONS
from collector.metrics.episode_columns import EpisodeColumns, Mask
from collector.metrics.measure import Unit
from collector.metrics.pivot import PivotCell
from collector.metrics.report import ReportCell
from collector.metrics.value_text import dimension_value_text
from collector.model.i18n import _
from studio.theme import theme
from studio.views.metrics.dimension_chooser import DimensionChooser
from studio.views.metrics.plot_saver import PlotSaver
from studio.views.metrics.session import MetricsSession, ShownNumber
from studio.views.services import WindowServices
from studio.widgets.controls import Label, surface
from studio.widgets.icon_button import IconButton
from studio.widgets.metric_plots.dumbbell_view import DumbbellRow, DumbbellView
from studio.widgets.metric_plots.figure import Figure
from studio.widgets.metric_plots.mark_legend import LegendEntry, MarkLegend
from studio.widgets.metric_plots.mark_shapes import BASELINE, INTERRUPTED
from studio.widgets.metric_plots.pair_boxes import PairBoxes

_BY = (
    "app", "task", "category", "level", "condition", "anomaly-category", "variation", "language", "seed",
    "agent",
)  # fmt: skip
_ALL = ""


@dataclass(frozen=True)
class _Shown:
    comparison: PairedComparison
    summary: ComparisonSummary
    conditions: tuple[str, ...]
    """Conditions with an anomaly among the selected episodes."""


class ComparisonPanel(QFrame):
    """Follows the episodes of the session, and the agent of its selected row."""

    def __init__(self, session: MetricsSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._session, self._services = session, services
        self._shown: _Shown | None = None
        self.note = Label("", "body", "text-2", cut=True)
        self.condition = QComboBox()
        self.by = DimensionChooser(_("Broken down by"), _BY)
        self.save = IconButton("down", _("Save the plot..."))
        self.rows = DumbbellView(_("Success with and without the anomaly"))
        self.boxes = PairBoxes()
        self.headline = Label("", "name", "text", wrap=True)
        self.details = Label("", "body", "text-2", wrap=True)
        self.legend = MarkLegend(is_wrapped=True)
        self.saver = PlotSaver(self, services, "comparison.png", self.figure)
        self._pages = QStackedWidget()
        self._nothing = Label(_("No interrupted episode has a baseline to compare with"), "body", "text-3")
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        head = surface("panel", "bottom")
        head.setFixedHeight(theme.size("section_header"))
        row = QHBoxLayout(head)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(10)
        self.condition.setProperty("small", True)
        self.condition.setAccessibleName(_("Anomaly"))
        self.condition.setToolTip(_("The anomaly that is compared with the baseline"))
        self.condition.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.condition.setMinimumContentsLength(14)
        row.addWidget(Label(_("Paired comparison"), "heading"))
        row.addWidget(self.note, 1)
        for widget in (self.condition, self.by, self.save):
            row.addWidget(widget)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages.addWidget(self._nothing)
        self._pages.addWidget(self._body())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._pages, 1)

    def _body(self) -> QWidget:
        body = surface("panel")
        top = QHBoxLayout()
        top.setContentsMargins(14, 8, 14, 0)
        self.legend.show_entries(
            [LegendEntry(BASELINE, _("baseline")), LegendEntry(INTERRUPTED, _("interrupted"))]
        )
        top.addWidget(self.legend, 1)
        top.addWidget(Label(_("0 to 100 % SR"), "caption", "text-2"))
        below = QVBoxLayout()
        below.setContentsMargins(14, 8, 14, 12)
        below.setSpacing(6)
        below.addWidget(self.boxes)
        below.addWidget(self.headline)
        below.addWidget(self.details)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(top)
        column.addWidget(self.rows, 1)
        column.addLayout(below)
        return body

    def _connect(self) -> None:
        self._session.columns_changed.connect(self.refresh)
        self._session.row_changed.connect(self.refresh)
        self.condition.activated.connect(self.refresh)
        self.by.chosen.connect(self.refresh)
        self.save.clicked.connect(self.saver.ask)
        self.rows.chosen.connect(self._choose_row)
        self.rows.opened.connect(self._choose_row)
        self.boxes.chosen.connect(self._choose_box)
        self._show(None)

    # -- what is shown -------------------------------------------------------
    @Slot()
    def refresh(self) -> None:
        """Compute the comparison again."""
        if self._session.columns is None:
            self._show(None)
            return
        agent = self._session.row_values.get("agent")
        condition = str(self.condition.currentData() or _ALL)
        by = (DIMENSIONS[self.by.dimension],)

        def work(table: EpisodeColumns) -> _Shown:
            conditions, codes = DIMENSIONS["condition"].values(table)
            present = _conditions_of(table, conditions, codes)
            among = table.interrupted & table.selected
            if agent is not None:
                among = among & _has(table, "agent", agent)
            chosen = condition if condition in present else _ALL
            if chosen:
                among = among & _has(table, "condition", chosen)
            # The baselines of a selection are never filtered away.
            comparison = compare_with_baselines(table, among, by=by)
            return _Shown(comparison, summary_of(comparison), present)

        self._session.compute("comparison", work, self._show)

    @Slot(object)
    def _show(self, shown: _Shown | None) -> None:
        self._shown = shown
        self._offer(shown.conditions if shown is not None else ())
        has_pairs = shown is not None and shown.comparison.all_pairs.count > 0
        self.save.setEnabled(has_pairs)
        self._pages.setCurrentIndex(int(has_pairs))
        agent = self._session.row_values.get("agent", "")
        if shown is None or not has_pairs:
            self.note.setText("")
            return
        unit = _("same {unit}", unit=shown.comparison.unit)
        name = dimension_value_text("agent", agent) if agent else _("all agents")
        self.note.setText(f"{name}, {unit}")
        dimension = shown.comparison.dimensions[0].id
        self.rows.show_rows([_drawn(dimension, numbers) for numbers in shown.comparison.rows])
        captions = {
            PairBox.BOTH: _("both succeed"),
            PairBox.ONLY_FIRST: _("only baseline"),
            PairBox.ONLY_SECOND: _("only interrupted"),
            PairBox.NEITHER: _("neither"),
        }
        counts = shown.comparison.all_pairs.boxes
        self.boxes.show_counts([(counts[box], captions[box]) for box in PairBox])
        self.boxes.set_current(-1)
        self.headline.setText(shown.summary.headline)
        self.details.setText("\n".join((shown.summary.details, *shown.summary.cautions)))

    def _offer(self, conditions: Sequence[str]) -> None:
        """Offer the conditions there are; the chosen one stays chosen."""
        known = [self.condition.itemData(number) for number in range(self.condition.count())]
        if known == [_ALL, *conditions]:
            return
        chosen = self.condition.currentData()
        self.condition.clear()
        self.condition.addItem(_("none vs all anomalies"), _ALL)
        for name in conditions:
            self.condition.addItem(_("none vs {name}", name=name), name)
        self.condition.setCurrentIndex(max(0, self.condition.findData(chosen)))

    # -- choosing ------------------------------------------------------------
    @Slot(int)
    def _choose_row(self, number: int) -> None:
        """Show the episodes of a row: its pairs, both sides."""
        if self._shown is None:
            return
        comparison = self._shown.comparison
        numbers = comparison.rows[number]
        label = dimension_value_text(comparison.dimensions[0].id, numbers.labels[0])
        first, second = comparison.first[numbers.pairs], comparison.second[numbers.pairs]
        difference = numbers.difference or 0.0
        low, high = numbers.interval or (None, None)
        cell = ReportCell(PivotCell(difference, numbers.count, low=low, high=high), np.union1d(first, second))
        title = _("{points} points", points=_points(difference))
        self._session.show_episodes(ShownNumber(title, label, cell, Unit.PERCENT, self._how()))

    @Slot(int)
    def _choose_box(self, number: int) -> None:
        """Show the episodes of the pairs in a box."""
        if self._shown is None:
            return
        comparison = self._shown.comparison
        numbers, box = comparison.all_pairs, list(PairBox)[number]
        episodes = np.union1d(*comparison.episodes_in(numbers, box))
        cell = ReportCell(PivotCell(float(numbers.boxes[box]), numbers.count), episodes)
        caption = self.boxes.boxes[number].toolTip()
        self.boxes.set_current(number)
        self._session.show_episodes(
            ShownNumber(str(numbers.boxes[box]), caption, cell, Unit.COUNT, self._how())
        )

    def _how(self) -> str:
        if self._shown is None:
            return ""
        summary = self._shown.summary
        return "\n".join((summary.details, *summary.cautions, *summary.notes))

    # -- saving --------------------------------------------------------------
    def figure(self) -> Figure:
        """The rows with the sentences below, as they are saved."""
        return Figure(
            _("Paired comparison"), self.note.text(), tuple(self.legend.entries), self.rows.plot_size(),
            self.rows.paint_plot, (self.headline.text(), *self.details.text().splitlines()),
        )  # fmt: skip


def _conditions_of(table: EpisodeColumns, labels: Sequence[str], codes: np.ndarray) -> tuple[str, ...]:
    present = np.unique(codes[table.interrupted & table.selected])
    return tuple(labels[code] for code in present.tolist() if labels[code])


def _has(table: EpisodeColumns, dimension: str, value: str) -> Mask:
    """The episodes with a value of a dimension."""
    labels, codes = DIMENSIONS[dimension].values(table)
    if value not in labels:
        return np.zeros(len(table), bool)
    return np.asarray(codes == labels.index(value), bool)


def _drawn(dimension: str, numbers: PairedNumbers) -> DumbbellRow:
    title = dimension_value_text(dimension, numbers.labels[0])
    first, second = (
        None if rate is None else 100 * rate for rate in (numbers.first_rate, numbers.second_rate)
    )
    difference = "–" if numbers.difference is None else _points(numbers.difference)
    tip = title
    if first is not None and second is not None:
        tip = _(
            "{name}: {first} % without, {second} % with the anomaly, of {count} pairs",
            name=title, first=f"{first:.1f}", second=f"{second:.1f}", count=numbers.count,
        )  # fmt: skip
    return DumbbellRow(title, numbers.count, first, second, difference, tip)


def _points(difference: float) -> str:
    return f"{100 * difference:.1f}".replace("-", "−")
