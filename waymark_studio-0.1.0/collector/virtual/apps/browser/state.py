"""The browser's whole state: the pages of its tab, as YAML shows it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BrowserState:
    """The history of the tab with the page shown; without pages the tab is new."""

    locale: str = "en-US"
    pages: tuple[str, ...] = ()
    """Addresses in the order of visits."""
    place: int = -1
    """Index of the shown page; -1 is the new tab."""
    opened: int = 0
    """Index of the first page since another app opened the browser; BACK returns to that app there."""
    visited: tuple[str, ...] = ()
    """Addresses for suggestions, newest first."""
    editing: bool = False
    """Whether the address is being typed."""
    typed: str = ""
    sheet: str = ""
    """menu or none."""

    @property
    def url(self) -> str:
        """The shown address; empty for a new tab."""
        return self.pages[self.place] if 0 <= self.place < len(self.pages) else ""
