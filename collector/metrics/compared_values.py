"""Choose what a paired comparison compares: a row with its baseline, or two values of a dimension."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from collector.metrics.baseline_rows import ANOMALY_DIMENSIONS
from collector.metrics.breakdowns.dimensions import DIMENSIONS, Dimension
from collector.metrics.comparison import PairedComparison, compare
from collector.metrics.episode_columns import EpisodeColumns, Mask
from collector.metrics.value_text import dimension_value_text

_OF_ONE_SIDE = (*ANOMALY_DIMENSIONS, "experiment")
"""Dimensions in which a baseline may differ from its interrupted episode."""


@dataclass(frozen=True, slots=True)
class ComparedValues:
    """Two values of a dimension. Of a condition, the empty first value means the baselines."""

    dimension: str
    first: str
    second: str

    @property
    def is_interruption(self) -> bool:
        """Whether baselines are compared with one anomaly."""
        return self.dimension == "condition" and not self.first


def compare_values(
    table: EpisodeColumns, values: ComparedValues, row: Mapping[str, str], by: Sequence[Dimension] = ()
) -> PairedComparison:
    """Compare the episodes with two values among those of a row, which maps dimensions to values."""
    if values.is_interruption:
        others = {name: value for name, value in row.items() if name not in ANOMALY_DIMENSIONS}
        return compare_row_with_baseline(table, {**others, values.dimension: values.second}, by)
    among = mask_of(table, {name: value for name, value in row.items() if name != values.dimension})
    first, second = (
        among & mask_of(table, {values.dimension: value}) for value in (values.first, values.second)
    )
    names = tuple(dimension_value_text(values.dimension, value) for value in (values.first, values.second))
    return compare(table, first, second, names=(names[0], names[1]), by=by)


def compare_row_with_baseline(
    table: EpisodeColumns, row: Mapping[str, str], by: Sequence[Dimension] = ()
) -> PairedComparison:
    """Compare the interrupted episodes of a row with their baselines.

    Of a row of baselines they are all episodes that differ from it by an anomaly alone.
    """
    anomaly = {name: value for name, value in row.items() if name in ANOMALY_DIMENSIONS and value}
    others = {name: value for name, value in row.items() if name not in ANOMALY_DIMENSIONS}
    shared = {name: value for name, value in others.items() if name not in _OF_ONE_SIDE}
    interrupted = table.interrupted & mask_of(table, {**others, **anomaly})
    return compare(
        table, table.baselines & mask_of(table, shared), interrupted,
        names=("", _name_of(table, interrupted, anomaly)), by=by,
    )  # fmt: skip


def _name_of(table: EpisodeColumns, interrupted: Mask, anomaly: Mapping[str, str]) -> str:
    """What several anomalies have in common; a single one says its name by itself."""
    several = len(np.unique(table.column("condition")[interrupted & table.selected])) > 1
    texts = [dimension_value_text(name, value) for name, value in anomaly.items()]
    return ", ".join(texts) if several else ""


def mask_of(table: EpisodeColumns, values: Mapping[str, str]) -> Mask:
    """The episodes that have a value in each of some dimensions, by the ids of the dimensions."""
    mask = np.ones(len(table), bool)
    for name, value in values.items():
        labels, codes = DIMENSIONS[name].values(table)
        mask &= codes == labels.index(value) if value in labels else False
    return mask


def values_among(table: EpisodeColumns, dimension: str) -> tuple[str, ...]:
    """The values that the counted episodes have in a dimension, in their order."""
    labels, codes = DIMENSIONS[dimension].values(table)
    present = np.unique(codes[table.selected & table.counted])
    return tuple(labels[code] for code in present.tolist())
