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
    """What is posted. One with a package's ``tag`` of before takes that one's place."""

    package: str
    title: str
    text: str
    tag: str = ""
    id: int = 0
    intent: Intent | None = None
    """What a tap starts; the package's own icon when there is none."""
    on_tap: Event | None = None
    """What a tap tells the system instead."""
    actions: tuple[tuple[str, Event], ...] = ()
    """Buttons: an English label of the system's, and what it tells it."""
    urgent: bool = False
    """Comes down over what is on the screen for a few seconds."""
    ongoing: bool = False
    """Neither a tap nor "clear all" takes it away."""
    sign: str = ""
    """Icon in the status bar."""


@dataclass(frozen=True, slots=True)
class Notification:
    """One line of the shade."""

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
