"""What can be made wrong with the link on purpose: silence, a missing permission, a dropped cable."""

from __future__ import annotations

import threading
from collections.abc import Callable

from collector.model.listeners import Listeners


class Faults:
    """Switches of one daemon; set from any thread, at any time.

    ``silent`` answers no handshake, which adb shows as *offline*. While ``authorized`` is
    False the phone waits for a person to accept the computer's key (*unauthorized*); setting
    it to True accepts it on the very connections that wait.
    """

    def __init__(self, *, silent: bool = False, authorized: bool = True) -> None:
        self.silent = silent
        self._authorized = authorized
        self._lock = threading.Lock()
        self._accepted: Listeners[None] = Listeners()
        self._dropped: Listeners[None] = Listeners()

    @property
    def authorized(self) -> bool:
        return self._authorized

    @authorized.setter
    def authorized(self, value: bool) -> None:
        with self._lock:
            self._authorized = value
        if value:
            self._accepted.tell(None)

    def when_authorized(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback`` once the computer is accepted; the returned callable gives up waiting."""
        with self._lock:
            if not self._authorized:
                return self._accepted.add(lambda _event: callback())
        callback()
        return lambda: None

    def drop(self) -> None:
        """Cut every connection, as a loose cable does; clients may come back."""
        self._dropped.tell(None)

    def on_drop(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback`` when the cable is loose; the returned callable unsubscribes."""
        return self._dropped.add(lambda _event: callback())
