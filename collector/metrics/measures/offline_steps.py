"""What agents answer to the steps of golden trajectories that they are asked offline, without a phone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from collector.metrics.breakdowns.grouping import Groups
from collector.metrics.episode_columns import EpisodeColumns
from collector.metrics.measure import Counting, Measure, MeasureColumn, Unit, mean, rate, share
from collector.model.i18n import N_

_Compute = Callable[[EpisodeColumns, Groups], MeasureColumn]


def _share_of(parts: str, wholes: str = "answered") -> _Compute:
    """Compute the share of ``parts`` among ``wholes``, which are fields of EpisodeFacts."""

    def compute(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
        of = table.column(wholes)
        return share(
            table, groups, table.answered & (of > 0), table.column(parts), of, counting=Counting.STEPS
        )

    return compute


def _all_right(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    answered = table.answered & (table.column("answered") > 0)
    return rate(table, groups, answered, table.column("first_wrong") == 0)


def _first_wrong(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    number = table.column("first_wrong").astype(np.float64)
    return mean(table, groups, table.answered & (number > 0), number)


OFFLINE_STEPS = (
    Measure(
        "step-accuracy", N_("Step accuracy"), Unit.PERCENT,
        N_("Golden steps that were answered right, divided by all that were asked offline. Right is what was "
           "done there, a node of the same label and role, what another golden trajectory did there, and "
           "what the task or a reviewer allows."),
        _share_of("right_answers"),
    ),
    Measure(
        "exact-match", N_("Exact match"), Unit.PERCENT,
        N_("Golden steps that were answered with what was done there, on the same node or with the same "
           "value, divided by all that were asked offline."),
        _share_of("exact_answers"),
    ),
    Measure(
        "type-match", N_("Type match"), Unit.PERCENT,
        N_("Golden steps that were answered with the type of action that was done there, or that is right "
           "otherwise, divided by all that were asked offline."),
        _share_of("same_types"),
    ),
    Measure(
        "grounding", N_("Grounding accuracy"), Unit.PERCENT,
        N_("Touches of the right element, divided by the touches that answered golden steps with a touch of "
           "the same type."),
        _share_of("right_touches", "touches_compared"),
    ),
    Measure(
        "all-steps-right", N_("All steps right"), Unit.PERCENT,
        N_("Golden trajectories all of whose steps were answered right, divided by all that were asked "
           "offline."),
        _all_right,
    ),
    Measure(
        "first-wrong", N_("First wrong step"), Unit.NUMBER,
        N_("Number of the first golden step that was not answered right, counted from 1, on average over the "
           "episodes that have one."),
        _first_wrong,
    ),
)  # fmt: skip
