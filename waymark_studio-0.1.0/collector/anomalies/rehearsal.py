"""An injection rule at one state of the live phone: whether it fires there, why, and what it injects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from collector.anomalies.errors import AnomalyError
from collector.anomalies.injected_anomaly import InjectedAnomaly
from collector.anomalies.injector import InjectionRequest
from collector.anomalies.model import Anomaly
from collector.device.errors import GONE, DeviceError
from collector.model.i18n import _
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.proof_summary import summarize_proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.trajectory_run import WHY_SUPPRESSED, Decision, DecisionKind
from collector.rules.grammar.model import Injection, Rule

Anomalies = Mapping[str, Anomaly]
"""By id."""


class RehearsalOutcome(StrEnum):
    """What a rule does at a state."""

    WOULD_FIRE = "would-fire"
    FIRED = "fired"
    SUPPRESSED = "suppressed"
    NEAR = "near"
    SILENT = "silent"
    FAILED = "failed"


_OUTCOMES = {
    DecisionKind.FIRED: RehearsalOutcome.WOULD_FIRE,
    DecisionKind.SUPPRESSED: RehearsalOutcome.SUPPRESSED,
    DecisionKind.NEAR: RehearsalOutcome.NEAR,
    DecisionKind.SILENT: RehearsalOutcome.SILENT,
}


@dataclass(frozen=True, slots=True)
class RehearsedRule:
    """What one rule did at one state of the phone."""

    step: int
    rule: Rule
    shown: RehearsalOutcome
    reason: str
    """Why, in a sentence."""
    proof: Proof | None = None
    anomaly: str = ""
    probability: float | None = None
    draw: float | None = None
    """The number drawn from the seed; the rule fires when it is under the probability."""
    injected: InjectedAnomaly | None = None
    forced: bool = False
    action: Injection | None = None
    """The action of the rule that fires, or would fire without its chance."""

    def fired(self, injected: InjectedAnomaly) -> RehearsedRule:
        """The rule after its anomaly was injected."""
        return replace(self, shown=RehearsalOutcome.FIRED, injected=injected)

    def failed(self, reason: str) -> RehearsedRule:
        """The rule after its anomaly could not be injected, for ``reason``."""
        return replace(self, shown=RehearsalOutcome.FAILED, reason=reason)


def rehearse_decision(decision: Decision, view: StateView, anomalies: Anomalies) -> RehearsedRule:
    """What ``decision`` means for a rehearsal; a rule that fires fails when its anomaly is missing."""
    action = decision.injection
    rehearsed = RehearsedRule(
        view.step, decision.rule, _OUTCOMES[decision.kind], _reason(decision, view), decision.proof,
        action.interference_id if action is not None else "",
        action.trigger_probability if action is not None else None, decision.draw, action=action,
    )  # fmt: skip
    return _require_anomaly(rehearsed, anomalies) if decision.kind is DecisionKind.FIRED else rehearsed


def rehearse_forced(rule: Rule, step: int, anomalies: Anomalies) -> RehearsedRule:
    """A rule whose first anomaly is injected whatever the screen shows and whatever is drawn."""
    rehearsed = RehearsedRule(step, rule, RehearsalOutcome.WOULD_FIRE, _("It was forced"), forced=True)
    if not rule.actions:
        return rehearsed.failed(_("The rule injects nothing"))
    action = rule.actions[0]
    return _require_anomaly(replace(rehearsed, anomaly=action.interference_id, action=action), anomalies)


def injection_request(
    rehearsed: RehearsedRule, anomalies: Anomalies, package: str
) -> InjectionRequest | None:
    """What to inject for a rule that fires; None when there is nothing, or not any more."""
    anomaly = anomalies.get(rehearsed.anomaly)
    if anomaly is None or rehearsed.action is None:
        return None
    return InjectionRequest(anomaly, package, follow_up=rehearsed.action.follow_up)


def inject(
    rehearsed: RehearsedRule, anomalies: Anomalies, package: str,
    fire: Callable[[InjectionRequest], InjectedAnomaly],
) -> RehearsedRule:  # fmt: skip
    """Inject what a rule fires; the rule as it is then. Raises DeviceError when the phone is gone."""
    request = injection_request(rehearsed, anomalies, package)
    if request is None:
        return rehearsed
    try:
        return rehearsed.fired(fire(request))
    except GONE:
        raise
    except (AnomalyError, DeviceError) as error:
        return rehearsed.failed(str(error))


def _require_anomaly(rehearsed: RehearsedRule, anomalies: Anomalies) -> RehearsedRule:
    if rehearsed.anomaly in anomalies:
        return rehearsed
    return rehearsed.failed(_("The library has no anomaly {id}", id=rehearsed.anomaly))


def _reason(decision: Decision, view: StateView) -> str:
    if decision.reason:
        return _(WHY_SUPPRESSED[decision.reason])
    return summarize_proof(decision.proof, view)
