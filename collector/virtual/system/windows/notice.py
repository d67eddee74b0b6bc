"""A notification: what an app posts, and its row in the shade."""

from __future__ import annotations

from dataclasses import dataclass

from collector.virtual.ui.effects import Intent
from collector.virtual.ui.events import Event

_SIGNS = {
    "android": "warning",
    "com.android.systemui": "battery",
    "com.android.dialer": "call",
    "com.android.messaging": "mail",
}


@dataclass(frozen=True, slots=True)
class Notice:
    """A posted notification. It replaces an earlier one with the same package and ``tag``."""

    package: str
    title: str
    text: str
    tag: str = ""
    id: int = 0
    intent: Intent | None = None
    """Started by a tap; when None, the package's launcher activity is started."""
    on_tap: Event | None = None
    """Sent to the system on a tap, instead of ``intent``."""
    actions: tuple[tuple[str, Event], ...] = ()
    """Buttons: an English label from the system's phrases, and the event that the button sends."""
    urgent: bool = False
    """Shown for a few seconds over the current screen (heads-up)."""
    ongoing: bool = False
    """Not removed by a tap or by "clear all"."""
    on_swipe: Event | None = None
    """Sent when it is swiped away."""
    to_app: bool = False
    """Whether its events are sent to the app that posted it, else to the system."""
    sign: str = ""
    """Name of the icon in the status bar."""


@dataclass(frozen=True, slots=True)
class Notification:
    """One entry of the shade."""

    number: int
    notice: Notice

    @property
    def package(self) -> str:
        return self.notice.package

    @property
    def title(self) -> str:
        return self.notice.title

    @property
    def text(self) -> str:
        return self.notice.text

    @property
    def sign(self) -> str:
        return self.notice.sign or _SIGNS.get(self.package, "bell")
