"""What a widget tells its app."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, as an app's ``update`` receives it.

    ``name`` says what, ``key`` which one (set by the view, as in ``Event("open", product.id)``),
    ``value`` what the person did (new text, on or off, a number), filled in when the event is sent.
    """

    name: str
    key: object = None
    value: object = None

    def carrying(self, value: object) -> Event:
        """The same event with what the person did."""
        return replace(self, value=value)
