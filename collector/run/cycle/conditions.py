"""What a condition of an experiment injects, as injection runs that decide step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from collector.anomalies.anomaly_source import AnomalySource
from collector.anomalies.dialogs.dialog_forms import form_with_buttons
from collector.anomalies.errors import Unsuitable
from collector.anomalies.model import COMPANION_KIND, Anomaly
from collector.model.i18n import _
from collector.model.task import Task
from collector.rules.conditions.min_step import MinStep
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.trajectory_run import InjectionRun
from collector.rules.grammar.model import INJECTION, WAYMARK, Group, Injection, Rule
from collector.run.experiment.model import PlannedInjection, RunCondition

PLANNED = "at-step"
"""Begins the ids of the rules that stand for planned injections."""


def planned_rule(planned: PlannedInjection, number: int, before: int = 0) -> Rule:
    """The rule that stands for a planned injection: it holds from its step on, and fires once.

    ``before`` steps of the trajectory lie before the agent's first one.
    """
    return Rule(
        id=f"{PLANNED}-{planned.at}-{planned.anomaly}-{number}", kind=INJECTION,
        conditions=Group(conditions=(MinStep(value=planned.at + before),)), priority=number,
        actions=(Injection(interference_id=planned.anomaly),),
    )  # fmt: skip


def wanted_rules(condition: RunCondition, task: Task | None) -> tuple[str, ...] | None:
    """Ids of the injection rules of a condition with rules; None for all of the project."""
    return condition.rules or (task.target_rule_ids if task is not None else ()) or None


@dataclass(frozen=True, slots=True)
class ConditionRuns:
    """The injection runs of a condition: of what is planned, then of the rules."""

    runs: tuple[InjectionRun, ...] = ()

    @classmethod
    def of(
        cls, condition: RunCondition, task: Task | None, rules: Sequence[Rule], *, semantics: str, seed: int,
        anomalies: frozenset[str] | None = None, images: ImageFinder | None = None, before: int = 0,
    ) -> ConditionRuns:  # fmt: skip
        """``rules`` are all of the project. Planned injections are read strictly under any semantics.

        ``before`` steps of the trajectory lie before the agent's first one.
        """
        runs = []
        if condition.injections:
            planned = [planned_rule(item, number, before) for number, item in enumerate(condition.injections)]
            runs.append(InjectionRun(planned, None, WAYMARK, WAYMARK, seed, len(planned), anomalies, images))
        if condition.rules is not None:
            known = [rule for rule in rules if rule.kind == INJECTION]
            wanted = wanted_rules(condition, task)
            runs.append(
                InjectionRun(known, wanted, semantics, semantics, seed, condition.limit, anomalies, images)
            )
        return cls(tuple(runs))


def anomaly_to_inject(source: AnomalySource, anomaly_id: str, buttons: int | None) -> Anomaly:
    """The anomaly, in its form with so many buttons. Raises RuleError or Unsuitable when there is none."""
    anomaly = source.anomaly(anomaly_id)
    form = form_with_buttons(anomaly, buttons, (listed.anomaly for listed in source.listed()))
    if form is None:
        raise Unsuitable(
            _("{id} cannot be injected with {count} buttons", id=anomaly_id, count=buttons),
            _("the library has no such form of it"),
            _("Choose another anomaly, or leave out `buttons`"),
        )
    return form


def require_injectable(condition: RunCondition, source: AnomalySource) -> None:
    """Raise RuleError or Unsuitable when a planned injection names what cannot be injected."""
    for planned in condition.injections:
        anomaly_to_inject(source, planned.anomaly, condition.buttons)


def with_buttons(condition: RunCondition, source: AnomalySource) -> int | None:
    """The buttons that all dialogs of a condition have; None when they differ or there is no dialog."""
    if condition.buttons is not None:
        return condition.buttons
    anomalies = [source.find(planned.anomaly) for planned in condition.injections]
    counts = {
        anomaly.buttons for anomaly in anomalies if anomaly is not None and anomaly.kind == COMPANION_KIND
    }
    return counts.pop() if len(counts) == 1 else None
