"""Readers of ``getprop``, ``wm size``, ``wm density`` and ``ps``.

Like every reader of this room they take whatever a phone printed, find what they can and
never raise: a missing value is None or absent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from collector.model.geometry import Size

_PROPERTY = re.compile(r"^\[([^\]\n]+)\]: \[((?:[^\]]|\](?!\r?\n\[|\s*\Z))*)\]", re.MULTILINE)
_SIZE = re.compile(r"(Physical|Override) size: (\d+)x(\d+)")
_DENSITY = re.compile(r"(Physical|Override) density: (\d+)")


def parse_getprop(text: str) -> dict[str, str]:
    """Every ``[name]: [value]``; values may span lines and hold brackets."""
    return {match[1]: match[2] for match in _PROPERTY.finditer(text)}


@dataclass(frozen=True, slots=True)
class DisplaySize:
    """What ``wm size`` or ``wm density`` knows: built in, and put in its place by someone."""

    physical: Size | None = None
    override: Size | None = None

    @property
    def current(self) -> Size | None:
        return self.override or self.physical


@dataclass(frozen=True, slots=True)
class DisplayDensity:
    """Dots per inch, built in and put in its place by someone."""

    physical: int | None = None
    override: int | None = None

    @property
    def current(self) -> int | None:
        return self.override or self.physical


def parse_wm_size(text: str) -> DisplaySize:
    """Sizes in the natural orientation."""
    found = {match[1]: Size(int(match[2]), int(match[3])) for match in _SIZE.finditer(text)}
    return DisplaySize(found.get("Physical"), found.get("Override"))


def parse_wm_density(text: str) -> DisplayDensity:
    """Densities in dots per inch."""
    found = {match[1]: int(match[2]) for match in _DENSITY.finditer(text)}
    return DisplayDensity(found.get("Physical"), found.get("Override"))


def parse_ps(text: str) -> dict[int, str]:
    """Process names by process id, whatever columns this ``ps`` prints.

    Old ones head a column less than they print, so ids are found from the left and names
    from the right.
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
