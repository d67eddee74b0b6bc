"""New rules to begin with, filled from the state on the screen."""

from __future__ import annotations

from collections.abc import Callable

from collector.model.i18n import _
from collector.rules.conditions.current_package_is import CurrentPackageIs
from collector.rules.conditions.min_step import MinStep
from collector.rules.grammar.model import INJECTION, SAFETY, STATE, SUCCESS, Condition, Group, Injection, Rule
from studio.views.rules.anomalies.anomaly_choices import default_anomaly
from studio.views.rules.session import RulesSession

_ID_ENDINGS = {INJECTION: "injection", SUCCESS: "done", STATE: "state", SAFETY: "never"}


def free_id(wanted: str, taken: set[str]) -> str:
    """Return ``wanted``, with a number when it is taken."""
    number, name = 2, wanted
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    return name


def rule_templates(session: RulesSession) -> list[tuple[str, Callable[[], Rule]]]:
    """Return what *New rule...* offers: a title, and the function that makes the rule."""
    package = session.state.package if session.state is not None else ""
    in_app: tuple[Condition, ...] = (CurrentPackageIs(value=package),) if package else ()

    def template(kind: str, *conditions: Condition) -> Callable[[], Rule]:
        return lambda: _new_rule(session, kind, conditions)

    offered = [
        (INJECTION, _("Injection rule, empty"), template(INJECTION)),
        (INJECTION, _("Injection rule in this app"), template(INJECTION, *in_app)),
        (
            INJECTION,
            _("Injection rule in this app from step 3 on"),
            template(INJECTION, *in_app, MinStep(value=3)),
        ),
        (SUCCESS, _("Success rule, empty"), template(SUCCESS)),
        (STATE, _("Essential state, empty"), template(STATE)),
        (SAFETY, _("Safety rule, empty"), template(SAFETY)),
    ]
    return [(title, make) for kind, title, make in offered if kind in session.documents.documents]


def rule_around(session: RulesSession, condition: Condition) -> Rule:
    """Return a new rule with one condition, of the selected kind or of the first kind that is open."""
    documents = session.documents.documents
    kind = session.kind if session.kind in documents else next(iter(documents), INJECTION)
    return _new_rule(session, kind, (condition,))


def _new_rule(session: RulesSession, kind: str, conditions: tuple[Condition, ...]) -> Rule:
    """Return a rule named after the task in hand; an injection rule injects the first anomaly."""
    recorded = session.recorded
    task_id = session.selection.task_id or (recorded.trajectory.task_id if recorded is not None else "")
    stem = (task_id or "rule").replace("-", "_")
    rule_id, group = f"{stem}_{_ID_ENDINGS[kind]}", Group(conditions=conditions)
    if kind != INJECTION:
        return Rule(id=rule_id, kind=kind, conditions=group)
    action = Injection(interference_id=default_anomaly(session.documents.offered))
    return Rule(id=rule_id, kind=kind, conditions=group, actions=(action,))
