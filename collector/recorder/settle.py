"""Detect when the screen has come to rest after an action, by its frames and not by a fixed delay.

Frames are compared as small brightness maps. A blinking caret changes too few cells to count, and the
status bar is left out.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from collector.model.geometry import Size

Luma = NDArray[np.uint8]
MAP_SIZE = Size(90, 200)
"""Cells a frame is reduced to before it is compared."""

USUAL_MS = 500
"""Without change before the screen counts as settled."""
_CELL_CHANGE = 12
_CARET_CELLS = 10
_STATUS_BAR = 0.035
_MS = 1_000_000


def changed_cells(before: Luma, after: Luma) -> NDArray[np.bool_]:
    """Which cells differ by more than noise, the status bar left out; all of them when sizes differ."""
    if before.shape != after.shape:
        return np.ones(after.shape, np.bool_)
    changed: NDArray[np.bool_] = np.abs(before.astype(np.int16) - after) > _CELL_CHANGE
    changed[: round(changed.shape[0] * _STATUS_BAR)] = False
    return changed


def share_changed(before: Luma, after: Luma) -> float:
    """Share of the screen that differs, 0 to 1; a change as small as a caret counts as 0."""
    cells = changed_cells(before, after)
    count = int(np.count_nonzero(cells))
    return round(count / cells.size, 4) if count > _CARET_CELLS else 0.0


@dataclass(frozen=True, slots=True)
class SettleResult:
    """How the screen came to rest; ``settle_ms`` runs from the action to the last change or the limit."""

    settle_ms: int
    in_time: bool
    at_ns: int


class SettleDetector:
    """Begin it at an action, feed it frames, and ask for the result."""

    def __init__(self, quiet_ms: int = USUAL_MS, cap_ms: int = 6000) -> None:
        self._quiet_ns = quiet_ms * _MS
        self._cap_ns = cap_ms * _MS
        self._began_ns: int | None = None
        self._changed_ns = 0
        self._reference: Luma | None = None

    @property
    def is_watching(self) -> bool:
        return self._began_ns is not None

    def begin(self, now_ns: int) -> None:
        """An action was made: start over."""
        self._began_ns = self._changed_ns = now_ns

    def stop(self) -> None:
        self._began_ns = None

    def feed(self, luma: Luma, time_ns: int) -> bool:
        """Take a frame; True when it shows a change.

        It is compared with the last frame that was a change, so a slow fade adds up.
        """
        changed = self._reference is None or share_changed(self._reference, luma) > 0
        if changed:
            self._reference = luma
            self._changed_ns = max(self._changed_ns, time_ns)
        return changed

    def result(self, now_ns: int) -> SettleResult | None:
        """How the screen came to rest, once; None while it changes or no action is watched."""
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
    """Brightness maps of the last seconds, one for each change of the screen."""

    def __init__(self, keep: int = 400) -> None:
        self._frames: deque[tuple[int, Luma]] = deque(maxlen=keep)

    def add(self, time_ns: int, luma: Luma) -> None:
        self._frames.append((time_ns, luma))

    def clear(self) -> None:
        """Drop all maps, 7 MB when it is full."""
        self._frames.clear()

    def at(self, time_ns: int) -> Luma | None:
        """What the screen showed at ``time_ns``; None when that is too long ago."""
        for shown_ns, luma in reversed(tuple(self._frames)):
            if shown_ns <= time_ns:
                return luma
        return None
