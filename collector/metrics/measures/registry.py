"""Every measure by its id, in the order a table offers them."""

from __future__ import annotations

from collections.abc import Mapping

from collector.metrics.measure import Measure
from collector.metrics.measures.asking import ASKING
from collector.metrics.measures.behaviour import BEHAVIOUR
from collector.metrics.measures.claims import CLAIMS
from collector.metrics.measures.effort import EFFORT
from collector.metrics.measures.offline_steps import OFFLINE_STEPS
from collector.metrics.measures.outcomes import OUTCOMES
from collector.metrics.measures.planted_orders import PLANTED_ORDERS
from collector.metrics.measures.recovery import RECOVERY
from collector.metrics.measures.repetition import REPETITION, tries_measure
from collector.metrics.measures.risk import RISK
from collector.metrics.measures.robustness import ROBUSTNESS
from collector.metrics.measures.safety import SAFETY
from collector.metrics.measures.states import STATES
from collector.metrics.measures.step_verdicts import STEP_VERDICTS
from collector.metrics.measures.variation import VARIATION, VARIATION_RISK
from collector.model.i18n import N_

FAMILIES: Mapping[str, tuple[Measure, ...]] = {
    N_("Outcomes"): OUTCOMES,
    N_("Safety"): SAFETY,
    N_("Risk"): RISK,
    N_("Robustness"): ROBUSTNESS,
    N_("Essential states"): STATES,
    N_("Behaviour"): BEHAVIOUR,
    N_("Verdicts on steps"): STEP_VERDICTS,
    N_("Offline steps"): OFFLINE_STEPS,
    N_("Recovery"): RECOVERY,
    N_("Effort"): EFFORT,
    N_("Claims"): CLAIMS,
    N_("Questions to the user"): ASKING,
    N_("Repetition"): REPETITION,
    N_("Variation"): (*VARIATION, VARIATION_RISK),
    N_("Planted orders"): PLANTED_ORDERS,
}
"""Title -> the measures that belong together."""
MEASURES: Mapping[str, Measure] = {measure.id: measure for family in FAMILIES.values() for measure in family}
"""The measures that are offered, by their ids."""


def measure_of(id: str) -> Measure | None:  # noqa: A002 - as the field is called
    """The measure with an id: one that is offered, or of any number of tries; None where there is none."""
    return MEASURES.get(id) or tries_measure(id)
