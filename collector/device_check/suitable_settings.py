"""The settings of the studio that suit a phone, by what a check found."""

from __future__ import annotations

from collections.abc import Sequence

from collector.device_check.results import DeviceCheckResults

_LEAST_SETTLE_MS, _MOST_SETTLE_MS = 400, 3000
_SPARE = 1.5
"""How much longer than measured is waited."""


def suitable_settings(results: DeviceCheckResults) -> dict[str, str]:
    """By a session's words: ``frame-source``, ``tree-source``, ``settle-ms``; what is unknown is absent."""
    settings = {}
    for key, prefix, known in (
        ("frame-source", "pictures", ("scrcpy", "screenrecord", "screencap")),
        ("tree-source", "trees", ("uiautomator2", "uiautomator")),
    ):
        if best := _best(results, [f"{prefix}.{name}" for name in known]):
            settings[key] = best.removeprefix(f"{prefix}.")
    settled = results.measured("settle")
    if isinstance(settled, (int, float)):
        wanted = min(max(round(settled * _SPARE), _LEAST_SETTLE_MS), _MOST_SETTLE_MS)
        settings["settle-ms"] = str(wanted)
    return settings


def _best(results: DeviceCheckResults, ids: Sequence[str]) -> str:
    """The first ability that works; empty when a better one was not tried."""
    for ability_id in ids:
        ability = results.ability(ability_id)
        if ability is None:
            return ""
        if ability.works:
            return ability_id
    return ""
