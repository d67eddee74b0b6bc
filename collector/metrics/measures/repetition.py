"""Tasks tried several times: at least one of k tries succeeds (pass@k), or all of them (pass^k)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from collector.metrics.breakdowns.grouping import Groups
from collector.metrics.episode_columns import EpisodeColumns, Floats, Ints
from collector.metrics.group_splits import split_groups
from collector.metrics.measure import Counting, Measure, MeasureColumn, Unit, shares
from collector.metrics.statistics.repeated_tries import pass_at_k, pass_hat_k
from collector.model.i18n import N_, ngettext

TRIED = (
    "task", "agent", "model", "prompt", "condition", "buttons", "modality", "variation", "language",
    "goal_style", "start",
)  # fmt: skip
"""What the tries of a task have in common: they differ by seed and repeat."""
TRIES = (2, 3, 5)
"""Those that are offered; any other number of tries can be asked for."""
MOST_TRIES = 100
_Chance = Callable[[Ints, Ints, int], Floats]


def _passes(table: EpisodeColumns, groups: Groups, *, chance: _Chance, tries: int) -> MeasureColumn:
    tasks = split_groups(table, groups, TRIED)
    enough = tasks.episodes >= tries
    chances = chance(tasks.successes, tasks.episodes, tries)
    counts = np.bincount(tasks.group[enough], minlength=len(groups))
    sums = np.bincount(tasks.group[enough], chances[enough], minlength=len(groups))
    # The last entry stands for episodes in no part, which have the number -1.
    behind = np.append(enough, False)[tasks.of]
    note = _note(int(np.count_nonzero(~enough)), tries)
    return MeasureColumn(
        shares(sums, counts), counts, behind, Counting.TASKS, positive=behind & table.is_success, note=note
    )


def _note(left_out: int, tries: int) -> str:
    if not left_out:
        return ""
    return ngettext(
        "{count} task of an agent under a condition was tried fewer than {tries} times; it is not counted.",
        "{count} tasks, each of an agent under a condition, were tried fewer than {tries} times; they are "
        "not counted.",
        left_out, tries=tries,
    )  # fmt: skip


_ONCE = N_(
    "The chance that at least one of so many tries of a task succeeds (unbiased estimate), on average over "
    "the tasks that were tried so often. Tries differ by seed and repeat."
)
_ALWAYS = N_(
    "The chance that all of so many tries of a task succeed (unbiased estimate), on average over the tasks "
    "that were tried so often. Tries differ by seed and repeat."
)
_KINDS: Mapping[str, tuple[str, _Chance]] = {"pass@": (_ONCE, pass_at_k), "pass^": (_ALWAYS, pass_hat_k)}
_ID = re.compile(r"(pass[@^])([1-9][0-9]*)")


def tries_measure(id: str) -> Measure | None:  # noqa: A002 - as the field is called
    """The measure ``pass@K`` or ``pass^K`` with K from 1 to :data:`MOST_TRIES`; None for any other id."""
    match = _ID.fullmatch(id)
    if match is None or len(match[2]) > len(str(MOST_TRIES)) or int(match[2]) > MOST_TRIES:
        return None
    how, chance = _KINDS[match[1]]
    return Measure(id, id, Unit.PERCENT, how, partial(_passes, chance=chance, tries=int(match[2])))


REPETITION = tuple(
    measure for kind in _KINDS for tries in TRIES if (measure := tries_measure(f"{kind}{tries}")) is not None
)
