"""The screens of open activities, each rebuilt only when its state or context changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from collector.model.variation.noise import NO_NOISE
from collector.virtual.noise.disturbed_screen import ScreenNoise
from collector.virtual.system.phone_state.activities import ActivityRecord
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context


class _CachedView(NamedTuple):
    """A view and the inputs it was created from."""

    state: Any
    context: Any
    noise: int
    """Version of the noise."""
    screen: w.Screen


class ActivityViews:
    """What each open activity shows. The phone's lock protects it."""

    def __init__(self, state: SystemState) -> None:
        self._state = state
        self._views: dict[int, _CachedView] = {}

    def screen_of(self, record: ActivityRecord) -> w.Screen:
        """The screen of an open activity; that of a stopped app stays as it is."""
        cached = self._views.get(record.number)
        if cached is not None and record.app.package in self._state.stopped:
            return cached.screen
        state, context = self._state.state_of(record.app), self._state.context(record)
        noise = self._state.noise.version
        if cached is None or cached.state is not state or cached.context != context or cached.noise != noise:
            with self._state.contents.in_use():
                screen = self._disturbed(record, context, record.app.view(state, context))
            cached = _CachedView(state, context, noise, screen)
            self._views[record.number] = cached
        return cached.screen

    def keep(self, records: Iterable[ActivityRecord]) -> None:
        """Forget the screens of all other activities."""
        open_numbers = {record.number for record in records}
        self._views = {number: view for number, view in self._views.items() if number in open_numbers}

    def _disturbed(self, record: ActivityRecord, context: Context, screen: w.Screen) -> w.Screen:
        """A screen with the noise that the variation puts on it."""
        state, app = self._state, record.app
        noise = state.profile.variation.noise_of(app.name)
        if noise == NO_NOISE or app.system:
            return screen
        return ScreenNoise(
            noise, state.profile.seed, app.name, app.package, context.activity, context.locale, state.noise
        ).disturbed(screen)
