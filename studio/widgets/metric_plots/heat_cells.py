"""What a heat map shows: a value for each row and column, and the colour of each value."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from PySide6.QtGui import QColor

from studio.theme import theme

STEPS = (20, 40, 60, 80)
"""Percent at which the next stronger colour begins: few colours can be told apart and found in the legend."""
_SHARES = (0.0, 0.18, 0.4, 0.86, 1.0)
"""How much of the accent each colour has. One hue that only gets stronger is read without colour vision, too;
none lies in the middle, where no text could be read on it."""


@dataclass(frozen=True, slots=True)
class HeatCell:
    """A cell: its percent, None where nothing was counted, and its words."""

    value: float | None
    text: str
    count: str = ""
    tip: str = ""
    """All that is known of it, for the tooltip and for who hears the screen."""


@dataclass(frozen=True, slots=True)
class HeatSheet:
    """A whole heat map. Every row has as many cells as there are columns."""

    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    cells: tuple[tuple[HeatCell, ...], ...] = ()

    def cell(self, place: tuple[int, int]) -> HeatCell | None:
        """The cell at ``(row, column)``; None outside."""
        row, column = place
        inside = 0 <= row < len(self.rows) and 0 <= column < len(self.columns)
        return self.cells[row][column] if inside else None


def step_of(value: float) -> int:
    """The number of the colour of a percentage, 0 for the weakest."""
    return sum(value >= step for step in STEPS)


def step_titles() -> tuple[str, ...]:
    """The percentages of each colour, as in "20\u201340"."""
    edges = (0, *STEPS, 100)
    return tuple(f"{low}\u2013{high}" for low, high in itertools.pairwise(edges))


def step_color(step: int) -> QColor:
    """The colour of a step in the theme."""
    weak, strong, share = theme.color("bg-3"), theme.color("accent"), _SHARES[step]
    parts = zip(weak.getRgb()[:3], strong.getRgb()[:3], strict=True)  # type: ignore[index] # four numbers
    return QColor(*(round(low + (high - low) * share) for low, high in parts))


def step_tone(step: int) -> str:
    """The tone of texts on a step: that of texts, and on the strong ones that of panels."""
    return "text" if _SHARES[step] < 0.5 else "bg-1"
