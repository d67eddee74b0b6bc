"""The keyboards that are installed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Method:
    """One input method, by Android's id."""

    id: str
    label: str
    numbers: bool = False
    """Show a row of digits instead of suggestions."""

    @property
    def word(self) -> str:
        """The key of its name in the texts of the settings app."""
        return f"keyboard_{self.label.partition(' ')[0].lower()}"

    @property
    def package(self) -> str:
        return self.id.partition("/")[0]


LATIN = Method("com.android.inputmethod.latin/.LatinIME", "Android Keyboard")
COMPACT = Method("com.waymark.keyboard/.CompactIME", "Compact Keyboard", numbers=True)
METHODS = (LATIN, COMPACT)


def method(name: str) -> Method:
    """The method with this id; the default one for an unknown id."""
    return next((method for method in METHODS if method.id == name), LATIN)
