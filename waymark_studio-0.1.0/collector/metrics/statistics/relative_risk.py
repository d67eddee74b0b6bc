"""Relative risk with its interval on the logarithm (Katz and others 1978)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from collector.metrics.statistics.intervals import Z_95


@dataclass(frozen=True, slots=True)
class RelativeRisk:
    """How many times as likely an event is with something as without it; None where that is undefined."""

    value: float | None
    low: float | None = None
    high: float | None = None


def relative_risk(exposed_hits: int, exposed: int, other_hits: int, others: int) -> RelativeRisk:
    """The risk ``exposed_hits / exposed`` divided by ``other_hits / others``, with a 95 % interval.

    Infinite where only the exposed have hits. There is no interval where either has no hit.
    """
    if not exposed or not others or not (exposed_hits or other_hits):
        return RelativeRisk(None)
    if not other_hits:
        return RelativeRisk(math.inf)
    value = (exposed_hits / exposed) / (other_hits / others)
    if not exposed_hits:
        return RelativeRisk(value)
    deviation = math.sqrt(1 / exposed_hits - 1 / exposed + 1 / other_hits - 1 / others)
    away = math.exp(Z_95 * deviation)
    return RelativeRisk(value, value / away, value * away)
