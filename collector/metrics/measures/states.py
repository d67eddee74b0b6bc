"""Essential states that episodes reached: A3's rate over states, and the progress of episodes that failed."""

from __future__ import annotations

import numpy as np

from collector.metrics.breakdowns.grouping import Groups
from collector.metrics.episode_columns import EpisodeColumns, Floats, Mask
from collector.metrics.measure import Counting, Measure, MeasureColumn, Unit, mean, share
from collector.model.i18n import N_


def _achieved(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return share(
        table, groups, states_judged(table), table.verdicts.reached, table.verdicts.judged,
        counting=Counting.STATES,
    )  # fmt: skip


def _partial(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return mean(table, groups, states_judged(table) & table.counted & ~table.is_success, progress(table))


def states_judged(table: EpisodeColumns) -> Mask:
    """Episodes that ended and of which somebody judged an essential state."""
    return table.ended & (table.verdicts.judged > 0)


def progress(table: EpisodeColumns) -> Floats:
    """Of each episode the share of its judged states that it reached; nan where none was judged."""
    judged = table.verdicts.judged
    return np.where(judged > 0, table.verdicts.reached / np.maximum(judged, 1), np.nan)


ESSENTIAL_STATES = Measure(
    "esar", N_("ESAR"), Unit.PERCENT,
    N_("Essential states reached divided by essential states judged, summed over all episodes. Optional "
       "states are left out; of alternatives one is enough."),
    _achieved, "A3, Table 3",
)  # fmt: skip
PARTIAL_PROGRESS = Measure(
    "progress", N_("Partial progress"), Unit.PERCENT,
    N_("Of the episodes without success, the share of their essential states that each reached, on average."),
    _partial,
)  # fmt: skip
STATES = (ESSENTIAL_STATES, PARTIAL_PROGRESS)
