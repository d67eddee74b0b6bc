"""Which rates are of too small a sample, and how many episodes would do."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from collector.metrics.measure import MeasureColumn
from collector.metrics.report_cell import ReportCell
from collector.metrics.statistics.sample_size import ENOUGH_HALF_WIDTH, episodes_for_rates
from collector.model.i18n import ngettext

_POINTS = round(100 * ENOUGH_HALF_WIDTH)


def enough_for(number: ReportCell) -> int | None:
    """How many episodes, pairs or states a rate needs so that its interval reaches 10 points to either side.

    None for a rate that has as many, and for what is no rate.
    """
    if number.hits is None or number.low is None or number.high is None:
        return None
    if number.high - number.low <= 2 * ENOUGH_HALF_WIDTH:
        return None
    return int(episodes_for_rates(np.array([number.hits]), np.array([number.count]))[0])


def sample_notes(columns: Iterable[MeasureColumn]) -> tuple[str, ...]:
    """A sentence on the rates of small samples; none where all have enough."""
    small, enough = 0, 0
    for column in columns:
        if column.hits is None or column.low is None or column.high is None:
            continue
        wide = (column.counts > 0) & (column.high - column.low > 2 * ENOUGH_HALF_WIDTH)
        small += int(np.count_nonzero(wide))
        needed = episodes_for_rates(column.hits[wide], column.counts[wide])
        enough = max(enough, int(needed.max(initial=0)))
    if not small:
        return ()
    return (
        ngettext(
            "{count} rate is of a small sample: its interval reaches more than {points} points to either "
            "side. A denominator of {enough} would do.",
            "{count} rates are of small samples: their intervals reach more than {points} points to either "
            "side. A denominator of {enough} would do for each.",
            small, points=_POINTS, enough=enough,
        ),
    )  # fmt: skip
