"""How much the health of a project wants to know before it says something, as ``project.yaml`` has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from collector.model.i18n import _
from collector.store.files.errors import Damaged
from collector.store.files.layout import PROJECT_FILE


@dataclass(frozen=True, slots=True)
class HealthSettings:
    """The thresholds of the health of a project."""

    runs: int = 5
    """So many runs, or pairs of runs, before *none* and *every* are said of them."""
    verdicts: int = 20
    """So many verdicts of a judge beside those of people in each half of the time."""
    short: float = 0.5
    """A success is too short with at most this share of the actions of the shortest golden."""


HEALTH_KEYS = tuple(field.name for field in fields(HealthSettings))
_MOST = 1_000_000


def read_health_settings(value: object) -> HealthSettings:
    """The thresholds of a project's settings; the usual ones for None. Raises Damaged."""
    if value is None:
        return HealthSettings()
    if not isinstance(value, Mapping):
        raise _damaged(_("`health` is not a mapping with `runs`, `verdicts` or `short`"))
    usual = HealthSettings()
    counts = {name: value.get(name, getattr(usual, name)) for name in ("runs", "verdicts")}
    for name, count in counts.items():
        if type(count) is not int or not 1 <= count <= _MOST:
            raise _damaged(_("`{name}` of `health` is not a whole number from 1 on", name=name))
    short = value.get("short", usual.short)
    if isinstance(short, bool) or not isinstance(short, int | float) or not 0 <= short < 1:
        raise _damaged(_("`short` of `health` is not a share from 0 to less than 1"))
    return HealthSettings(counts["runs"], counts["verdicts"], float(short))


def _damaged(why: str) -> Damaged:
    return Damaged(_("The thresholds of health in {name} cannot be read", name=PROJECT_FILE), why)
