"""Texts about an injected anomaly: its answer, its follow-ups, its tooltip. No Qt."""

from __future__ import annotations

from collector.model.companion.how_text import how_text
from collector.model.i18n import N_, _
from collector.store.trajectory.interruptions import Interruption, RecordedFollowUp
from studio.widgets.captions.step_text import format_time

ICON = "zap"
_ANSWER_ICONS = {"accept": "check", "deny": "x", "manage": "gear", "dismiss": "back"}
_ANSWER_WORDS = {
    "accept": N_("accepted"),
    "deny": N_("denied"),
    "manage": N_("managed"),
    "dismiss": N_("closed"),
}


def answer_text(interruption: Interruption) -> str:
    """How a dialog was answered: its button or a word for the answer; empty while it is open."""
    if interruption.gone_ms is None:
        return ""
    if interruption.unclear:
        return _("not known how")
    if how := how_text(interruption.how):
        return how
    word = _ANSWER_WORDS.get(interruption.answer)
    return interruption.button or (_(word) if word else interruption.event or interruption.answer)


def answer_icon(interruption: Interruption) -> str:
    """Name of an icon whose shape tells the answer without colour."""
    return "help" if interruption.unclear else _ANSWER_ICONS.get(interruption.answer, "tap")


def interruption_facts(interruption: Interruption) -> list[tuple[str, str]]:
    """Name and value of everything known about the anomaly."""
    known = interruption.answer in _ANSWER_WORDS and not how_text(interruption.how)
    rule = _(_ANSWER_WORDS[interruption.answer]) if known else ""
    answered = " · ".join(dict.fromkeys(filter(None, (answer_text(interruption), rule))))
    step = (
        _("step {number}", number=interruption.answered_by + 1)
        if interruption.answered_by is not None
        else ""
    )
    facts = [
        (_("Anomaly"), interruption.anomaly),
        (_("Injected"), format_time(interruption.injected_ms)),
        (_("Command"), interruption.command if interruption.native else ""),
        (_("Answered before"), ", ".join(earlier_answers(interruption))),
        (_("Answered"), ", ".join(filter(None, (answered, step)))),
        (_("Given"), interruption.given),
        *((_("Followed"), follow_up_text(follow_up)) for follow_up in interruption.follow_ups),
        (_("Undone"), format_time(interruption.undone_ms) if interruption.undone_ms is not None else ""),
        *((_("Problem"), problem) for problem in interruption.problems),
    ]
    return [(name, value) for name, value in facts if value]


def earlier_answers(interruption: Interruption) -> list[str]:
    """The answers before the last one, of a dialog that came back and of a chain."""
    words = (_ANSWER_WORDS.get(answer, answer) for answer in interruption.earlier)
    return [_(word) if word in _ANSWER_WORDS.values() else word for word in words]


def follow_up_text(follow_up: RecordedFollowUp) -> str:
    """A follow-up on one line."""
    text = follow_up.message or follow_up.command
    return f"{text}: {follow_up.problem}" if follow_up.problem else text


def interruption_tooltip(interruption: Interruption) -> str:
    """All facts, one per line."""
    return "\n".join(f"{name}: {value}" for name, value in interruption_facts(interruption))
