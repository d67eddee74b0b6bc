"""Names of variations and their combinations: ``dark_theme+german@calendar+misleading@shop``."""

from __future__ import annotations

import re
from typing import NamedTuple

from collector.model.i18n import _
from collector.model.variation.phone_variation import DEFAULT

NAME_PATTERN = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"
_NAME = re.compile(NAME_PATTERN)


class VariationPart(NamedTuple):
    """One variation of a combination, of an app or of all: ``app`` is empty then."""

    app: str
    name: str

    def __str__(self) -> str:
        return f"{self.name}@{self.app}" if self.app else self.name


def parts_of(text: str) -> tuple[VariationPart, ...]:
    """The parts in canonical order, none of them twice. Raises ValueError for what is no combination.

    Those of all apps come first, then those of each app in order of name. ``default`` says nothing beside
    others.
    """
    parts = set()
    for piece in text.split("+"):
        name, at, app = piece.partition("@")
        if not _NAME.fullmatch(name) or (at and not _NAME.fullmatch(app)):
            raise ValueError(
                _("{text} is no variation: write NAME, NAME@APP, or several with +", text=text[:80])
            )
        parts.add(VariationPart(app, name))
    return tuple(sorted(parts - {VariationPart("", DEFAULT)}))


def canonical(text: str) -> str:
    """The one way to write a combination. Raises ValueError for what is none."""
    return "+".join(map(str, parts_of(text))) or DEFAULT


def is_name(text: str) -> bool:
    """Whether a file of that name can be named in a combination."""
    return bool(_NAME.fullmatch(text))
