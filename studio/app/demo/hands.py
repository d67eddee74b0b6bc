"""What a tour needs of a mouse, a keyboard and an eye, however they are made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtGui import QImage

Spot = tuple[int, int]
"""A physical pixel of the screen."""
LEFT, MIDDLE, RIGHT = 1, 2, 3


class Hands(Protocol):
    """Input goes in as if a person did it; places are physical pixels of the screen."""

    name: str
    """How it is done, for the report."""

    def move(self, spot: Spot) -> None: ...

    def click(self, spot: Spot, button: int = LEFT, times: int = 1) -> None: ...

    def drag(self, path: Sequence[Spot]) -> None:
        """Press at the first spot, go through the others, let go at the last."""
        ...

    def wheel(self, spot: Spot, notches: int) -> None:
        """Positive notches turn the wheel up."""
        ...

    def key(self, chord: str) -> None:
        """A chord as menus write it: ``Ctrl+K``, ``Esc``, ``?``."""
        ...

    def hold(self, key: str, down: bool) -> None:
        """Press a key and leave it down, or let it go."""
        ...

    def write(self, text: str) -> None:
        """Type text of any script into what has the focus."""
        ...

    def picture(self, place: Sequence[int]) -> QImage:
        """What the screen shows at ``left, top, width, height``."""
        ...

    def close(self) -> None: ...
