"""When a screen has come to rest after an action, told by its pictures and not by a clock.

Pictures are compared as small maps of brightness. A blinking caret and the clock in
the status bar change too little, or in a place that does not count, to keep a screen restless.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from collector.model.geometry import Size

Luma = NDArray[np.uint8]
MAP_SIZE = Size(90, 200)
"""Cells a picture is reduced to before it is compared."""

_CELL_CHANGE = 12
_CARET_CELLS = 10
_STATUS_BAR = 0.035
_MS = 1_000_000


def changed_cells(one: Luma, other: Luma) -> NDArray[np.bool_]:
    """Which cells differ by more than noise, the status bar left out; all of them when sizes differ."""
    if one.shape != other.shape:
        return np.ones(other.shape, np.bool_)
    changed: NDArray[np.bool_] = np.abs(one.astype(np.int16) - other) > _CELL_CHANGE
    changed[: round(changed.shape[0] * _STATUS_BAR)] = False
    return changed


def share_changed(one: Luma, other: Luma) -> float:
    """Share of the screen that differs, 0 to 1; what a caret changes counts as nothing."""
    cells = changed_cells(one, other)
    count = int(np.count_nonzero(cells))
    return round(count / cells.size, 4) if count > _CARET_CELLS else 0.0


@dataclass(frozen=True, slots=True)
class SettleResult:
    """How a screen came to rest: milliseconds from the action to the last change, or to the cap."""

    settle_ms: int
    in_time: bool
    at_ns: int


class SettleDetector:
    """Begin it at an action, feed it pictures, ask it whether all is quiet."""

    def __init__(self, quiet_ms: int = 500, cap_ms: int = 6000) -> None:
        self._quiet_ns = quiet_ms * _MS
        self._cap_ns = cap_ms * _MS
        self._began_ns: int | None = None
        self._changed_ns = 0
        self._reference: Luma | None = None

    @property
    def is_watching(self) -> bool:
        return self._began_ns is not None

    def begin(self, now_ns: int) -> None:
        """An action was made: watch anew."""
        self._began_ns = self._changed_ns = now_ns

    def stop(self) -> None:
        self._began_ns = None

    def feed(self, picture: Luma, time_ns: int) -> bool:
        """Take a picture; True when it shows a change.

        The comparison is with the last picture that was a change, so a slow fade adds up.
        """
        changed = self._reference is None or share_changed(self._reference, picture) > 0
        if changed:
            self._reference = picture
            self._changed_ns = max(self._changed_ns, time_ns)
        return changed

    def outcome(self, now_ns: int) -> SettleResult | None:
        """How it came to rest, once; None while it moves or nobody asked."""
        began = self._began_ns
        if began is None:
            return None
        quiet = now_ns - self._changed_ns >= self._quiet_ns
        if not quiet and now_ns - began < self._cap_ns:
            return None
        self._began_ns = None
        end = self._changed_ns if quiet else now_ns
        return SettleResult(max(0, end - began) // _MS, quiet, now_ns)


class FrameHistory:
    """Brightness maps of the last seconds, one for each change, to say later what a moment looked like."""

    def __init__(self, keep: int = 400) -> None:
        self._pictures: deque[tuple[int, Luma]] = deque(maxlen=keep)

    def add(self, time_ns: int, picture: Luma) -> None:
        self._pictures.append((time_ns, picture))

    def at(self, time_ns: int) -> Luma | None:
        """What the screen showed at ``time_ns``; None when that is longer ago than is remembered."""
        for shown_ns, picture in reversed(tuple(self._pictures)):
            if shown_ns <= time_ns:
                return picture
        return None
