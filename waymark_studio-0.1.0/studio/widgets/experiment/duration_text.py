"""Durations as an experiment shows them."""

from __future__ import annotations

from collector.model.i18n import _


def duration_text(seconds: float) -> str:
    """A duration in one or two units, as in ``1 h 42 min``."""
    whole = max(0, round(seconds))
    if whole < 60:
        return _("{count} s", count=whole)
    minutes = round(whole / 60)
    if minutes < 60:
        return _("{count} min", count=minutes)
    hours, minutes = divmod(minutes, 60)
    if hours >= 48:
        return _("{days} d {hours} h", days=hours // 24, hours=hours % 24)
    return _("{hours} h {minutes} min", hours=hours, minutes=minutes)


def pace_text(seconds: float) -> str:
    """Seconds of a step, with a digit behind the point while there are few."""
    return f"{seconds:.1f}" if seconds < 100 else f"{seconds:.0f}"
