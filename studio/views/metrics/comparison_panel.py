"""The paired comparison: both rates of each group of pairs, what became of the pairs, and what that says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from collector.metrics.baseline_rows import ANOMALY_DIMENSIONS
from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.compared_values import compare_row_with_baseline, compare_values, values_among
from collector.metrics.comparison import PairBox, PairedComparison, PairedNumbers
from collector.metrics.comparison_summary import ComparisonSummary, names_of, summary_of
from collector.metrics.episode_columns import EpisodeColumns, Ints
from collector.metrics.measure import Counting, Unit
from collector.metrics.report_cell import ReportCell
from collector.metrics.value_text import dimension_value_text
from collector.model.i18n import _, ngettext
from studio.views.metrics.comparison_menu import COMPARED, ComparisonMenu
from studio.views.metrics.dimension_chooser import DimensionChooser
from studio.views.metrics.paired_rows import difference_text, drawn_row
from studio.views.metrics.plot_saver import PlotSaver
from studio.views.metrics.session import MetricsSession, ShownNumber
from studio.views.services import WindowServices
from studio.widgets.controls import Button, Label, surface
from studio.widgets.icon_button import IconButton
from studio.widgets.metric_plots.dumbbell_view import DumbbellView
from studio.widgets.metric_plots.figure import Figure
from studio.widgets.metric_plots.mark_legend import LegendEntry, MarkLegend
from studio.widgets.metric_plots.mark_shapes import BASELINE, INTERRUPTED
from studio.widgets.metric_plots.pair_boxes import PairBoxes
from studio.widgets.theme_icon import ThemeIcon

_BY = (
    "app", "task", "category", "level", "condition", "anomaly-category", "variation", "language", "seed",
    "agent",
)  # fmt: skip
_BOXES = tuple(PairBox)


@dataclass(frozen=True)
class _Shown:
    comparison: PairedComparison
    summary: ComparisonSummary
    known: Mapping[str, tuple[str, ...]]
    """Dimension -> the values that the counted episodes have."""
    row: Mapping[str, str]
    """The row of the table that is compared."""

    @property
    def names(self) -> tuple[str, str]:
        """What both sides are called in boxes and legend."""
        if self.comparison.is_interruption:
            return _("baseline"), _("interrupted")
        return names_of(self.comparison)


class ComparisonPanel(QFrame):
    """Follows the episodes of the session and its selected row. ``tools`` are its choices, for the head
    above it."""

    counted = Signal()
    """Other pairs are on show, or none."""

    def __init__(self, session: MetricsSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._session = session
        self._shown: _Shown | None = None
        self.compared = ComparisonMenu()
        self.by = DimensionChooser(_("Broken down by"), _BY)
        self.save = IconButton("down", _("Save the plot..."))
        self.rows = DumbbellView(_("Success of both sides of the pairs"))
        self.scope = Label("", "body", "text-2", wrap=True)
        """How many pairs the boxes count, of which row of the table, and what both episodes share."""
        self.all_pairs = Button(_("All pairs"), kind="link", small=True)
        self.boxes = PairBoxes()
        self.headline = Label("", "name", "text", wrap=True)
        self.details = Label("", "body", "text-2", wrap=True)
        self.legend = MarkLegend(is_wrapped=True)
        self.tools = QWidget()
        self.saver = PlotSaver(self, services, "comparison", self.figure)
        self._pages = QStackedWidget()
        self.nothing = Label("", "body", "text-3", wrap=True)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self.tools)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addStretch(1)
        row.addWidget(self.compared)
        row.addWidget(self.save)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        # A folded panel shows its head alone: the body must not press into it.
        self._pages.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self._pages.addWidget(self.nothing)
        self._pages.addWidget(self._body())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._pages, 1)

    def _body(self) -> QWidget:
        body = surface("panel")
        top = QHBoxLayout()
        top.setContentsMargins(14, 6, 14, 0)
        top.addWidget(self.legend, 1)
        top.addWidget(self.by)
        top.addWidget(Label(_("0 to 100 % SR"), "caption", "text-2"))
        scope = QHBoxLayout()
        scope.addWidget(self.scope, 1)
        scope.addWidget(self.all_pairs)
        sentence = QHBoxLayout()
        sentence.setSpacing(8)
        sentence.addWidget(ThemeIcon("state-info"), alignment=Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.headline)
        words.addWidget(self.details)
        sentence.addLayout(words, 1)
        below = QVBoxLayout()
        below.setContentsMargins(14, 4, 14, 10)
        below.setSpacing(6)
        below.addLayout(scope)
        below.addWidget(self.boxes)
        below.addLayout(sentence)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(top)
        column.addWidget(self.rows)
        column.addLayout(below)
        column.addStretch(1)
        return body

    def _connect(self) -> None:
        self._session.columns_changed.connect(self.refresh)
        self._session.row_changed.connect(self.refresh)
        self.compared.chosen.connect(self.refresh)
        self.by.chosen.connect(self.refresh)
        self.save.clicked.connect(self.saver.ask)
        self.rows.chosen.connect(self._choose_row)
        self.rows.opened.connect(self._choose_row)
        self.all_pairs.clicked.connect(self._leave_row)
        self.boxes.chosen.connect(self._choose_box)
        self._wait()

    # -- what is shown -------------------------------------------------------
    @Slot()
    def refresh(self) -> None:
        """Compute the comparison again."""
        if self._session.columns is None:
            self._wait()
            return
        row, values = dict(self._session.row_values), self.compared.values
        by = (DIMENSIONS[self.by.dimension],)

        def work(table: EpisodeColumns) -> _Shown:
            known = {name: values_among(table, name) for name in COMPARED}
            if values is None:
                comparison = compare_row_with_baseline(table, row, by)
            else:
                comparison = compare_values(table, values, row, by)
            return _Shown(comparison, summary_of(comparison), known, row)

        self._session.compute("comparison", work, self._show)

    def _wait(self) -> None:
        """Compare nothing until the episodes are loaded."""
        self._show(None)
        self.nothing.setText(_("Counting..."))

    @Slot(object)
    def _show(self, shown: _Shown | None) -> None:
        self._shown = shown
        self.compared.offer(shown.known if shown is not None else {}, shown.row if shown is not None else {})
        self.compared.setEnabled(shown is not None)
        missing = _("No interrupted episode has a baseline to compare with")
        if shown is not None and not self._wants_baselines:
            missing = shown.summary.headline
        self.nothing.setText(missing)
        has_pairs = shown is not None and self._is_paired(shown.comparison)
        self.save.setEnabled(has_pairs)
        self._pages.setCurrentIndex(int(has_pairs))
        self.counted.emit()
        if shown is None or not has_pairs:
            return
        dimension = shown.comparison.dimensions[0].id
        self.rows.show_rows([drawn_row(dimension, numbers, shown.names) for numbers in shown.comparison.rows])
        first, second = shown.names
        self.legend.show_entries([LegendEntry(BASELINE, first), LegendEntry(INTERRUPTED, second)])
        self.headline.setText(shown.summary.headline)
        self.details.setText("\n".join((shown.summary.details, *shown.summary.cautions)))
        self._show_boxes()

    @property
    def has_pairs(self) -> bool:
        """Whether there is something to compare."""
        return self._shown is not None and self._is_paired(self._shown.comparison)

    def _is_paired(self, comparison: PairedComparison) -> bool:
        """Whether there are pairs; of baselines only those with the same task, agent and all else count."""
        return comparison.all_pairs.count > 0 and (comparison.is_interruption or not self._wants_baselines)

    @property
    def _wants_baselines(self) -> bool:
        return self.compared.values is None or self.compared.values.is_interruption

    def _note(self) -> str:
        """Of which row of the table the pairs are, and what their episodes share."""
        shown = self._shown
        if shown is None:
            return ""
        parts = [
            dimension_value_text(name, value)
            for name, value in shown.row.items()
            if value and not self._is_in_face(name)
        ]
        return ", ".join([*parts, _("same {unit}", unit=shown.comparison.unit)])

    def _is_in_face(self, dimension: str) -> bool:
        """Whether the button names the value of this dimension already."""
        if self._wants_baselines:
            return dimension in ANOMALY_DIMENSIONS
        return self.compared.values is not None and dimension == self.compared.values.dimension

    def _show_boxes(self) -> None:
        """Count the pairs of the current row, or all."""
        shown = self._shown
        if shown is None:
            return
        numbers = self._numbers(shown.comparison)
        pairs = ngettext("{count} pair", "{count} pairs", numbers.count)
        is_row = self.rows.current >= 0
        pairs = f"{self._row_name(numbers)}: {pairs}" if is_row else pairs
        self.scope.setText(f"{pairs}, {self._note()}")
        self.all_pairs.setVisible(is_row)
        first, second = shown.names
        captions = (
            _("both succeed"), _("only {name}", name=first), _("only {name}", name=second), _("neither"),
        )  # fmt: skip
        counts = [numbers.boxes[box] for box in _BOXES]
        self.boxes.show_counts(list(zip(counts, captions, strict=True)))
        self.boxes.set_current(-1)

    def _numbers(self, comparison: PairedComparison) -> PairedNumbers:
        row = self.rows.current
        return comparison.rows[row] if row >= 0 else comparison.all_pairs

    def _row_name(self, numbers: PairedNumbers) -> str:
        return dimension_value_text(self.by.dimension, numbers.labels[0]) if numbers.labels else ""

    # -- choosing ------------------------------------------------------------
    @Slot(int)
    def _choose_row(self, number: int) -> None:
        """Count the pairs of a row in the boxes, and show both episodes of each."""
        if self._shown is None:
            return
        comparison = self._shown.comparison
        numbers = comparison.rows[number]
        self._show_boxes()
        low, high = numbers.interval or (None, None)
        self._show_pairs(
            _("{points} points", points=difference_text(numbers)),
            self._row_name(numbers),
            comparison.first[numbers.pairs],
            comparison.second[numbers.pairs],
            ReportCell(numbers.difference, numbers.count, low=low, high=high),
            Unit.PERCENT,
        )

    @Slot()
    def _leave_row(self) -> None:
        """Count all pairs in the boxes again."""
        self.rows.set_current(-1)
        self._show_boxes()

    @Slot(int)
    def _choose_box(self, place: int) -> None:
        """Show both episodes of each pair in a box."""
        if self._shown is None:
            return
        comparison = self._shown.comparison
        numbers = self._numbers(comparison)
        count = numbers.boxes[_BOXES[place]]
        first, second = comparison.episodes_in(numbers, _BOXES[place])
        caption = self.boxes.boxes[place].toolTip()
        self.boxes.set_current(place)
        detail = ", ".join(part for part in (caption, self._row_name(numbers)) if part)
        cell = ReportCell(float(count), numbers.count, count)
        title = ngettext("{count} pair", "{count} pairs", count)
        self._show_pairs(title, detail, first, second, cell, Unit.COUNT)

    def _show_pairs(
        self, title: str, detail: str, first: Ints, second: Ints, number: ReportCell, unit: Unit
    ) -> None:
        """Show the episodes of pairs; a baseline of several pairs is listed once."""
        if self._shown is None:
            return
        both = np.column_stack((first, second)).ravel()
        episodes = both[np.sort(np.unique(both, return_index=True)[1])]
        summary = self._shown.summary
        first_name, second_name = self._shown.names
        how = _(
            "Pairs have the same {unit}. A difference is the success of {second} less that of {first}.",
            unit=self._shown.comparison.unit, first=first_name, second=second_name,
        )  # fmt: skip
        words = "\n".join((how, *summary.notes))
        cell = replace(number, behind=episodes)
        self._session.show_episodes(ShownNumber(title, detail, cell, unit, words, Counting.PAIRS))

    # -- saving --------------------------------------------------------------
    def figure(self) -> Figure:
        """The rows with the sentences below, as they are saved."""
        return Figure(
            _("Paired comparison"), self._note(), tuple(self.legend.entries), self.rows.plot_size(),
            self.rows.paint_plot, (self.headline.text(), *self.details.text().splitlines()),
        )  # fmt: skip
