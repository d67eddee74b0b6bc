"""Interactions of two factors in success, over episodes: of any two, and of variations that were crossed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from collector.metrics.episode_columns import EpisodeColumns, Ints, Mask
from collector.metrics.statistics.bootstrap import sums_by_cluster
from collector.metrics.statistics.interaction import Interaction, interaction
from collector.model.variation.phone_variation import DEFAULT

Parts = tuple[Mask, Mask, Mask, Mask]
"""The episodes under neither of two factors, under the first, under the second, and under both."""


@dataclass(frozen=True)
class VariationPair:
    """Two variations that were run alone and together."""

    first: str
    second: str
    parts: Parts


def interaction_of(table: EpisodeColumns, parts: Parts) -> Interaction:
    """The interaction of two factors in the success of counted episodes. Tasks are drawn for its interval."""
    among = np.logical_or.reduce(parts)
    hits = table.is_success[among].astype(np.int64)
    columns: list[Ints] = []
    for part in parts:
        inside = part[among].astype(np.int64)
        columns += [hits * inside, inside]
    return interaction(sums_by_cluster(table.column("task")[among], *columns))


def variation_pairs(table: EpisodeColumns, among: Mask) -> Iterator[VariationPair]:
    """Every two variations of which ``among`` has episodes alone, together and without a variation."""
    column = table.column("variation")
    present = {table.texts[code]: code for code in np.unique(column[among]).tolist()}
    plain = [code for name, code in present.items() if name in ("", DEFAULT)]
    for name, code in present.items():
        first, plus, second = name.partition("+")
        if plus and plain and first in present and second in present:
            codes = (plain, [present[first]], [present[second]], [code])
            masks = [among & np.isin(column, each) for each in codes]
            yield VariationPair(first, second, (masks[0], masks[1], masks[2], masks[3]))
