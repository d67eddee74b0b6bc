"""What lies in front on a phone."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.geometry import Rect


@dataclass(frozen=True, slots=True)
class Foreground:
    """``title`` is the focused window's, which may be a dialog of another app."""

    package: str = ""
    activity: str = ""
    title: str = ""
    secure: bool = False
    """The focused window forbids pictures of itself (FLAG_SECURE)."""
    keyboard: Rect | None = None
    """Where the soft keyboard lies; None while it is hidden."""
