"""Icon, tone and words of each outcome of a rule at a state; every outcome has its own shape."""

from __future__ import annotations

from collector.anomalies.rehearsal import RehearsalOutcome, RehearsedRule
from collector.model.i18n import N_, _

APPEARANCE = {
    RehearsalOutcome.WOULD_FIRE: ("state-would", "accent", N_("would fire")),
    RehearsalOutcome.FIRED: ("state-fire", "accent", N_("fired")),
    RehearsalOutcome.SUPPRESSED: ("state-held", "text-2", N_("held back")),
    RehearsalOutcome.NEAR: ("state-near", "warn", N_("near miss")),
    RehearsalOutcome.SILENT: ("state-todo", "text-2", N_("silent")),
    RehearsalOutcome.FAILED: ("state-err", "err", N_("failed")),
}
"""Icon, tone and words of each outcome."""


def sentence(result: RehearsedRule) -> str:
    """Say what a rule does at a state, and why."""
    why = result.reason
    if result.shown is RehearsalOutcome.WOULD_FIRE and not result.forced:
        return _("Would fire here, because: {why}", why=why)
    if result.shown is RehearsalOutcome.FIRED and not result.forced:
        return _("Fired here, because: {why}", why=why)
    if result.shown is RehearsalOutcome.SUPPRESSED:
        return _("Held back: {why}", why=why)
    if result.shown is RehearsalOutcome.FAILED:
        return _("Not injected: {why}", why=why)
    return why


def probability_text(result: RehearsedRule) -> str:
    """Return ``Draw 0.41 against probability 0.5``; empty when nothing was drawn."""
    if result.draw is None or result.probability is None:
        return ""
    draw = f"{result.draw:.2f}"
    return _(
        "Draw {draw} against probability {probability}", draw=draw, probability=f"{result.probability:g}"
    )
