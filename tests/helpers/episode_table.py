"""Tables of episodes that a test writes down, without files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields

import numpy as np

from collector.metrics.breakdowns.dimensions import Dimension
from collector.metrics.comparison import PairedComparison, compare
from collector.metrics.episode_columns import RECORD, RECORDED, EpisodeColumns, TaskFacts, Verdicts
from collector.store.catalogue.episode_facts import EpisodeFacts


def columns_of_episodes(
    episodes: Iterable[EpisodeFacts],
    tasks: Mapping[str, TaskFacts] | None = None,
    *,
    states: Sequence[tuple[int, int]] = (),
    anomaly_categories: Mapping[str, str] | None = None,
    variation_factors: Mapping[str, tuple[str, ...]] | None = None,
) -> EpisodeColumns:
    """A table of episodes that are at hand, judged as they were recorded.

    ``states`` are the reached and the judged essential states of each episode.
    """
    codes: dict[str, int] = {"": 0}
    rows = [
        tuple(
            codes.setdefault(value, len(codes)) if isinstance(value, str) else value
            for value in (getattr(facts, name.name) for name in fields(facts))
        )
        for facts in episodes
    ]
    records = np.array(rows, RECORD)
    counts = np.array(states or [(0, 0)] * len(rows), np.int64).reshape(-1, 2)
    verdicts = Verdicts(RECORDED, records["outcome"], counts[:, 0], counts[:, 1])
    return EpisodeColumns(
        records, list(codes), tasks or {}, verdicts, anomaly_categories=anomaly_categories,
        variation_factors=variation_factors,
    )  # fmt: skip


def compare_with_baselines(table: EpisodeColumns, by: Sequence[Dimension] = ()) -> PairedComparison:
    """Compare the selected interrupted episodes with their baselines."""
    return compare(table, table.baselines, table.interrupted, by=by)
