"""Rows of interrupted episodes with the row of their baseline: what an anomaly costs."""

from __future__ import annotations

import numpy as np

from collector.metrics.episode_columns import Ints
from collector.metrics.grouping import Groups

ANOMALY_DIMENSIONS = ("condition", "anomaly-category", "buttons")
"""Dimensions that are empty for a baseline."""


def baseline_rows(groups: Groups) -> Ints:
    """Of each group the group with the same values but no anomaly; -1 for a baseline, and without one."""
    of_anomaly = [dimension.id in ANOMALY_DIMENSIONS for dimension in groups.dimensions]
    rows = np.full(len(groups), -1, np.int64)
    if not any(of_anomaly):
        return rows
    place = {labels: number for number, labels in enumerate(groups.labels)}
    for number, labels in enumerate(groups.labels):
        without = tuple("" if of else label for of, label in zip(of_anomaly, labels, strict=True))
        if without != labels:
            rows[number] = place.get(without, -1)
    return rows
