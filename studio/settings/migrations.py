"""Upgrades of the settings file: one function a version, applied in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Values = dict[str, Any]
VERSION = 2


def _flat_names(old: Values) -> Values:
    """Version 1 wrote ``theme`` and ``language`` without their group."""
    renamed = {"theme": "look.theme", "language": "look.language", "scale": "look.scale"}
    return {renamed.get(key, key): value for key, value in old.items()}


_STEPS: dict[int, Callable[[Values], Values]] = {1: _flat_names}


def upgrade(values: Values, version: int) -> Values:
    """Values as the current version names them; ``version`` is at most VERSION."""
    for number in range(version, VERSION):
        values = _STEPS[number](values)
    return values
