"""Times relative to now, as lists show them: ``now``, ``12 min``, ``2 h``, ``yesterday``, ``Tue``. No Qt."""

from __future__ import annotations

from datetime import datetime, timedelta

from collector.model.i18n import N_, _
from collector.model.text.local_time import local_time

_DAYS = (N_("Mon"), N_("Tue"), N_("Wed"), N_("Thu"), N_("Fri"), N_("Sat"), N_("Sun"))


def relative_time(text: str, now: datetime | None = None) -> str:
    """Return a short text for a time in ISO 8601; empty when it cannot be parsed."""
    try:
        then = datetime.fromisoformat(text)
    except ValueError:
        return ""
    then = local_time(then)
    now = local_time(now or datetime.now())
    past = now - then
    days = (now.date() - then.date()).days
    if past < timedelta(minutes=1):
        return _("now")
    if past < timedelta(hours=1):
        return _("{count} min", count=int(past.total_seconds() // 60))
    if days == 0:
        return _("{count} h", count=int(past.total_seconds() // 3600))
    if days == 1:
        return _("yesterday")
    if days < 7:
        return _(_DAYS[then.weekday()])
    return then.date().isoformat()
