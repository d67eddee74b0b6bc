"""The input driver of a tour: mouse, keyboard and screenshots, whatever platform makes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtGui import QImage

Pixel = tuple[int, int]
"""A physical pixel of the screen."""
LEFT, MIDDLE, RIGHT = 1, 2, 3


class InputDriver(Protocol):
    """Sends input as a person would make it. Coordinates are physical pixels of the screen."""

    name: str
    """Kind of driver, for the report."""

    def move(self, pixel: Pixel) -> None: ...

    def click(self, pixel: Pixel, button: int = LEFT, times: int = 1) -> None: ...

    def drag(self, path: Sequence[Pixel]) -> None:
        """Press at the first pixel, move through the others, release at the last."""
        ...

    def wheel(self, pixel: Pixel, notches: int) -> None:
        """Turn the wheel by notches; positive ones scroll up."""
        ...

    def key(self, chord: str) -> None:
        """Press a chord as menus write it: ``Ctrl+K``, ``Esc``, ``?``."""
        ...

    def hold(self, key: str, down: bool) -> None:
        """Press a key without releasing it, or release it."""
        ...

    def write(self, text: str) -> None:
        """Type text of any script into the focused control."""
        ...

    def resize(self, width: int, height: int) -> None:
        """Give the window another size in physical pixels, as a drag of its edge does."""
        ...

    def grab(self, rectangle: Sequence[int]) -> QImage:
        """The screen inside ``left, top, width, height``."""
        ...

    def close(self) -> None: ...
