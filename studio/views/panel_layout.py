"""Which panels of a workspace are shown: what the person chose, else what the size of the window allows."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QSize

_WORDS = {True: "open", False: "hidden", None: "shown"}
NARROW, SHORT = 1400, 800
"""Size of the window in logical pixels below which the left and the bottom panel fold."""


class Panel(StrEnum):
    """A panel beside or below the centre; the values are keys of the saved layout."""

    LEFT = "left"
    RIGHT = "right"
    BOTTOM = "bottom"


class PanelChoices:
    """Holds the choice for each panel. Without a choice, small windows fold what matters least."""

    def __init__(self, right_below: int = 0, bottom_below: int = SHORT) -> None:
        """In windows narrower than ``right_below`` the right panel folds, too.

        The bottom panel folds in windows lower than ``bottom_below``.
        """
        self._right_below, self._bottom_below = right_below, bottom_below
        self._chosen: dict[Panel, bool | None] = dict.fromkeys(Panel)
        self._size = QSize()
        self._idle: set[Panel] = set()

    def set_window_size(self, size: QSize) -> None:
        """Set the size that decides where nothing was chosen."""
        self._size = size

    def set_idle(self, panel: Panel, idle: bool) -> None:
        """Fold a panel with nothing to read, unless the person opened it."""
        self._idle = self._idle | {panel} if idle else self._idle - {panel}

    def is_shown(self, panel: Panel) -> bool:
        """Return whether a panel is open."""
        chosen = self._chosen[panel]
        return self._fits(panel) if chosen is None else chosen

    def choose(self, panel: Panel, shown: bool) -> None:
        """Open or fold a panel; a choice that the size makes as well is no choice any more."""
        self._chosen[panel] = None if shown == self._fits(panel) else shown

    def _fits(self, panel: Panel) -> bool:
        if panel in self._idle:
            return False
        if panel is Panel.LEFT:
            return self._size.width() >= NARROW
        if panel is Panel.RIGHT:
            return self._size.width() >= self._right_below
        return self._size.height() >= self._bottom_below

    def places(self) -> dict[str, str]:
        """Return the choices as text for the settings."""
        return {panel.value: _WORDS[chosen] for panel, chosen in self._chosen.items()}

    def restore(self, places: dict[str, str]) -> None:
        """Restore the choices; unknown words mean no choice."""
        by_word = {word: chosen for chosen, word in _WORDS.items()}
        for panel in Panel:
            self._chosen[panel] = by_word.get(places.get(panel.value, ""))
