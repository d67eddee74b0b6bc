"""Parse ``getprop``, ``wm size``, ``wm density`` and ``ps``.

Parsers accept any text, return what they recognize and never raise: a missing value is None or absent, as is
one that no phone has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from collector.model.geometry import Size

_PROPERTY = re.compile(r"\[([^\]]{1,200})\]: \[(.*)", re.DOTALL)
_SIZE = re.compile(r"(Physical|Override) size: (\d{1,5})x(\d{1,5})\b")
_DENSITY = re.compile(r"(Physical|Override) density: (\d{1,5})\b")
_NUMBER = re.compile(r"\d{1,9}")
_MOST_PIXELS, _MOST_DPI = 16_384, 10_000
"""Of a side of a display, and of its density."""


def parse_getprop(text: str) -> dict[str, str]:
    """Parse every ``[name]: [value]``; values may span lines and contain brackets.

    A value ends with a bracket at the end of a line, behind which another property or nothing comes.
    """
    properties: dict[str, str] = {}
    lines = [line.removesuffix("\r") for line in text.rstrip().split("\n")]
    waiting: list[str] = []
    for number, line in enumerate(lines):
        if not waiting and not line.startswith("["):
            continue
        waiting.append(line)
        is_last = number + 1 == len(lines) or lines[number + 1].startswith("[")
        if line.endswith("]") and is_last:
            match = _PROPERTY.fullmatch("\n".join(waiting))
            if match is not None:
                properties[match[1]] = match[2][:-1]
            waiting = []
    return properties


@dataclass(frozen=True, slots=True)
class DisplaySize:
    """Physical size and its override, as ``wm size`` prints them."""

    physical: Size | None = None
    override: Size | None = None

    @property
    def current(self) -> Size | None:
        return self.override or self.physical


@dataclass(frozen=True, slots=True)
class DisplayDensity:
    """Physical density and its override, in dots per inch."""

    physical: int | None = None
    override: int | None = None

    @property
    def current(self) -> int | None:
        return self.override or self.physical


def parse_wm_size(text: str) -> DisplaySize:
    """Parse ``wm size``; sizes are in the natural orientation."""
    sizes = {match[1]: display_size(match[2], match[3]) for match in _SIZE.finditer(text)}
    return DisplaySize(sizes.get("Physical"), sizes.get("Override"))


def display_size(width: str, height: str) -> Size | None:
    """The size of a display; None for one that no display has."""
    size = Size(int(width), int(height))
    return None if size.is_empty or max(size.width, size.height) > _MOST_PIXELS else size


def parse_wm_density(text: str) -> DisplayDensity:
    """Parse ``wm density``, in dots per inch."""
    densities = {
        match[1]: int(match[2]) for match in _DENSITY.finditer(text) if 0 < int(match[2]) <= _MOST_DPI
    }
    return DisplayDensity(densities.get("Physical"), densities.get("Override"))
