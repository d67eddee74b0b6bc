"""Mask texts in the lines of steps and events, and in the header: what was done, said and written there."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from collector.model.action import Type, action_from_dict, action_to_dict
from collector.model.trajectory import Target
from collector.store.redaction.secret_text import SecretTexts
from collector.store.trajectory import codec
from collector.store.trajectory.codec import Line
from collector.store.trajectory.reader import read_first_app_data
from collector.store.trajectory.writer import TrajectoryWriter

_NAMES = frozenset(
    (
        "wall_time", "kind", "phase", "by", "control", "person", "end", "status", "verdict", "outcome",
        # Of rules, anomalies and settings.
        "rule", "rules", "silent", "reached", "injection", "injections", "injected", "anomaly", "transition",
        "answer", "how", "event", "package", "id", "semantics", "ends", "reset", "rules_version",
        # Of a stored sentence: the text that it is said by.
        "code", "plural",
    )
)  # fmt: skip
"""Keys whose texts name something, and are not what anybody said: they stay, so that the line can be read."""
_IDS = re.compile(r"(?:resource-id|class|package)='[^']*'")
"""The parts of a selector that an app's program names, and no text of a person."""
_NO_WORDS = ("class", "resource-id", "package")
_REDACTED = action_to_dict(Type(redacted=True))


def masked_line(line: Line, secrets: SecretTexts) -> Line:
    """The line of a step or an event without ``secrets``. Typed text that holds one is dropped whole."""
    masked = {key: _masked_value(key, value, secrets) for key, value in line.items()}
    if masked.get("action") == _REDACTED and line.get("action") != _REDACTED:
        masked["redacted"] = True
    return masked


def _masked_value(key: str, value: Any, secrets: SecretTexts) -> Any:
    match key, value:
        case "action", dict():
            return masked_action(value, secrets)
        case "agent", dict():
            masked = secrets.masked(value)
            predicted = value.get("predicted")
            if isinstance(predicted, dict):
                masked["predicted"] = masked_action(predicted, secrets)
            return masked
        case "target", dict():
            try:
                target = masked_target(codec.target_from_dict(value), secrets)
            except (ValueError, TypeError, AttributeError):
                return secrets.masked(value)
            return codec.target_to_dict(target)
        case "state", {"app_data": data}:
            return {**value, "app_data": secrets.masked(data)}
        case "state", _:
            return value
        case _, dict():
            return {name: _masked_value(name, item, secrets) for name, item in value.items()}
        case _, list() | tuple():
            return type(value)(_masked_value(key, item, secrets) for item in value)
        case _:
            return value if key in _NAMES else secrets.masked(value)


def masked_action(values: Mapping[str, Any], secrets: SecretTexts) -> Mapping[str, Any]:
    """An action as JSON holds it, without ``secrets``; what is no action is masked as it is."""
    try:
        action = action_from_dict(dict(values))
        masked = secrets.masked_action(action)
    except (ValueError, TypeError, AttributeError, OverflowError):
        return secrets.masked(values)
    return values if masked == action or masked is None else action_to_dict(masked)


def masked_target(target: Target, secrets: SecretTexts) -> Target:
    """The target without ``secrets`` in the texts of its node; selectors that name one are left out."""
    return dataclasses.replace(
        target,
        selectors=tuple(one for one in target.selectors if not secrets.finds(_IDS.sub("", one))),
        attributes={
            name: value if name in _NO_WORDS else secrets.masked(value)
            for name, value in target.attributes.items()
        },
    )


def mask_first_app_data(writer: TrajectoryWriter, secrets: SecretTexts) -> None:
    """Mask ``secrets`` in what apps kept when they were read first. Raises StoreError."""
    data = read_first_app_data(writer.folder)
    if data is not None and secrets.masked(dict(data)) != data:
        writer.write_first_app_data(secrets.masked(dict(data)))


def mask_header(writer: TrajectoryWriter, secrets: SecretTexts) -> None:
    """Mask ``secrets`` in the instruction, the outcome and the notes of a trajectory. Raises StoreError."""
    header = writer.header
    outcome = secrets.masked_outcome(header.outcome) if header.outcome is not None else None
    words = {"instruction": header.instruction, "note": header.note, "extra": header.extra}
    changes = {"outcome": outcome, **{name: secrets.masked(value) for name, value in words.items()}}
    if any(getattr(header, name) != value for name, value in changes.items()):
        writer.update_header(**changes)
