"""Rates of few runs, said honestly: how many of how many, and what 95 % of such samples allow."""

from __future__ import annotations

import numpy as np

from collector.metrics.statistics.intervals import wilson_intervals
from collector.model.i18n import _


def interval(hits: int, count: int) -> tuple[float, float]:
    """Wilson's interval of 95 % of ``hits`` among ``count``, which is at least 1; each from 0 to 1."""
    low, high = wilson_intervals(np.array([hits], np.int64), np.array([count], np.int64))
    return float(low[0]), float(high[0])


def none_of(count: int) -> str:
    """What is known of a share after none in ``count``."""
    share = round(100 * interval(0, count)[1])
    return _("The true share is at most {share} %, with a certainty of 95 %", share=share)


def all_of(count: int) -> str:
    """What is known of a share after all of ``count``."""
    share = round(100 * interval(count, count)[0])
    return _("The true share is at least {share} %, with a certainty of 95 %", share=share)
