"""Cells that the studies of judges share: a share with its interval, and the difference of paired shares."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

import numpy as np

from collector.metrics.comparison_summary import FEW_TASKS
from collector.metrics.episode_columns import Floats, Ints
from collector.metrics.report_cell import ReportCell
from collector.metrics.statistics.bootstrap import bootstrap_interval, difference_of_ratios
from collector.metrics.statistics.intervals import wilson_intervals
from collector.metrics.statistics.mcnemar import exact_mcnemar
from collector.model.i18n import N_, _
from collector.model.verdicts.voted_subject import PEOPLE

BOOTSTRAP = N_(
    "Intervals of F1 and of differences: a bootstrap by task, by trajectory under 10 tasks; "
    "none where every draw gives the same number."
)


def who_text(judge: str) -> str:
    """The name of a judge for people; people as a whole have one in each language."""
    return _("people") if judge == PEOPLE else judge


def share_cell(counted: Iterable[bool], is_hit: Sequence[bool]) -> ReportCell:
    """The share of hits among the counted subjects of a row, with Wilson's interval; no value without one.

    Both say something of each subject; hits are among the counted.
    """
    behind, positive = places(counted), places(is_hit)
    if not len(behind):
        return ReportCell()
    hits, count = len(positive), len(behind)
    low, high = wilson_intervals(np.array([hits]), np.array([count]))
    return ReportCell(hits / count, count, hits, float(low[0]), float(high[0]), behind, positive)


def places(chosen: Iterable[bool]) -> Ints:
    """The indexes of the subjects that are chosen."""
    return np.flatnonzero(np.fromiter(chosen, bool))


def clusters_of(tasks: Sequence[str], trajectories: Sequence[Hashable]) -> Sequence[Hashable]:
    """What a bootstrap draws, of each verdict: its task, or its trajectory where tasks are too few."""
    return tasks if len(set(tasks)) >= FEW_TASKS else trajectories


def interval_of(
    clusters: Iterable[Hashable], amounts: Iterable[Sequence[float]], statistic: Callable[[Floats], Floats]
) -> tuple[float | None, float | None]:
    """The bootstrap's interval of a statistic of the sums of ``amounts``; None where there is none."""
    sums: dict[Hashable, list[float]] = {}
    for cluster, row in zip(clusters, amounts, strict=True):
        known = sums.setdefault(cluster, [0.0] * len(row))
        sums[cluster] = [before + amount for before, amount in zip(known, row, strict=True)]
    return bootstrap_interval(np.array(list(sums.values())), statistic) or (None, None)


def paired_cells(clusters: Sequence[Hashable], hits: Sequence[tuple[bool, bool]]) -> tuple[ReportCell, ...]:
    """The second share less the first, how often only the first and only the second hits, and McNemar's p.

    ``hits`` are pairs, at least one, and ``clusters`` what the bootstrap draws, of each.
    """
    amounts = [(first, 1, second, 1) for first, second in hits]
    low, high = interval_of(clusters, amounts, difference_of_ratios)
    firsts = places(first and not second for first, second in hits)
    seconds = places(second and not first for first, second in hits)
    count, only_first, only_second = len(hits), len(firsts), len(seconds)
    parted = np.union1d(firsts, seconds)
    return (
        ReportCell((only_second - only_first) / count, count, None, low, high, np.arange(count)),
        ReportCell(only_first, count, behind=firsts),
        ReportCell(only_second, count, behind=seconds),
        ReportCell(exact_mcnemar(only_first, only_second), count, behind=parted),
    )
