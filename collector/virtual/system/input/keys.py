"""Hardware keys: which act on key-down, which on key-up, and long presses."""

from __future__ import annotations

from collector.virtual.system.input.typist import APP_SWITCH, BACK, HOME, POWER, SLEEP, WAKEUP, Typist
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.phone_state.volumes import VOLUME_DOWN, VOLUME_UP, VolumeKeys

_ON_RELEASE = frozenset((BACK, HOME, POWER, APP_SWITCH))
"""Keys that act on release, because a long press has another meaning."""
_LONG_PRESS_CANCELS = frozenset((HOME, POWER))
"""A long press of these opens an assistant, which this phone does not have, and cancels the short action. A
long BACK is offered to the app, and still goes back on release."""
_WORK_WHILE_OFF = frozenset((POWER, SLEEP, WAKEUP))
"""Keys that work while the screen is off."""

_LONG_PRESS_DONE = -1
"""Stored instead of a timer after a long press: the release then does nothing."""


class Keys:
    """Track pressed hardware keys. The phone's lock protects it."""

    def __init__(self, state: SystemState, typist: Typist) -> None:
        self._state = state
        self._typist = typist
        self._volume = VolumeKeys(state.settings, state.ticker)
        self._release_timers: dict[int, int] = {}
        """Timer of the long press for each key that waits for its release."""
        self._taken: set[int] = set()
        """Keys that are down and went to the screen in front: it gets none of their repeats."""

    def press(self, code: int, meta: int) -> None:
        """Press and release at once."""
        if self._state.awake or code in _WORK_WHILE_OFF:
            if code in (VOLUME_UP, VOLUME_DOWN):
                self._volume.press(code)
            self._typist.key(code, meta)

    def down(self, code: int, meta: int) -> None:
        """Press a key, or repeat it while pressed."""
        if code not in _ON_RELEASE:
            if code in self._taken:
                return
            if self._typist.is_wanted(code):
                self._taken.add(code)
            self.press(code, meta)
        elif code not in self._release_timers:
            seconds = int(self._state.settings.get("secure", "long_press_timeout") or 400) / 1000
            self._release_timers[code] = self._state.ticker.after(seconds, lambda: self._long(code))

    def up(self, code: int, meta: int) -> None:
        """Release a key; ignore one that is not pressed."""
        self._taken.discard(code)
        timer = self._release_timers.pop(code, None)
        if timer is not None and timer != _LONG_PRESS_DONE:
            self._state.ticker.cancel(timer)
            self.press(code, meta)

    def cancel(self, code: int) -> None:
        """Forget that a key is pressed, without what its release would do."""
        self._taken.discard(code)
        timer = self._release_timers.pop(code, None)
        if timer is not None and timer != _LONG_PRESS_DONE:
            self._state.ticker.cancel(timer)

    def _long(self, code: int) -> None:
        if code in _LONG_PRESS_CANCELS:
            # The release does nothing now, but the key stays pressed so that repeats do not start anew.
            self._release_timers[code] = _LONG_PRESS_DONE
            if self._typist.is_wanted(code):  # a recorded screen tells no long press from a short one
                self.press(code, 0)
