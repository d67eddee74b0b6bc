"""Parse ``getprop``, ``wm size``, ``wm density`` and ``ps``.

Parsers accept any text, return what they recognize and never raise: a missing value is None or absent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from collector.model.geometry import Size

_PROPERTY = re.compile(r"^\[([^\]\n]+)\]: \[((?:[^\]]|\](?!\r?\n\[|\s*\Z))*)\]", re.MULTILINE)
_SIZE = re.compile(r"(Physical|Override) size: (\d+)x(\d+)")
_DENSITY = re.compile(r"(Physical|Override) density: (\d+)")


def parse_getprop(text: str) -> dict[str, str]:
    """Parse every ``[name]: [value]``; values may span lines and contain brackets."""
    return {match[1]: match[2] for match in _PROPERTY.finditer(text)}


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
    sizes = {match[1]: Size(int(match[2]), int(match[3])) for match in _SIZE.finditer(text)}
    return DisplaySize(sizes.get("Physical"), sizes.get("Override"))


def parse_wm_density(text: str) -> DisplayDensity:
    """Parse ``wm density``, in dots per inch."""
    densities = {match[1]: int(match[2]) for match in _DENSITY.finditer(text)}
    return DisplayDensity(densities.get("Physical"), densities.get("Override"))


def parse_ps(text: str) -> dict[int, str]:
    """Return process names by process id, for any columns of ``ps``.

    Old versions print one heading less than columns, so ids are counted from the left and names from the
    right.
    """
    processes: dict[int, str] = {}
    column: int | None = None
    for line in text.splitlines():
        words = line.split()
        if "PID" in words:
            column = words.index("PID")
        elif column is not None and len(words) > column + 1 and words[column].isdecimal():
            processes[int(words[column])] = words[-1]
    return processes
