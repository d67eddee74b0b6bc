"""A space of Gymnasium whose elements are texts in any script; its own ``Text`` lists every character."""

from __future__ import annotations

import string
from typing import Any

from gymnasium.spaces import Space

_SAMPLED = 32
"""Characters of the longest text that is drawn."""


class AnyText(Space[str]):
    """Texts of at most ``max_length`` characters."""

    def __init__(self, max_length: int = 10_000_000) -> None:
        super().__init__(dtype=str)
        self.max_length = max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:  # noqa: ARG002 - as in every space
        """Draw letters, digits and spaces."""
        letters = list(string.ascii_letters + string.digits + " ")
        count = int(self.np_random.integers(0, min(_SAMPLED, self.max_length) + 1))
        return "".join(self.np_random.choice(letters, count))

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is such a text."""
        return isinstance(x, str) and len(x) <= self.max_length

    @property
    def is_np_flattenable(self) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AnyText) and other.max_length == self.max_length

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"AnyText({self.max_length})"
