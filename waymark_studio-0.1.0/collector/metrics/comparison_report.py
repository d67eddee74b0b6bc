"""A paired comparison as a report: all pairs, then its breakdown, and its sentences below."""

from __future__ import annotations

import numpy as np

from collector.metrics.comparison import PairBox, PairedComparison, PairedNumbers
from collector.metrics.comparison_summary import names_of, summary_of
from collector.metrics.episode_columns import Ints, Mask
from collector.metrics.measure import Counting, Unit
from collector.metrics.report import ReportColumn, ReportRow, ReportTable
from collector.metrics.report_cell import ReportCell
from collector.model.i18n import N_, _

_BOXES = {
    PairBox.BOTH: ("both", N_("Both succeed")),
    PairBox.ONLY_FIRST: ("only-first", N_("Only {first}")),
    PairBox.ONLY_SECOND: ("only-second", N_("Only {second}")),
    PairBox.NEITHER: ("neither", N_("Neither")),
}


def comparison_report(comparison: PairedComparison) -> ReportTable:
    """The numbers of a comparison as a table; its first row is of all pairs."""
    first, second = names_of(comparison)
    summary = summary_of(comparison)
    titles = tuple(_(dimension.title) for dimension in comparison.dimensions) or (_("Pairs"),)
    whole = _row(comparison, comparison.all_pairs, (_("All pairs"),) * len(titles))
    rows = (whole, *(_row(comparison, numbers, numbers.labels) for numbers in comparison.rows))
    notes = (*filter(None, (summary.headline, summary.details)), *summary.cautions, *summary.notes)
    title = _("{first} and {second}, paired", first=first, second=second)
    columns = _columns(first, second, comparison.unit)
    dimensions = tuple(dimension.id for dimension in comparison.dimensions)
    return ReportTable("comparison", title, titles, columns, rows, notes, dimensions)


def _columns(first: str, second: str, unit: str) -> tuple[ReportColumn, ...]:
    succeeded = _("Pairs in which the episode of this selection succeeds divided by all pairs.")
    pairs = Counting.PAIRS
    return (
        ReportColumn("first", first, Unit.PERCENT, succeeded, counting=pairs),
        ReportColumn("second", second, Unit.PERCENT, succeeded, counting=pairs),
        ReportColumn(
            "difference", _("Difference"), Unit.PERCENT,
            _("Success of {second} minus success of {first}, over pairs of the same {unit}; the interval is "
              "from a bootstrap by task.", first=first, second=second, unit=unit),
            counting=pairs,
        ),
        ReportColumn(
            "p", _("p"), Unit.P_VALUE,
            _("Exact McNemar test: how likely a difference this large is when both are equally good."),
            counting=pairs,
        ),
        *(
            ReportColumn(name, _(title, first=first, second=second), Unit.COUNT, counting=pairs)
            for name, title in _BOXES.values()
        ),
    )  # fmt: skip


def _row(comparison: PairedComparison, numbers: PairedNumbers, labels: tuple[str, ...]) -> ReportRow:
    first, second = comparison.first[numbers.pairs], comparison.second[numbers.pairs]
    either = np.union1d(first, second)
    succeeds = comparison.table.is_success
    low, high = numbers.interval or (None, None)
    return ReportRow(
        labels,
        (
            _share(numbers.first_rate, first, succeeds[first]),
            _share(numbers.second_rate, second, succeeds[second]),
            ReportCell(numbers.difference, numbers.count, low=low, high=high, behind=either),
            ReportCell(numbers.p_value, numbers.count, behind=either),
            *(_box(comparison, numbers, box) for box in _BOXES),
        ),
    )


def _share(value: float | None, behind: Ints, positive: Mask) -> ReportCell:
    """The share of pairs whose episode of one side succeeds; a baseline may be in several pairs."""
    return ReportCell(
        value, len(behind), int(np.count_nonzero(positive)),
        behind=np.unique(behind), positive=np.unique(behind[positive]),
    )  # fmt: skip


def _box(comparison: PairedComparison, numbers: PairedNumbers, box: PairBox) -> ReportCell:
    """How many pairs are in a box, with the episodes of these pairs."""
    episodes = np.union1d(*comparison.episodes_in(numbers, box))
    return ReportCell(numbers.boxes[box], numbers.count, behind=episodes)
