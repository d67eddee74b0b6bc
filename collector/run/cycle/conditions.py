"""What a condition of an experiment injects, as injection runs that decide step by step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from collector.anomalies.anomaly_source import AnomalySource
from collector.anomalies.model import COMPANION_KIND, Anomaly
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import Task
from collector.rules.conditions.min_step import MinStep
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.trajectory_run import InjectionRun
from collector.rules.grammar.model import INJECTION, WAYMARK, Group, Injection, Rule
from collector.run.experiment.model import PlannedInjection, RunCondition

PLANNED = "at-step"
"""Begins the ids of the rules that stand for planned injections."""


def button_form(anomaly: Anomaly, buttons: int | None, source: AnomalySource) -> Anomaly | None:
    """The form of ``anomaly`` whose dialog has that many buttons; itself when none are asked for.

    Another form is an anomaly of the same family and language. None when there is no such form, as of a
    change of the phone, which has no dialog.
    """
    if buttons is None:
        return anomaly
    if anomaly.kind != COMPANION_KIND:
        return None
    if anomaly.buttons == buttons:
        return anomaly
    if not anomaly.family:
        return None
    forms = (listed.anomaly for listed in source.listed())
    return next(
        (
            form for form in forms
            if (form.family, form.language, form.kind) == (anomaly.family, anomaly.language, anomaly.kind)
            and form.buttons == buttons
        ),
        None,
    )  # fmt: skip


def condition_problems(
    condition: RunCondition, source: AnomalySource, rules: Iterable[Rule], task: Task | None = None
) -> list[str]:
    """What of a condition cannot be injected, a sentence each: anomalies and rules that there are not, forms
    with one or two buttons that an anomaly has not. ``task`` is one it is run with."""
    known = {rule.id: rule for rule in rules if rule.kind == INJECTION}
    problems = [
        _("There is no injection rule {id}", id=name) for name in condition.rules or () if name not in known
    ]
    ids = [planned.anomaly for planned in condition.injections]
    if condition.rules is not None:
        wanted = condition.rules or (task.target_rule_ids if task is not None else ()) or tuple(known)
        ids += [action.interference_id for name in wanted if name in known for action in known[name].actions]
    for name in dict.fromkeys(ids):
        anomaly = source.find(name)
        if anomaly is None:
            problems.append(_("The library has no anomaly {id}", id=name))
        elif button_form(anomaly, condition.buttons, source) is None:
            problems.append(
                _("{id} has no form with {count} buttons", id=name, count=condition.buttons)
                if condition.buttons != 1
                else _("{id} has no form with one button", id=name)
            )
    return problems


def planned_rule(planned: PlannedInjection, number: int) -> Rule:
    """The rule that stands for a planned injection: it holds from its step on, and fires once."""
    return Rule(
        id=f"{PLANNED}-{planned.at}-{planned.anomaly}-{number}", kind=INJECTION,
        conditions=Group(conditions=(MinStep(value=planned.at),)), priority=number,
        actions=(Injection(interference_id=planned.anomaly),),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ConditionRuns:
    """The injection runs of a condition: of what is planned, then of the rules."""

    runs: tuple[InjectionRun, ...] = ()

    @classmethod
    def of(
        cls, condition: RunCondition, task: Task | None, rules: Sequence[Rule], *, semantics: str, seed: int,
        anomalies: frozenset[str] | None = None, images: ImageFinder | None = None,
    ) -> ConditionRuns:  # fmt: skip
        """``rules`` are all of the project. Planned injections are read strictly under any semantics."""
        runs = []
        if condition.injections:
            planned = [planned_rule(item, number) for number, item in enumerate(condition.injections)]
            runs.append(InjectionRun(planned, None, WAYMARK, WAYMARK, seed, len(planned), anomalies, images))
        if condition.rules is not None:
            known = [rule for rule in rules if rule.kind == INJECTION]
            wanted = condition.rules or (task.target_rule_ids if task is not None else ()) or None
            runs.append(
                InjectionRun(known, wanted, semantics, semantics, seed, condition.limit, anomalies, images)
            )
        return cls(tuple(runs))


def anomaly_to_inject(source: AnomalySource, anomaly_id: str, buttons: int | None) -> Anomaly:
    """The anomaly, in its form with so many buttons. Raises UserError when there is none."""
    anomaly = source.anomaly(anomaly_id)
    form = button_form(anomaly, buttons, source)
    if form is None:
        raise UserError(
            _("{id} cannot be injected with {count} buttons", id=anomaly_id, count=buttons),
            _("the library has no such form of it"),
            _("Choose another anomaly, or leave out `buttons`"),
        )
    return form


def with_buttons(condition: RunCondition, source: AnomalySource) -> int | None:
    """The buttons that all dialogs of a condition have; None when they differ or there is no dialog."""
    if condition.buttons is not None:
        return condition.buttons
    anomalies = [source.find(planned.anomaly) for planned in condition.injections]
    counts = {
        anomaly.buttons for anomaly in anomalies if anomaly is not None and anomaly.kind == COMPANION_KIND
    }
    return counts.pop() if len(counts) == 1 else None
