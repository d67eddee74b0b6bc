"""How each thing a rule can do at a state looks and is called; every mark has a shape of its own."""

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
"""Icon, tone and words."""


def sentence(one: RehearsedRule) -> str:
    """What a rule does at a state, and because of what."""
    why = one.reason
    if one.shown is RehearsalOutcome.WOULD_FIRE and not one.forced:
        return _("Would fire here, because: {why}", why=why)
    if one.shown is RehearsalOutcome.FIRED and not one.forced:
        return _("Fired here, because: {why}", why=why)
    if one.shown is RehearsalOutcome.SUPPRESSED:
        return _("Held back: {why}", why=why)
    if one.shown is RehearsalOutcome.FAILED:
        return _("Not injected: {why}", why=why)
    return why


def chance(one: RehearsedRule) -> str:
    """``Draw 0.41 against probability 0.5``; empty where nothing was drawn."""
    if one.draw is None or one.probability is None:
        return ""
    draw = f"{one.draw:.2f}"
    return _("Draw {draw} against probability {probability}", draw=draw, probability=f"{one.probability:g}")
