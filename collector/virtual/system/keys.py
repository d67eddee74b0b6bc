"""Hardware keys: which act on key-down, which on key-up, and long presses."""

from __future__ import annotations

from collector.virtual.system.state import SystemState
from collector.virtual.system.typist import APP_SWITCH, BACK, HOME, POWER, SLEEP, WAKEUP, Typist

_ON_RELEASE = frozenset((BACK, HOME, POWER, APP_SWITCH))
"""The system waits with these, since they may become long."""
_LONG_IS_ANOTHER = frozenset((HOME, POWER))
"""Held long they call an assistant, which this phone has none of, and no longer do what they do when short.
A long BACK is offered to the app, and goes back all the same when it comes up."""
_IN_THE_DARK = frozenset((POWER, SLEEP, WAKEUP))
"""What a phone hears while its screen is off."""

_SPENT = -1
"""In place of a timer: the long press is over, and the release will mean nothing."""


class Keys:
    """The phone's keys by what is down. The phone's lock guards it."""

    def __init__(self, state: SystemState, typist: Typist) -> None:
        self._state = state
        self._typist = typist
        self._held: dict[int, int] = {}
        """Timer of the long press of each key that waits for its release."""

    def press(self, code: int, meta: int) -> None:
        """Down and up at once."""
        if self._state.awake or code in _IN_THE_DARK:
            self._typist.key(code, meta)

    def down(self, code: int, meta: int) -> None:
        """A key goes down, or repeats while it is."""
        if code not in _ON_RELEASE:
            self.press(code, meta)
        elif code not in self._held:
            seconds = int(self._state.settings.get("secure", "long_press_timeout") or 400) / 1000
            self._held[code] = self._state.ticker.after(seconds, lambda: self._long(code))

    def up(self, code: int, meta: int) -> None:
        """A key comes up; one that never went down does nothing."""
        timer = self._held.pop(code, None)
        if timer is not None and timer != _SPENT:
            self._state.ticker.cancel(timer)
            self.press(code, meta)

    def _long(self, code: int) -> None:
        if code in _LONG_IS_ANOTHER:
            # Up does nothing any more; until then it is down, so that repeats do not begin anew.
            self._held[code] = _SPENT
