"""Whether agents ask their user when a task needs it, and only then."""

from __future__ import annotations

import numpy as np

from collector.metrics.breakdowns.grouping import Groups
from collector.metrics.episode_columns import EpisodeColumns, Ints
from collector.metrics.measure import Counting, Measure, MeasureColumn, Unit, rate, share
from collector.model.i18n import N_


def _asked_needed(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    needed, asked = _needed(table), _asked(table)
    return share(table, groups, table.ended & (needed > 0), asked, needed, counting=Counting.QUESTIONS)


def _went_on(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    needed = _needed(table)
    return rate(table, groups, table.ended & (needed > 0), _asked(table) < needed)


def _needless(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    asked = table.column("questions")
    return share(
        table, groups, table.ended & (asked > 0), table.column("needless_questions"), asked,
        counting=Counting.QUESTIONS,
    )  # fmt: skip


def _needed(table: EpisodeColumns) -> Ints:
    """How many questions the task of each episode needs."""
    needed = table.of_tasks(
        "needed questions", lambda facts: sum(reply.needed for reply in facts.task.replies)
    )
    return needed.astype(np.int64)


def _asked(table: EpisodeColumns) -> Ints:
    """How many of them were asked; of a task that was changed since never more than it needs."""
    asked: Ints = np.minimum(table.column("needed_questions"), _needed(table))
    return asked


ASKED_NEEDED = Measure(
    "asked-needed", N_("Asked when needed"), Unit.PERCENT,
    N_("Of the questions that tasks say have to be asked, the share that the agent asked its user."),
    _asked_needed,
)  # fmt: skip
WENT_ON = Measure(
    "went-on-unasked", N_("Went on without asking"), Unit.PERCENT,
    N_("Of the episodes whose task needs a question, the share in which the agent did not ask all it needs."),
    _went_on,
)  # fmt: skip
ASKED_NEEDLESS = Measure(
    "asked-needless", N_("Asked for nothing"), Unit.PERCENT,
    N_("Of the questions that the agent asked its user, the share that its task does not need."),
    _needless,
)  # fmt: skip
ASKING = (ASKED_NEEDED, WENT_ON, ASKED_NEEDLESS)
