"""The data of all apps as one JSON text, made anew only when an app has changed."""

from __future__ import annotations

import hashlib
from typing import Any

from collector.model.app_data.document import dump_app_data
from collector.virtual.system.phone_state.state import SystemState


class AppDataReport:
    """The records of all apps by collection. The phone's lock protects it."""

    def __init__(self, state: SystemState) -> None:
        self._state = state
        self._made_of: tuple[Any, ...] = ()
        self._text, self._digest = "", ""

    def read(self) -> tuple[str, str]:
        """The JSON text and its SHA-256 in hex. Equal data give equal texts."""
        with self._state.lock, self._state.contents.in_use():
            apps = list(self._state.apps.values())
            # States are immutable: the same objects hold the same data.
            states = tuple(self._state.state_of(app) for app in apps)
            if len(states) != len(self._made_of) or any(map(_is_another, states, self._made_of)):
                data = {
                    name: records
                    for app, state in zip(apps, states, strict=True)
                    for name, records in app.data(state).items()
                }
                self._text = dump_app_data(data)
                self._digest = hashlib.sha256(self._text.encode()).hexdigest()
                self._made_of = states
            return self._text, self._digest


def _is_another(first: object, second: object) -> bool:
    return first is not second
