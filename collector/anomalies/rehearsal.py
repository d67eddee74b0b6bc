"""An injection rule tried against the live phone: would it fire here, and why; and what then happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from collector.anomalies.errors import AnomalyError
from collector.anomalies.injected_anomaly import InjectedAnomaly
from collector.anomalies.injector import InjectionRequest, Injector
from collector.anomalies.model import Anomaly
from collector.device.errors import GONE, DeviceError
from collector.model.i18n import _
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.proof_summary import because
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.trajectory_run import WHY_SUPPRESSED, Decision, Fate, InjectionRun
from collector.rules.grammar.model import Injection, Rule

FindAnomaly = Callable[[str], Anomaly | None]


class RehearsalOutcome(StrEnum):
    """What a lane shows of a rule at a step."""

    WOULD_FIRE = "would-fire"
    FIRED = "fired"
    SUPPRESSED = "suppressed"
    NEAR = "near"
    SILENT = "silent"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class RehearsedRule:
    """What one rule did at one state of the phone."""

    step: int
    rule: Rule
    shown: RehearsalOutcome
    reason: str
    """Because of what, in a sentence."""
    proof: Proof | None = None
    anomaly: str = ""
    probability: float | None = None
    draw: float | None = None
    """The number drawn from the seed; under the probability the rule fires."""
    injected: InjectedAnomaly | None = None
    forced: bool = False
    action: Injection | None = None
    """What of the rule fires, or would but for the chance."""


class Rehearsal:
    """Injection rules over the states of the live phone, as an episode would meet them."""

    def __init__(self, run: InjectionRun, find: FindAnomaly, injector: Injector | None = None) -> None:
        """``run`` holds the rules, the seed and what fired so far; without ``injector`` it is a dry run."""
        self._run, self._find, self._injector = run, find, injector

    def state(self, view: StateView, *, dialog_open: bool = False) -> list[RehearsedRule]:
        """What every rule does at this state, in the order they are tried.

        A firing rule's anomaly is injected unless this is a dry run; ``dialog_open`` says that somebody
        else's dialog is on the phone. Raises DeviceError when the phone is gone.
        """
        dialog = dialog_open or (self._injector is not None and self._injector.open is not None)
        return [self._rehearsed(one, view) for one in self._run.step(view, dialog_open=dialog)]

    def force(self, rule: Rule, step: int, package: str = "") -> RehearsedRule:
        """Inject a rule's first anomaly whatever the screen shows and whatever was drawn."""
        if not rule.actions:
            return RehearsedRule(
                step, rule, RehearsalOutcome.FAILED, _("The rule injects nothing"), forced=True
            )
        forced = RehearsedRule(step, rule, RehearsalOutcome.FIRED, _("It was forced"), forced=True)
        return self._inject(forced, rule.actions[0], package)

    def _rehearsed(self, decision: Decision, view: StateView) -> RehearsedRule:
        injection = decision.injection
        told = RehearsedRule(
            view.step, decision.rule, _SHOWN[decision.fate], _because(decision, view), decision.proof,
            injection.interference_id if injection is not None else "",
            injection.trigger_probability if injection is not None else None, decision.draw,
            action=injection,
        )  # fmt: skip
        if decision.fate is Fate.FIRED and injection is not None and self._is_tried(injection):
            return self._inject(told, injection, view.package)
        return told

    def _is_tried(self, injection: Injection) -> bool:
        """Whether more is to be told than that it would fire: it is injected, or cannot be."""
        return self._injector is not None or self._find(injection.interference_id) is None

    def _inject(self, told: RehearsedRule, injection: Injection, package: str) -> RehearsedRule:
        anomaly = self._find(injection.interference_id)
        found = replace(told, anomaly=injection.interference_id, action=injection)
        if anomaly is None:
            what = _("The library has no anomaly {id}", id=injection.interference_id)
            return replace(found, shown=RehearsalOutcome.FAILED, reason=what)
        if self._injector is None:
            return found
        try:
            injected = self._injector.fire(InjectionRequest(anomaly, package, follow_up=injection.follow_up))
        except GONE:
            raise
        except (AnomalyError, DeviceError) as error:
            return replace(found, shown=RehearsalOutcome.FAILED, reason=str(error))
        return replace(found, shown=RehearsalOutcome.FIRED, injected=injected)


_SHOWN = {
    Fate.FIRED: RehearsalOutcome.WOULD_FIRE,
    Fate.SUPPRESSED: RehearsalOutcome.SUPPRESSED,
    Fate.NEAR: RehearsalOutcome.NEAR,
    Fate.SILENT: RehearsalOutcome.SILENT,
}


def _because(decision: Decision, view: StateView) -> str:
    if decision.reason:
        return _(WHY_SUPPRESSED[decision.reason])
    return because(decision.proof, view)
