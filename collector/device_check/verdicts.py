"""What the results of a check mean for each workspace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from collector.device_check.results import Ability, DeviceCheckResults, WorkspaceVerdict

PICTURES = ("pictures.scrcpy", "pictures.screenrecord", "pictures.screencap")
TREES = ("trees.uiautomator2", "trees.uiautomator")
TAPS = ("input.tap",)


@dataclass(frozen=True, slots=True)
class _Need:
    """What a workspace needs: one of each group; and the abilities whose lack limits it."""

    groups: tuple[tuple[str, ...], ...]
    limits: tuple[str, ...]
    """Beginnings of ids."""


_NEEDS = {
    "record": _Need((PICTURES, TREES, TAPS), ("pictures", "trees", "input", "text", "touches", "secure")),
    "rules": _Need((PICTURES, TREES), ("anomalies", "trees", "broadcasts")),
    "states": _Need((PICTURES, TREES), ("trees", "secure")),
    "run": _Need(
        (PICTURES, TREES, TAPS),
        (
            "pictures",
            "trees",
            "input",
            "text",
            "anomalies",
            "permissions",
            "reset",
            "appearance",
            "lock",
            "clock",
        ),
    ),
    "review": _Need((PICTURES,), ("pictures", "secure")),
}


def workspace_verdicts(results: DeviceCheckResults) -> tuple[WorkspaceVerdict, ...]:
    """The verdict for each workspace for which something was tried."""
    tried = [ability for step in results.steps for ability in step.abilities]
    verdicts = []
    for workspace, need in _NEEDS.items():
        missing = [group for group in need.groups if not _has(results, group)]
        known = [group for group in missing if _is_known(results, group)]
        if len(missing) > len(known):
            continue  # a step that was left out tells nothing
        limits = tuple(
            ability.reason
            for ability in tried
            if not ability.works and ability.id.startswith(need.limits) and ability.reason
        )
        verdicts.append(WorkspaceVerdict(workspace, not missing, tuple(dict.fromkeys(limits))))
    return tuple(verdicts)


def _has(results: DeviceCheckResults, group: tuple[str, ...]) -> bool:
    return any(found.works for found in _found(results, group))


def _is_known(results: DeviceCheckResults, group: tuple[str, ...]) -> bool:
    """Whether a group was tried at all, so that its lack means something."""
    return any(True for _found_one in _found(results, group))


def _found(results: DeviceCheckResults, group: tuple[str, ...]) -> Iterator[Ability]:
    for ability_id in group:
        if (ability := results.ability(ability_id)) is not None:
            yield ability
