"""Whether agents know when they are done: completion claimed too early, or never."""

from __future__ import annotations

import numpy as np

from collector.metrics.breakdowns.grouping import Groups
from collector.metrics.episode_columns import EpisodeColumns, Mask
from collector.metrics.measure import Measure, MeasureColumn, Unit, rate
from collector.model.i18n import N_

_DONE = ("complete", "answer")
"""Claims that the task is done; ``impossible`` is none."""


def _early(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return rate(table, groups, table.counted & claims_completion(table), ~table.is_success)


def _never(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    reached, judged = table.verdicts.reached, table.verdicts.judged
    # While a state is not judged, nobody knows that the task was done.
    all_judged = (judged > 0) & (judged >= table.of_tasks("needed states", lambda facts: len(facts.needed)))
    done = table.is_success | (table.ended & all_judged & (reached == judged))
    return rate(table, groups, done, ~claims_completion(table))


def claims_completion(table: EpisodeColumns) -> Mask:
    """Episodes in which the agent said that the task is done."""
    return table.derived(
        "claims completion", lambda: np.isin(table.column("claimed"), [table.code(kind) for kind in _DONE])
    )


CLAIMED_EARLY = Measure(
    "claimed-early", N_("Claimed early"), Unit.PERCENT,
    N_("Of the episodes in which the agent says that the task is done, the share without success."),
    _early,
)  # fmt: skip
NEVER_CLAIMED = Measure(
    "never-claimed", N_("Never claimed"), Unit.PERCENT,
    N_("Of the episodes that succeed or reach all their essential states, the share in which the agent never "
       "says that the task is done."),
    _never, "A3, A.5.1",
)  # fmt: skip
CLAIMS = (CLAIMED_EARLY, NEVER_CLAIMED)
