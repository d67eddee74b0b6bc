"""The lock screen as services and the shell use it, safe from any thread."""

from __future__ import annotations

from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.lock.locked_view import submit_credential
from collector.virtual.system.phone_state.keyguard import CredentialKind
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.windows.lock_views import ASK, DELETE, ENTER, KEY, TRACE, TYPED
from collector.virtual.ui.events import Event, Trace


class LockScreen:
    """Every method may be called from any thread."""

    def __init__(self, state: SystemState, manager: ActivityManager) -> None:
        self._state = state
        manager.system["keyguard"] = self._touched

    @property
    def showing(self) -> bool:
        with self._state.lock:
            return self._state.keyguard.showing

    @property
    def asking(self) -> bool:
        """Whether the credential is asked for."""
        with self._state.lock:
            return self._state.keyguard.asking

    @property
    def secure(self) -> bool:
        """Whether a credential unlocks the phone."""
        with self._state.lock:
            return self._state.keyguard.secure

    @property
    def locked(self) -> bool:
        """Whether the phone waits for its credential."""
        with self._state.lock:
            return self._state.keyguard.locked

    @property
    def disabled(self) -> bool:
        """Whether the phone opens without a lock screen."""
        with self._state.lock:
            return not self._state.keyguard.enabled

    def disable(self, disabled: bool) -> None:
        """Choose between no lock screen and one to swipe away; a credential comes before it."""
        with self._state.lock:
            self._state.keyguard.disabled = disabled

    def set_credential(self, kind: CredentialKind, secret: str = "") -> None:
        """Set a PIN, a password or a pattern, or remove it with ``none``."""
        with self._state.lock:
            self._state.keyguard.set(kind, secret)
            self._state.touch()

    def check(self, secret: str) -> bool:
        """Whether it is the credential."""
        with self._state.lock:
            return self._state.keyguard.check(secret, self._state.time.now_ns)

    @property
    def pause_seconds(self) -> int:
        """How long no credential is accepted after too many wrong ones; 0 when they are."""
        with self._state.lock:
            return self._state.keyguard.pause_seconds(self._state.time.now_ns)

    def dismiss(self) -> None:
        """Open the phone, or ask for its credential."""
        with self._state.lock:
            self._state.keyguard.raise_bouncer()
            self._state.touch()

    def _touched(self, event: Event) -> None:
        """A key of the pad, a text typed into the field, or a finger on the dots of a pattern."""
        keyguard = self._state.keyguard
        if event.name == KEY:
            keyguard.type(str(event.key))
        elif event.name == DELETE:
            keyguard.delete()
        elif event.name == TYPED:
            keyguard.typed, keyguard.failed = str(event.value or ""), False
        elif event.name == TRACE and isinstance(event.value, Trace):
            self._trace(event.value)
        elif event.name == ENTER:
            submit_credential(self._state)
        elif event.name == ASK:
            keyguard.raise_bouncer()
        self._state.touch()

    def _trace(self, trace: Trace) -> None:
        keyguard = self._state.keyguard
        if trace.at is not None:
            keyguard.trace(*trace.at)
        elif trace.lifted:
            submit_credential(self._state)
        else:
            keyguard.leave()
