"""What numbers are compared with: the row of the baseline, and the value of what was left as it is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from collector.metrics.breakdowns.grouping import Groups
from collector.metrics.episode_columns import Ints
from collector.model.variation.phone_variation import DEFAULT

ANOMALY_DIMENSIONS = ("condition", "anomaly-category", "buttons")
"""Dimensions that are empty for a baseline."""
VARIATION_DIMENSIONS = ("variation", "factor", "appearance", "content", "pop-ups", "noise", "goal-style")
"""Dimensions that are empty for the phone as it is, and for a task in its own words."""


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


def baseline_label(dimension: str, labels: Sequence[str]) -> str | None:
    """Of the values of a dimension the one without an anomaly, or without a variation; None without one."""
    plain: tuple[str, ...] = ()
    if dimension in VARIATION_DIMENSIONS:
        plain = ("", DEFAULT)
    elif dimension in ANOMALY_DIMENSIONS:
        plain = ("",)
    return next((label for label in plain if label in labels), None)
