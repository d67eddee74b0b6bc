"""Icon and tone of an outcome or a verdict: a shape beside the colour. No Qt."""

from __future__ import annotations

from collector.model.verdicts.judgement import (
    FAILURE,
    MISSED,
    MODEL,
    PERSON,
    REACHED,
    RULE,
    SUCCESS,
    UNCOMPLETED,
)

_ICONS = {
    SUCCESS: "state-ok",
    REACHED: "state-ok",
    FAILURE: "state-err",
    MISSED: "state-err",
    UNCOMPLETED: "state-unc",
}
_TONES = {SUCCESS: "ok", REACHED: "ok", FAILURE: "err", MISSED: "err", UNCOMPLETED: "warn"}
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
