"""What apps show for a while or want to be told later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.ui.app import App
from collector.virtual.ui.effects import AtTime, Later, ShowSnackbar
from collector.virtual.ui.events import Event

_SNACKBAR_SECONDS = 4.0
_DAY_SECONDS = 86_400.0


class AppTimers:
    """Toasts, messages at the bottom, and events that apps asked for. The phone's lock protects it."""

    def __init__(self, state: SystemState, send: Callable[[App[Any], Event], None]) -> None:
        self._state, self._send = state, send
        self._toast_timer: int | None = None
        self._snackbar_timers: dict[str, int] = {}
        self._later_timers: list[tuple[str, int]] = []
        """Package and number of each."""

    def show_toast(self, text: str, seconds: float = 2.5) -> None:
        state = self._state
        state.ticker.cancel(self._toast_timer)
        state.toast = text
        state.toasted.emit(text)

        def hide() -> None:
            state.toast = ""
            state.touch()

        self._toast_timer = state.ticker.after(seconds, hide)

    def show_snackbar(self, app: App[Any], effect: ShowSnackbar) -> None:
        state = self._state
        state.ticker.cancel(self._snackbar_timers.get(app.package))
        state.snackbars[app.package] = (effect.text, effect.action, effect.on_action)

        def hide() -> None:
            state.snackbars.pop(app.package, None)
            state.touch()

        self._snackbar_timers[app.package] = state.ticker.after(_SNACKBAR_SECONDS, hide)

    def later(self, app: App[Any], effect: Later) -> None:
        number = self._state.ticker.after(effect.seconds, lambda: self._send(app, effect.event))
        self._later_timers.append((app.package, number))

    def at_time(self, app: App[Any], effect: AtTime) -> None:
        now = self._state.clock.now
        at = now.replace(hour=effect.hour, minute=effect.minute, second=0, microsecond=0)
        wait = (at - now).total_seconds()
        self.later(app, Later(wait if wait > 0 else wait + _DAY_SECONDS, effect.event))

    def drop(self, package: str = "") -> None:
        """Forget the events that apps, or one app, asked for later: their state does not know of them."""
        for owner, number in self._later_timers:
            if package in ("", owner):
                self._state.ticker.cancel(number)
        self._later_timers = [timer for timer in self._later_timers if package not in ("", timer[0])]
