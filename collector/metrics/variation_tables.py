"""Tables that only variations have: the best and the worst of each agent, and interactions of two of them."""

from __future__ import annotations

from itertools import islice

import numpy as np

from collector.metrics.breakdowns.dimensions import DIMENSIONS, Dimension
from collector.metrics.breakdowns.grouping import group_by
from collector.metrics.episode_columns import EpisodeColumns, Ints
from collector.metrics.interactions import VariationPair, interaction_of, variation_pairs
from collector.metrics.measure import Unit
from collector.metrics.measures.outcomes import SUCCESS_RATE
from collector.metrics.report import ReportColumn, ReportRow, ReportTable
from collector.metrics.report_cell import ReportCell
from collector.metrics.statistics.intervals import wilson_intervals
from collector.model.i18n import N_, _

MOST_INTERACTIONS = 200
"""A table of more pairs of variations is cut: each has a bootstrap of its own."""
_INTERACTION_HOW = N_(
    "(SR under both minus SR under the second) minus (SR under the first minus SR without a variation): by "
    "how much both together do more or less than each alone. Its interval is a bootstrap by task."
)


def extremes_table(table: EpisodeColumns, rows: tuple[Dimension, ...]) -> ReportTable:
    """The variation of each row in which most episodes succeed, and the one in which the fewest do; of equal
    ones the first by name."""
    counted = table.where(table.selected & table.counted)
    groups = group_by(counted, (*rows, DIMENSIONS["variation"]))
    by_row: dict[tuple[str, ...], list[tuple[float, int]]] = {}
    for group, labels in enumerate(groups.labels):
        succeeds = table.is_success[groups.members(group, counted.selected)]
        by_row.setdefault(labels[:-1], []).append((float(succeeds.mean()), group))
    lines = []
    for labels, rates in by_row.items():
        if len(rates) < 2:
            continue
        best = max(rates, key=lambda pair: (pair[0], -pair[1]))[1]
        worst = min(rates)[1]
        for word, group in ((_("best"), best), (_("worst"), worst)):
            behind = groups.members(group, counted.selected)
            name = groups.labels[group][-1] or _("default")
            lines.append(ReportRow((*labels, word, name), (_rate(table, behind),), behind, 0))
    columns = (ReportColumn("sr", _(SUCCESS_RATE.title), Unit.PERCENT, _(SUCCESS_RATE.how)),)
    titles = (*(_(dimension.title) for dimension in rows), _("Rank"), _("Variation"))
    ids = tuple(dimension.id for dimension in rows)
    return ReportTable(
        "openapps-extremes", _("Best and worst variation"), titles, columns, tuple(lines), (), ids
    )


def interaction_table(table: EpisodeColumns, rows: tuple[Dimension, ...]) -> ReportTable:
    """The interaction of every two variations that each row ran alone, together and not at all."""
    counted = table.where(table.selected & table.counted)
    groups = group_by(counted, rows)
    pairs = (
        (labels, pair)
        for group, labels in enumerate(groups.labels)
        for pair in variation_pairs(table, counted.selected & (groups.of == group))
    )
    shown = list(islice(pairs, MOST_INTERACTIONS))
    lines = tuple(_interaction_row(table, labels, pair) for labels, pair in shown)
    notes = (_("Only the first {count} pairs are shown.", count=MOST_INTERACTIONS),)
    parts = {"neither": _("No variation"), "first": _("First"), "second": _("Second"), "both": _("Both")}
    how = _(SUCCESS_RATE.how)
    rates = [ReportColumn(f"sr-{part}", title, Unit.PERCENT, how) for part, title in parts.items()]
    own = ReportColumn("interaction", _("Interaction"), Unit.PERCENT, _(_INTERACTION_HOW))
    titles = (*(_(dimension.title) for dimension in rows), _("First"), _("Second"))
    ids = tuple(dimension.id for dimension in rows)
    return ReportTable(
        "openapps-interactions", _("Interactions of two variations"), titles, (*rates, own),
        lines, notes if next(pairs, None) is not None else (), ids,
    )  # fmt: skip


def _interaction_row(table: EpisodeColumns, labels: tuple[str, ...], pair: VariationPair) -> ReportRow:
    rates = tuple(_rate(table, np.flatnonzero(part)) for part in pair.parts)
    every = np.flatnonzero(np.logical_or.reduce(pair.parts))
    found = interaction_of(table, pair.parts)
    cell = ReportCell(
        found.value, len(every), None, found.low, found.high, every, every[table.is_success[every]]
    )
    return ReportRow((*labels, pair.first, pair.second), (*rates, cell), every, 0)


def _rate(table: EpisodeColumns, behind: Ints) -> ReportCell:
    positive = behind[table.is_success[behind]]
    hits, count = len(positive), len(behind)
    low, high = wilson_intervals(np.array([hits]), np.array([count]))
    return ReportCell(hits / count, count, hits, float(low[0]), float(high[0]), behind, positive)
