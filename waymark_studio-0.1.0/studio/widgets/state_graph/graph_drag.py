"""What the mouse drags over the graph: a card to a step, or a line from a card to another."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication


@dataclass(slots=True)
class GraphDrag:
    """A button is down on a card; it is a drag once the pointer went far enough."""

    card: str
    begin: QPoint
    draws_line: bool
    """Whether a line to another card is drawn, and not the card moved."""
    at: QPoint
    is_moving: bool = False
    over_card: str = ""
    """The card that the line would end at."""
    over_slot: int | None = None
    """The slot that the card would be dropped on."""
    is_refused: bool = False
    """Whether the line would close a circle."""

    def move_to(self, at: QPoint) -> None:
        """Follow the pointer."""
        self.at = at
        far = (at - self.begin).manhattanLength() >= QApplication.startDragDistance()
        self.is_moving = self.is_moving or far
