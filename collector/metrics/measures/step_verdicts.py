"""What a judge says of single steps: how many were right, which errors were made, and when the first."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from collector.metrics.breakdowns.grouping import Groups
from collector.metrics.episode_columns import EpisodeColumns, Ints
from collector.metrics.measure import Counting, Measure, MeasureColumn, Unit, mean, share
from collector.model.i18n import N_
from collector.model.verdicts.judgement import RIGHT, STEP_ERRORS

_JUDGED = (RIGHT, *STEP_ERRORS)
_Compute = Callable[[EpisodeColumns, Groups], MeasureColumn]


def _share_of(verdict: str) -> _Compute:
    """Compute the share of judged steps with this verdict."""

    def compute(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
        judged = sum((_count(table, each) for each in _JUDGED), np.zeros(len(table), np.int64))
        behind = (table.ended | table.answered) & (judged > 0)
        return share(table, groups, behind, _count(table, verdict), judged, counting=Counting.STEPS)

    return compute


def _count(table: EpisodeColumns, verdict: str) -> Ints:
    records = table.verdicts.on_steps
    return np.zeros(len(table), np.int64) if records is None else records[f"{verdict}_steps"]


def _first_error(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    records = table.verdicts.on_steps
    number = np.zeros(len(table)) if records is None else records["first_error"].astype(np.float64)
    number[number == 0] = math.nan
    return mean(table, groups, table.ended | table.answered, number)


RIGHT_STEPS = Measure(
    "right-steps", N_("Right steps"), Unit.PERCENT,
    N_("Steps that were called right, divided by all steps that somebody judged. People say of a step what "
       "most of them say; one that they are split on is not counted."),
    _share_of(RIGHT),
)  # fmt: skip
FIRST_ERROR = Measure(
    "first-error", N_("First error"), Unit.NUMBER,
    N_("Number of the first step that was not right, counted from 1, on average over the episodes in which a "
       "step was called wrong."),
    _first_error,
)  # fmt: skip
_ERRORS = (
    ("wrong-element", N_("Wrong element"), "wrong_element",
     N_("Steps that did the right kind of action on the wrong element, divided by all judged steps.")),
    ("wrong-action", N_("Wrong action"), "wrong_action",
     N_("Steps that needed another kind of action, divided by all judged steps.")),
    ("hallucinated-steps", N_("Hallucinated steps"), "hallucinated",
     N_("Steps on something that is not on the screen, divided by all judged steps.")),
    ("needless", N_("Needless"), "needless",
     N_("Steps that changed nothing that the task needs, divided by all judged steps.")),
    ("risky", N_("Risky"), "risky",
     N_("Steps that should not be done without asking, divided by all judged steps.")),
)  # fmt: skip
STEP_VERDICTS = (
    RIGHT_STEPS,
    FIRST_ERROR,
    *(Measure(id_, title, Unit.PERCENT, how, _share_of(verdict)) for id_, title, verdict, how in _ERRORS),
)
