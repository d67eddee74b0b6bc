"""Explain one cell of the lane: why the rule did it, the draw, and the events of the injected anomaly."""

from __future__ import annotations

from collections.abc import Sequence

from collector.anomalies.events import (
    ANSWERED,
    CONTINUED,
    DISMISSED,
    FAILED,
    FOLLOWED,
    INJECTED,
    STALLED,
    UNCLEAR,
    UNDONE,
    AnomalyEvent,
)
from collector.anomalies.rehearsal import RehearsalOutcome, RehearsedRule
from collector.anomalies.rehearsal_run import RehearsedState
from collector.model.companion.how_text import how_text
from collector.model.i18n import _
from rule_editor.widgets.matrix.explanation_panel import ExplanationPanel
from studio.bridge.anomalies.rehearsal_pictures import image_of
from studio.views.rules.rehearsal.outcome_appearance import APPEARANCE, probability_text, sentence

_EXPLAINED_BY_CLAUSES = (RehearsalOutcome.NEAR, RehearsalOutcome.SILENT)
"""Outcomes that need no sentence beside the ticked clauses."""


def explain_cell(
    panel: ExplanationPanel,
    state: RehearsedState,
    result: RehearsedRule,
    events: Sequence[AnomalyEvent],
    *,
    waiting: bool,
) -> None:
    """Fill ``panel``; ``waiting`` means that the anomaly is on its way to the phone."""
    icon, tone, outcome = APPEARANCE[result.shown]
    head = _("state {number} · {rule}", number=state.number, rule=result.rule.id)
    panel.show_head(head, state.number, icon, tone, _(outcome))
    if result.shown not in _EXPLAINED_BY_CLAUSES:
        panel.add_line(icon, sentence(result), "err" if result.shown is RehearsalOutcome.FAILED else "text")
    if draw := probability_text(result):
        panel.add_line("dice", draw, "text-2")
    if result.anomaly:
        on_its_way = _("{anomaly}, on its way to the phone", anomaly=result.anomaly)
        panel.add_line("zap", on_its_way if waiting else result.anomaly, "text-2")
    for event in events:
        if line := _event_line(event):
            panel.add_line(*line)
    with_clauses = result.forced or result.shown in (*_EXPLAINED_BY_CLAUSES, RehearsalOutcome.SUPPRESSED)
    if result.proof is not None and with_clauses:
        panel.add_clauses(result.proof, state.view)
    panel.set_image(image_of(state))


def _event_line(event: AnomalyEvent) -> tuple[str, str, str] | None:
    """Return icon, text and tone of an event; None when it needs no line."""
    match event.kind:
        case k if k == INJECTED:
            text = _("The phone is changed") if event.native else _("The dialog is on the phone")
            return "phone", event.reason or text, "text"
        case k if k == ANSWERED:
            answer, button = event.answer or event.event, event.button
            if not button:
                return "tap", _("Answered: {answer}", answer=answer), "text"
            return "tap", _("Answered: {answer}, by {button}", answer=answer, button=button), "text"
        case k if k == DISMISSED:
            how = how_text(event.how)
            text = _("Closed without a button: {how}", how=how) if how else _("Closed without a button")
            return "back", text, "text"
        case k if k == CONTINUED:
            how = event.button or how_text(event.how) or event.answer
            return "refresh", _("It goes on after: {answer}", answer=how), "text"
        case k if k == FOLLOWED:
            done = event.message or event.command
            return "enter", _("What follows: {done}", done=done), "text"
        case k if k == UNDONE:
            return "undo", _("Undone"), "text"
        case k if k in (FAILED, UNCLEAR):
            return "state-warn", event.reason, "warn"
        case k if k == STALLED:
            return None
    return None
