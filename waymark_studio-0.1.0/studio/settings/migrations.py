"""Upgrades of the settings file: one function per version, applied in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Values = dict[str, Any]
VERSION = 5

_KEYS_RENAMED_IN_3 = {
    "look.theme": "appearance.theme",
    "look.language": "appearance.language",
    "look.scale": "appearance.scale",
    "look.motion": "appearance.motion",
    "recording.by-hand": "recording.on-device-input",
    "keys.own": "shortcuts.custom",
    "inject.recent": "anomalies.recent",
    "device.addresses": "device.recent-addresses",
    "window.places": "window.layout",
    "window.reopen": "window.reopen-project",
    "window.recent": "window.recent-projects",
}
COMMANDS_RENAMED_IN_3 = {
    "project.distrust": "project.revoke-trust",
    "help.keys": "help.shortcuts",
    "record.take-task": "record.next-task",
    "record.show-trajectory": "record.open-trajectory",
    "step.keep-from": "step.delete-before",
    "step.keep-to": "step.delete-after",
    "step.live": "mirror.go-live",
    "mirror.mode": "mirror.toggle-inspect",
    "rules.live": "rules.toggle-live",
    "rules.view": "rules.switch-editor",
    "rules.condition": "rules.add-condition",
    "rules.semantics": "rules.switch-semantics",
    "rules.rehearse-dry": "rules.rehearse-dry-run",
    "rules.rehearse-force": "rules.rehearse-fire-now",
    "anomaly.add": "anomaly.new",
    "anomaly.buttons": "anomaly.toggle-buttons",
    "anomaly.form": "anomaly.add-button-form",
    "anomaly.language": "anomaly.add-language",
    "anomaly.dark": "anomaly.toggle-dark",
}
COMMANDS_RENAMED_IN_4 = {
    "record.undo": "edit.undo",
    "record.redo": "edit.redo",
    "rules.undo": "edit.undo",
    "rules.redo": "edit.redo",
}
MOVED_TO_REVIEW = {
    "record.judge-success": "review.judge-success",
    "record.judge-failure": "review.judge-failure",
    "record.judge-uncompleted": "review.judge-uncompleted",
    "record.judge-reason": "review.write-reason",
}
"""Commands of the version that showed runs in Record."""


def _add_groups(values: Values) -> Values:
    """Version 1 wrote ``theme``, ``language`` and ``scale`` without their group."""
    return _rename(values, {key: f"look.{key}" for key in ("theme", "language", "scale")})


def _rename_keys_and_commands(values: Values) -> Values:
    """Version 2 used other setting keys, and other command ids in the custom shortcuts."""
    values = _rename(values, _KEYS_RENAMED_IN_3)
    shortcuts = values.get("shortcuts.custom")
    if isinstance(shortcuts, dict):
        values["shortcuts.custom"] = _rename(shortcuts, COMMANDS_RENAMED_IN_3)
    return values


def _join_undo_commands(values: Values) -> Values:
    """Version 3 had an undo and a redo for each workspace; keys of the general ones are kept."""
    shortcuts = values.get("shortcuts.custom")
    if isinstance(shortcuts, dict):
        values["shortcuts.custom"] = _rename(shortcuts, COMMANDS_RENAMED_IN_4) | {
            command: keys for command, keys in shortcuts.items() if command not in COMMANDS_RENAMED_IN_4
        }
    return values


def _autosave_in_ms(values: Values) -> Values:
    """Version 4 counted the delay of autosave in seconds."""
    seconds = values.pop("recording.autosave-s", None)
    if isinstance(seconds, int):
        values["recording.autosave-ms"] = seconds * 1000
    return values


def _rename(values: Values, renamed: dict[str, str]) -> Values:
    return {renamed.get(key, key): value for key, value in values.items()}


_UPGRADES: dict[int, Callable[[Values], Values]] = {
    1: _add_groups,
    2: _rename_keys_and_commands,
    3: _join_undo_commands,
    4: _autosave_in_ms,
}


def upgrade(values: Values, version: int) -> Values:
    """Return the values under the keys of the current version; ``version`` is at most VERSION."""
    for number in range(version, VERSION):
        values = _UPGRADES[number](values)
    return values
