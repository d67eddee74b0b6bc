"""What judging by a model takes at most, in words."""

from __future__ import annotations

from collector.model.i18n import _, ngettext


def judging_cost_parts(trajectories: int, calls: int, kept: int, usd: float | None) -> list[str]:
    """Trajectories, questions, USD (None without prices), and the questions that are answered already."""
    parts = [
        ngettext("one trajectory", "{count} trajectories", trajectories),
        ngettext("at most one question", "at most {count} questions", calls),
    ]
    if calls:
        parts.append(_("about {usd} USD", usd=f"{usd:.4f}") if usd is not None else _("no price is known"))
    if kept:
        parts.append(ngettext("one is answered already", "{count} are answered already", kept))
    return parts
