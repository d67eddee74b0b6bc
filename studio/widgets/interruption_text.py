"""How an injected anomaly reads: what it was, what was answered, what followed; no Qt."""

from __future__ import annotations

from collector.model.i18n import N_, _
from collector.store.interruptions import Interruption, RecordedFollowUp
from studio.widgets.step_text import format_time

ICON = "zap"
_ANSWER_ICONS = {"accept": "check", "deny": "x", "manage": "gear", "dismiss": "back"}
_ANSWER_WORDS = {
    "accept": N_("accepted"),
    "deny": N_("denied"),
    "manage": N_("managed"),
    "dismiss": N_("closed"),
}


def answer_text(one: Interruption) -> str:
    """What became of a dialog: the button, else the word for it; empty while it is open."""
    if one.gone_ms is None:
        return ""
    if one.unclear:
        return _("not known how")
    word = _ANSWER_WORDS.get(one.answer)
    return one.button or (_(word) if word else one.event or one.answer)


def answer_icon(one: Interruption) -> str:
    """Its shape tells the answer without a colour."""
    return "help" if one.unclear else _ANSWER_ICONS.get(one.answer, "tap")


def facts(one: Interruption) -> list[tuple[str, str]]:
    """Name and value of all that is known of it."""
    rule = _(_ANSWER_WORDS[one.answer]) if one.answer in _ANSWER_WORDS else ""
    answered = " · ".join(dict.fromkeys(filter(None, (answer_text(one), rule))))
    step = _("step {number}", number=one.answered_by + 1) if one.answered_by is not None else ""
    found = [
        (_("Anomaly"), one.anomaly),
        (_("Injected"), format_time(one.injected_ms)),
        (_("Command"), one.command if one.native else ""),
        (_("Answered"), ", ".join(filter(None, (answered, step)))),
        *((_("Followed"), follow_up_text(follow)) for follow in one.follow_ups),
        (_("Undone"), format_time(one.undone_ms) if one.undone_ms is not None else ""),
        *((_("Problem"), problem) for problem in one.problems),
    ]
    return [(name, value) for name, value in found if value]


def follow_up_text(one: RecordedFollowUp) -> str:
    """A follow-up in a line."""
    said = one.message or one.command
    return f"{said}: {one.problem}" if one.problem else said


def tip(one: Interruption) -> str:
    """All facts, a line each."""
    return "\n".join(f"{name}: {value}" for name, value in facts(one))
