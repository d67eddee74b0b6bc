"""Mask texts in the events of a run: in what agents and people said, and never in names."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

from collector.run.events import RunEvent
from collector.store.redaction.line_masking import masked_action
from collector.store.redaction.secret_text import SecretTexts

_SAID = ("thought", "caption", "reason", "answer", "infrastructure", "problem", "instruction", "question")
_ACTION = "action"
_Event = TypeVar("_Event", bound=RunEvent)


def masked_event(event: _Event, secrets: SecretTexts) -> _Event:
    """The event without ``secrets``; the same when it has none."""
    names = {item.name for item in dataclasses.fields(event)}.intersection((*_SAID, _ACTION))
    if not secrets or not names:
        return event
    values = {name: getattr(event, name) for name in names}
    masked = masked_values(values, secrets)
    return event if masked == values else dataclasses.replace(event, **masked)


def masked_values(values: Mapping[str, Any], secrets: SecretTexts) -> dict[str, Any]:
    """The values of an event, or of its line, without ``secrets``."""
    return {name: _masked(name, value, secrets) for name, value in values.items()}


def _masked(name: str, value: Any, secrets: SecretTexts) -> Any:
    if name == _ACTION and isinstance(value, Mapping):
        return masked_action(value, secrets)
    return secrets.masked(value) if name in _SAID else value
