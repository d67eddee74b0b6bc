"""How the window of one screen differs from the windows of its app: place, size, colours, language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Place = Literal["start", "center", "end"]


@dataclass(frozen=True, slots=True)
class WindowStyle:
    """What a floating window has of its own; the defaults are those of its app and of the phone."""

    across: Place = "center"
    down: Place = "center"
    offset: tuple[float, float] = (0.0, 0.0)
    """Dp to the right of that place, and below it."""
    width: float | None = None
    """In dp; None for that of dialogs."""
    dim: float | None = None
    """How dark the screen behind it is, from 0 to 1; None for that of dialogs."""
    dark: bool | None = None
    mirrored: bool | None = None
    """Whether it is laid out from right to left."""
    font_scale: float | None = None
    language: str = ""
    colours: tuple[tuple[str, str], ...] = ()
    """``#RRGGBB`` by the role of the theme that it replaces."""
    full: bool = False
    """Whether it covers the screen."""


PLAIN_STYLE = WindowStyle()
