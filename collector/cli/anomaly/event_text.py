"""The events of an injection as lines for people."""

from __future__ import annotations

from collector.anomalies import events as kinds
from collector.anomalies.events import AnomalyEvent
from collector.model.companion.how_text import how_text
from collector.model.i18n import _


def event_line(event: AnomalyEvent) -> str:
    """One transition, with what belongs to it."""
    match event.kind:
        case kinds.INJECTED:
            line = _(
                "{anomaly} is injected: {what}", anomaly=event.anomaly, what=event.command or event.reason
            )
        case kinds.ANSWERED:
            pressed = f"{event.button or event.event} [{event.event}]"
            line = _("answered: {answer}, by {button}", answer=event.answer or "-", button=pressed)
        case kinds.DISMISSED:
            line = how_text(event.how) or _("dismissed without an answer")
        case kinds.CONTINUED:
            how = how_text(event.how) or event.button or event.event or event.answer
            line = _("{how}, and more is to come", how=how)
        case kinds.FOLLOWED:
            line = _("follow-up: {what}", what=event.command or event.message)
        case kinds.UNDONE:
            line = _("{anomaly} is undone", anomaly=event.anomaly)
        case kinds.FAILED:
            line = _("failed: {why}", why=event.reason)
        case _other:
            line = event.reason
    return line
