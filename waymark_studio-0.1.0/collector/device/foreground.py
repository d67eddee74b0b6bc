"""The window in front on a phone."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.geometry import Rect


@dataclass(frozen=True, slots=True)
class Foreground:
    """Package, activity and focused window. ``title`` may be that of another app's dialog."""

    package: str = ""
    activity: str = ""
    title: str = ""
    secure: bool = False
    """Whether the focused window is protected (FLAG_SECURE)."""
    keyboard: Rect | None = None
    """Frame of the soft keyboard; None while it is hidden."""
