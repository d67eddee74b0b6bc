"""A table of a content provider: rows of text, and what changes them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping

Row = dict[str, str | None]
Matches = Callable[[Row], bool]


class BadPathError(ValueError):
    """A provider does not know the path of a URI; the text is the exception that Android prints."""


class ContentTable(ABC):
    """Rows at a URI. What a provider does not support raises BadPathError."""

    @abstractmethod
    def rows(self) -> list[Row]:
        """All rows at the URI, with every column."""

    def insert(self, values: Mapping[str, str]) -> None:
        del values
        raise BadPathError("java.lang.UnsupportedOperationException")

    def update(self, values: Mapping[str, str], matches: Matches) -> None:
        del values, matches
        raise BadPathError("java.lang.UnsupportedOperationException")

    def delete(self, matches: Matches) -> None:
        del matches
        raise BadPathError("java.lang.UnsupportedOperationException")

    def call(self, method: str, argument: str, extras: Mapping[str, str]) -> str:
        """The result of a provider's own method, as ``content call`` prints it."""
        del method, argument, extras
        return "null"
