"""Pairs of an interrupted episode and its baseline: the same agent and task, without an anomaly."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from collector.metrics.episode_columns import EpisodeColumns, Ints, Mask, numbered
from collector.model.i18n import N_, _, in_words, ngettext

UNIT = (
    "task", "agent", "model", "prompt", "modality", "variation", "language", "goal_style",
    "start", "seed", "repeat",
)  # fmt: skip
"""What both episodes of a pair have in common."""
_WORDS: Mapping[str, str] = {
    "task": N_("task"), "agent": N_("agent"), "model": N_("model"), "prompt": N_("prompt"),
    "modality": N_("modality"), "variation": N_("variation"), "language": N_("language"),
    "goal_style": N_("goal style"), "start": N_("start"),
    "seed": N_("seed"), "repeat": N_("repeat"), "condition": N_("condition"), "buttons": N_("buttons"),
}  # fmt: skip
_DECIDED_BY = {"model": "agent", "prompt": "agent", "buttons": "condition"}


def baselines_of(table: EpisodeColumns) -> Ints:
    """Of each interrupted episode that counts the index of its baseline; -1 without one, and for baselines.

    A baseline counts too: it ended without a fault, and was judged. Of several the one of the same
    experiment is taken, and of these the newest attempt, which was started last.
    """
    return table.derived("baselines of", lambda: _baselines_of(table))


def _baselines_of(table: EpisodeColumns) -> Ints:
    units = combined(table, UNIT)
    found = np.full(len(table), -1, np.int64)
    order = np.lexsort((table.column("tie"), started_order(table)))
    baselines = order[(table.counted & table.baselines)[order]]
    interrupted = np.flatnonzero(table.counted & table.interrupted)
    experiments = table.column("experiment")
    for keys in (units, units * (int(experiments.max(initial=0)) + 1) + experiments):
        # The last of equal keys stands, so a newer one replaces an older, and the same experiment any other.
        unique, last = np.unique(keys[baselines][::-1], return_index=True)
        if not len(unique):
            return found
        indexes = baselines[::-1][last]
        place = np.minimum(np.searchsorted(unique, keys[interrupted]), len(unique) - 1)
        fits = unique[place] == keys[interrupted]
        found[interrupted[fits]] = indexes[place[fits]]
    return found


def paired(table: EpisodeColumns) -> tuple[Ints, Mask]:
    """Of each episode its baseline, any number without one, and which episodes have one."""
    baselines = baselines_of(table)
    return np.maximum(baselines, 0), baselines >= 0


def with_baseline_success(table: EpisodeColumns) -> Mask:
    """Interrupted episodes whose baseline succeeds: the denominator of RSR."""
    baselines, has_baseline = paired(table)
    return has_baseline & table.is_success[baselines]


def pair_notes(table: EpisodeColumns) -> tuple[str, ...]:
    """Sentences on the pairs among the selected episodes: the unit, and episodes without a baseline."""
    baselines, has_baseline = paired(table)
    interrupted = table.selected & table.counted & table.interrupted
    sentences = []
    pairs = np.flatnonzero(interrupted & has_baseline)
    unit = unit_in_words(table, UNIT, np.concatenate((pairs, baselines[pairs])))
    if len(pairs):
        sentences.append(_("Both episodes of a pair have the same {unit}.", unit=unit))
    alone = int(np.count_nonzero(interrupted & ~has_baseline))
    if alone:
        sentences.append(
            ngettext(
                "{count} episode with an anomaly has no baseline and is in no pair.",
                "{count} episodes with an anomaly have no baseline and are in no pair.",
                alone,
            )
        )
    return tuple(sentences)


def unit_in_words(table: EpisodeColumns, fields: tuple[str, ...], episodes: Ints) -> str:
    """What pairs have in common: the task, and those of ``fields`` that have several values in ``episodes``.

    As in "task, agent and seed". What follows from an earlier one, as the model from the agent, is not named.
    """
    several = [
        name
        for name in fields
        if name == "task"
        or (_vary(table.column(name)[episodes]) and not _follows(table, name, fields, episodes))
    ]
    return in_words([_(_WORDS[name]) for name in several])


def differing_in_words(differing: tuple[str, ...]) -> str:
    """The facts in which two selections differ, as in "agent and seed"; empty where there is one at most.

    What follows from another one, as the model from the agent, does not count.
    """
    independent = [name for name in differing if _DECIDED_BY.get(name) not in differing]
    return in_words([_(_WORDS[name]) for name in independent]) if len(independent) > 1 else ""


def _vary(values: Ints) -> bool:
    return bool(len(values)) and bool((values != values[0]).any())


def _follows(table: EpisodeColumns, name: str, fields: tuple[str, ...], episodes: Ints) -> bool:
    """Whether episodes that are equal in the fact that usually decides this one are equal in it too."""
    deciding = _DECIDED_BY.get(name)
    if deciding not in fields:
        return False
    values = [table.column(deciding)[episodes], table.column(name)[episodes]]
    alone, both = (numbered(columns, len(episodes)) for columns in (values[:1], values))
    return bool(alone.max() == both.max())


def combined(table: EpisodeColumns, names: tuple[str, ...]) -> Ints:
    """One number an episode: the same for those that are equal in all fields ``names``."""
    return numbered([table.column(name) for name in names], len(table))


def started_order(table: EpisodeColumns) -> Ints:
    """A number that orders episodes by their start, then their attempt."""
    attempts: Ints = np.clip(table.column("attempt"), 0, 999)
    return table.column("started_ms") * 1_000 + attempts
