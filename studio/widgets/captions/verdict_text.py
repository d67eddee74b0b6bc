"""Icon and tone of an outcome or a verdict: a shape beside the colour. No Qt."""

from __future__ import annotations

from collector.hierarchy.captions import caption
from collector.model.action import action_from_dict
from collector.model.i18n import _
from collector.model.verdicts.judgement import (
    FAILURE,
    MISSED,
    MODEL,
    PERSON,
    REACHED,
    RIGHT,
    RULE,
    STEP_ERRORS,
    SUCCESS,
    UNCOMPLETED,
    Judgement,
)

_ICONS = {
    SUCCESS: "state-ok",
    REACHED: "state-ok",
    FAILURE: "state-err",
    MISSED: "state-err",
    UNCOMPLETED: "state-unc",
    RIGHT: "state-ok",
    **dict.fromkeys(STEP_ERRORS, "state-err"),
}
_TONES = {
    SUCCESS: "ok", REACHED: "ok", FAILURE: "err", MISSED: "err", UNCOMPLETED: "warn", RIGHT: "ok",
    **dict.fromkeys(STEP_ERRORS, "err"),
}  # fmt: skip
_JUDGES = {RULE: "rules", MODEL: "cpu", PERSON: "user"}


def verdict_icon(verdict: str) -> str:
    """Name of the icon of an outcome or a verdict; a ring where nobody judged or could judge."""
    return _ICONS.get(verdict, "state-todo")


def verdict_tone(verdict: str) -> str:
    """Tone of an outcome or a verdict: ok, err, warn, or empty."""
    return _TONES.get(verdict, "")


def judge_icon(kind: str) -> str:
    """Name of the icon of a kind of judge."""
    return _JUDGES.get(kind, "help")


def better_text(judgement: Judgement) -> str:
    """What a person says that would have been right instead of a step; empty when nobody said it."""
    if not judgement.better:
        return ""
    try:
        action = caption(action_from_dict(dict(judgement.better)))
    except (ValueError, TypeError, KeyError):  # of a later version
        action = str(dict(judgement.better))
    return _("Right would have been: {action}", action=action)
