"""What the lock screen of a phone shows now."""

from __future__ import annotations

from collector.virtual.android_versions import ANDROID_11
from collector.virtual.system.notices import poster_name
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.windows.lock_views import LockedPhone, bouncer, lock_screen
from collector.virtual.ui import widgets as w

_LOW_DP = 560
"""Below this height the pad has no room above it."""


def locked_view(state: SystemState) -> tuple[str, w.Widget]:
    """The title of its window, and what is in it."""
    keyguard = state.keyguard
    notices = tuple(
        (poster_name(state, posted.package), posted.title, posted.text)
        for posted in reversed(state.notifications)
    )
    short = state.size.height * 160 / state.density < _LOW_DP
    shown = LockedPhone(
        state.clock.now.replace(second=0, microsecond=0), state.language, keyguard.kind, keyguard.typed,
        keyguard.failed, keyguard.pause_seconds(state.time.now_ns), notices, short,
    )  # fmt: skip
    title = "NotificationShade" if state.profile.sdk >= ANDROID_11 else "StatusBar"
    return title, bouncer(shown) if keyguard.asking else lock_screen(shown)


def submit_credential(state: SystemState) -> None:
    """Try what was typed; a pause after too many wrong ones counts down on the screen."""
    state.keyguard.submit(state.time.now_ns)
    _count_down(state)


def _count_down(state: SystemState) -> None:
    state.touch()
    if state.keyguard.pause_seconds(state.time.now_ns):
        state.ticker.after(1.0, lambda: _count_down(state))
