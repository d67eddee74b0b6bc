"""What the results of a check mean for each workspace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from collector.device_check.result_names import ability_name
from collector.device_check.results import Ability, CheckStepResult, DeviceCheckResults, WorkspaceVerdict
from collector.model.i18n import _, ngettext

_ANOMALIES = "anomalies"
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
    verdicts = []
    for workspace, need in _NEEDS.items():
        missing = [group for group in need.groups if not _has(results, group)]
        known = [group for group in missing if _is_known(results, group)]
        if len(missing) > len(known):
            continue  # a step that was left out tells nothing
        limits = tuple(_limits(results, need.limits, {each for group in missing for each in group}))
        verdicts.append(WorkspaceVerdict(workspace, not missing, limits))
    return tuple(verdicts)


def _limits(results: DeviceCheckResults, beginnings: tuple[str, ...], missing: set[str]) -> Iterator[str]:
    """What limits a workspace, a line for each step: a verdict is read in seconds, the steps say the rest.

    First come the steps that tried what it needs and is ``missing``.
    """

    def is_optional(step: CheckStepResult) -> bool:
        return not any(each.id in missing for each in step.abilities)

    for step in sorted(results.steps, key=is_optional):
        lacking = [each for each in step.abilities if not each.works and each.id.startswith(beginnings)]
        if lacking and step.step == _ANOMALIES:
            ids = ", ".join(each.id.partition(".")[2] for each in lacking)
            yield ngettext(
                "{count} anomaly cannot be injected: {ids}", "{count} anomalies cannot be injected: {ids}",
                len(lacking), ids=ids,
            )  # fmt: skip
        elif len(lacking) > 1:
            names = ", ".join(ability_name(each.id) for each in lacking)
            yield _("{names}: {why}", names=names, why=lacking[0].reason)
        elif lacking:
            yield lacking[0].reason


def _has(results: DeviceCheckResults, group: tuple[str, ...]) -> bool:
    return any(found.works for found in _found(results, group))


def _is_known(results: DeviceCheckResults, group: tuple[str, ...]) -> bool:
    """Whether a group was tried at all, so that its lack means something."""
    return any(True for _found_one in _found(results, group))


def _found(results: DeviceCheckResults, group: tuple[str, ...]) -> Iterator[Ability]:
    for ability_id in group:
        if (ability := results.ability(ability_id)) is not None:
            yield ability
