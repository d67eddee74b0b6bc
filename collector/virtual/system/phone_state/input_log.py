"""What the input dispatcher writes to the log of events: the windows that a touch reached, and the focus."""

from __future__ import annotations

import zlib

from collector.virtual.android_versions import ANDROID_11
from collector.virtual.system.phone_state.logcat import EVENTS
from collector.virtual.system.phone_state.state import SystemState

_WATCHERS = (
    "[Gesture Monitor] swipe-up (server), [Gesture Monitor] edge-swipe (server), "
    "PointerEventDispatcher0 (server), "
)
"""What sees every touch besides its window."""


def window_token(title: str) -> str:
    """The hexadecimal name of a window; equal titles give equal names."""
    return f"{zlib.crc32(title.encode()) & 0xFFFFFFF:07x}"


class InputLog:
    """Writes as Android 11 and later do; older ones write nothing. The phone's lock protects it."""

    def __init__(self, state: SystemState) -> None:
        self._state = state
        self._touched = ""
        self._focused = ""

    def note_touch(self, title: str) -> None:
        """A finger went down on a window; only another window than the last is written."""
        if title != self._touched and title:
            self._touched = title
            self._write("input_interaction", f"Interaction with: {_named(title)}, {_WATCHERS}")

    def note_focus(self, title: str) -> None:
        """A window has the focus now."""
        before = self._focused
        if title == before or not title:
            return
        self._focused = title
        name = f"{window_token(title)} {title}"
        self._write("input_focus", f"[Focus request {name},reason=UpdateInputWindows]")
        if before:
            self._write("input_focus", f"[Focus leaving {_named(before)},reason=setFocusedWindow]")
        self._write("input_focus", f"[Focus entering {_named(title)},reason=setFocusedWindow]")

    def _write(self, tag: str, text: str) -> None:
        if self._state.profile.sdk >= ANDROID_11:
            self._state.write_log("I", tag, text, buffer=EVENTS)


def _named(title: str) -> str:
    return f"{window_token(title)} {title} (server)"
