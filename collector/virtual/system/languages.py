"""Locales of single apps."""

from __future__ import annotations

from collector.virtual.system.phone_state.state import SystemState


class AppLanguages:
    """The locale manager. Every method may be called from any thread."""

    def __init__(self, state: SystemState) -> None:
        self._state = state

    def of(self, package: str) -> str:
        """The locales of a package, as ``ja-JP,en-US``; empty when it follows the phone's language."""
        with self._state.lock:
            return self._state.locales.get(package, "")

    def give(self, package: str, locale: str) -> bool:
        """Set the locales of a package; an empty text means the phone's. False for an unknown package."""
        with self._state.lock:
            state, app = self._state, self._state.apps.get(package)
            if app is None:
                return False
            if locale:
                state.locales[package] = locale
            else:
                state.locales.pop(package, None)
            if package in state.states:
                spoken = state.locale_of(package)
                with state.contents.in_use():
                    state.states[package] = app.in_language(state.states[package], spoken)
            state.touch()
            return True
