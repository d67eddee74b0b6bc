"""Free storage of the phone, and the system's warning when a test fills it."""

from __future__ import annotations

from typing import Literal

from collector.virtual.system.notices import Notices
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.windows.notice import Notice
from collector.virtual.system.windows.phrases import say
from collector.virtual.ui.effects import Intent

Level = Literal["UNKNOWN", "NORMAL", "LOW", "FULL"]
_TAG = "low_storage"


class Storage:
    """The device storage monitor. Every method may be called from any thread."""

    def __init__(self, state: SystemState, notices: Notices) -> None:
        self._state = state
        self._notices = notices
        self._forced: Level = "UNKNOWN"
        self._sequence = 1

    @property
    def forced(self) -> Level:
        """The overridden storage level; UNKNOWN without an override."""
        with self._state.lock:
            return self._forced

    @property
    def level(self) -> Level:
        with self._state.lock:
            return "NORMAL" if self._forced == "UNKNOWN" else self._forced

    @property
    def sequence(self) -> int:
        with self._state.lock:
            return self._sequence

    def force(self, level: Level) -> None:
        """Override the storage level; UNKNOWN ends the override."""
        with self._state.lock:
            before, self._forced = self.level, level
            if before == self.level:
                return
            self._state.storage_low = self.level in ("LOW", "FULL")
            self._state.touch()
            self._sequence += 1
            if self.level == "LOW":
                language = self._state.language
                title = say("Storage space running out", language)
                text = say("Some system functions may not work", language)
                intent = Intent("android.settings.INTERNAL_STORAGE_SETTINGS")
                self._notices.post(
                    Notice("android", title, text, _TAG, 23, intent, urgent=True, ongoing=True)
                )
            else:
                self._notices.cancel("android", _TAG)
