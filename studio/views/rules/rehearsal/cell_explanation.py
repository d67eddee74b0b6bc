"""One cell of the lane in words: why, by what chance, and what became of the anomaly as it happens."""

from __future__ import annotations

from collections.abc import Sequence

from collector.anomalies.events import (
    ANSWERED,
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
from collector.model.i18n import _
from rule_editor.widgets.matrix.explanation_panel import ExplanationPanel
from studio.bridge.rehearsal_pictures import image_of
from studio.views.rules.rehearsal.outcome_appearance import APPEARANCE, chance, sentence

_IN_CLAUSES = (RehearsalOutcome.NEAR, RehearsalOutcome.SILENT)
"""Of these the clauses with their ticks say it all."""


def tell(
    panel: ExplanationPanel,
    moment: RehearsedState,
    one: RehearsedRule,
    events: Sequence[AnomalyEvent],
    *,
    waiting: bool,
) -> None:
    """Fill ``panel``; ``waiting`` while the anomaly is on its way to the phone."""
    icon, tone, does = APPEARANCE[one.shown]
    head = _("state {number} · {rule}", number=moment.number, rule=one.rule.id)
    panel.show_head(head, moment.number, icon, tone, _(does))
    if one.shown not in _IN_CLAUSES:
        panel.add_line(icon, sentence(one), "err" if one.shown is RehearsalOutcome.FAILED else "text")
    if drawn := chance(one):
        panel.add_line("dice", drawn, "text-2")
    if one.anomaly:
        panel.add_line("zap", _on_its_way(one.anomaly) if waiting else one.anomaly, "text-2")
    for event in events:
        if line := _told(event):
            panel.add_line(*line)
    explained = one.forced or one.shown in (*_IN_CLAUSES, RehearsalOutcome.SUPPRESSED)
    if one.proof is not None and explained:
        panel.add_clauses(one.proof, moment.view)
    panel.set_image(image_of(moment))


def _on_its_way(anomaly: str) -> str:
    return _("{anomaly}, on its way to the phone", anomaly=anomaly)


def _told(event: AnomalyEvent) -> tuple[str, str, str] | None:
    """Icon, words and tone; None for what needs no line."""
    match event.kind:
        case k if k == INJECTED:
            words = _("The phone is changed") if event.native else _("The dialog is on the phone")
            return "phone", event.reason or words, "text"
        case k if k == ANSWERED:
            answer, button = event.answer or event.event, event.button
            if not button:
                return "tap", _("Answered: {answer}", answer=answer), "text"
            return "tap", _("Answered: {answer}, by {button}", answer=answer, button=button), "text"
        case k if k == DISMISSED:
            return "back", _("Closed without a button"), "text"
        case k if k == FOLLOWED:
            done = event.message or event.command
            return "enter", _("What follows: {done}", done=done), "text"
        case k if k == UNDONE:
            return "undo", _("Taken back"), "text"
        case k if k in (FAILED, UNCLEAR):
            return "state-warn", event.reason, "warn"
        case k if k == STALLED:
            return None
    return None
