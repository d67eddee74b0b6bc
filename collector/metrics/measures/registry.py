"""Every measure by its id, in the order a table offers them."""

from __future__ import annotations

from collections.abc import Mapping

from collector.metrics.measure import Measure
from collector.metrics.measures.outcomes import OUTCOMES
from collector.metrics.measures.robustness import ROBUSTNESS
from collector.metrics.measures.states import STATES

MEASURES: Mapping[str, Measure] = {measure.id: measure for measure in (*OUTCOMES, *ROBUSTNESS, *STATES)}
