"""Touches beside a video: CSV with a header, or a JSON value a line, with ``t`` in seconds and ``x``, ``y``.

``x2`` and ``y2`` make a swipe, ``duration_ms`` says how long it took, and makes a touch of 400 or more a long
press; ``text`` without a place is typed.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.exchange.source import files as source_files
from collector.exchange.source.records import text
from collector.model.action import Action, LongPress, Swipe, Tap, Type
from collector.model.geometry import Size
from collector.model.i18n import _

LISTS = (".csv", ".jsonl")
MOST_TOUCHES = 5_000
_MAX_BYTES = 8 * 1024 * 1024
_LONGEST_S = 24 * 60 * 60
_HELD_MS = 400
"""A touch that long in one place is a long press, as Android's ``long_press_timeout`` is by default."""


@dataclass(frozen=True, slots=True)
class Touch:
    """A line of the list."""

    t_ms: int
    values: Mapping[str, Any]

    def action(self, screen: Size) -> Action:
        """What was done. Raises ValueError when it lies outside ``screen`` or says nothing."""
        typed = text(self.values.get("text"))
        if typed and self.values.get("x") in (None, ""):
            return Type(typed, len(typed))
        x, y = self._pixel("x", screen.width), self._pixel("y", screen.height)
        duration = self._number("duration_ms", 0)
        if self.values.get("x2") in (None, ""):
            held = round(duration)
            return LongPress(x, y, held) if held >= _HELD_MS else Tap(x, y, duration_ms=held)
        x2, y2 = self._pixel("x2", screen.width), self._pixel("y2", screen.height)
        return Swipe(x, y, x2, y2, duration_ms=round(duration) or 300)

    def _pixel(self, name: str, side: int) -> int:
        pixel = round(self._number(name))
        if not 0 <= pixel < side:
            raise ValueError(_("{name} is {value}, outside the picture", name=name, value=pixel))
        return pixel

    def _number(self, name: str, default: float | None = None) -> float:
        value = self.values.get(name)
        return default if value in (None, "") and default is not None else number_of(name, value, 10**6)


def number_of(name: str, value: object, most: float) -> float:
    """A number of a line. Raises ValueError when it is none between 0 and ``most``."""
    try:
        number = float(text(value))
    except ValueError:
        number = math.nan
    if not 0 <= number <= most:
        raise ValueError(_("{name} is no number that it can be", name=name))
    return number


def list_of(video: Path) -> Path | None:
    """The list beside a video: the file of the same name with another ending."""
    paths = (video.with_suffix(ending) for each in LISTS for ending in (each, each.upper()))
    return next((path for path in paths if path.is_file()), None)


def read_touches(path: Path) -> tuple[list[Touch], list[int]]:
    """The touches of a list by their times, and the numbers of the entries that have none.

    Raises ExchangeError when the file cannot be opened.
    """
    touches: list[Touch] = []
    bad: list[int] = []
    for number, values in enumerate(_entries(path), start=1):
        try:
            touches.append(Touch(round(number_of("t", values.get("t"), _LONGEST_S) * 1000), values))
        except ValueError:
            bad.append(number)
    return sorted(touches, key=lambda touch: touch.t_ms), bad


def _entries(path: Path) -> Iterator[Mapping[str, Any]]:
    """The entries of a list as mappings; one that cannot be read is empty."""
    lines = source_files.read_text(path, _MAX_BYTES).split("\n")
    if path.suffix.lower() == ".csv":
        rows = csv.DictReader((line.replace("\0", "") for line in lines), restkey="rest")
        try:
            yield from rows
        except csv.Error:  # a cell without an end
            yield {}
        return
    for line in filter(str.strip, lines):
        try:
            values = json.loads(line)
        except (ValueError, RecursionError):
            values = None
        yield values if isinstance(values, dict) else {}
