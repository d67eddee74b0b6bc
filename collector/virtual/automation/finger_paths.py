"""Gestures of several fingers as mobilecli describes them: press, move and release, each with seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from collector.model.phone.touch import TouchAction
from collector.virtual.system.phone import Phone

_FRAME = 0.016
"""Seconds between two moves: about 60 a second, as a touch screen reports them."""


@dataclass(slots=True)
class FingerPath:
    """The path of a finger, which is down from 0 s to its last point."""

    pointer: int
    points: list[tuple[float, float, float]] = field(default_factory=list)
    """(seconds, x, y), in the order of time."""

    @property
    def seconds(self) -> float:
        return self.points[-1][0]

    def at(self, seconds: float) -> tuple[float, float]:
        """Where the finger is at a time."""
        for (start, x1, y1), (end, x2, y2) in pairwise(self.points):
            if seconds <= end:
                share = (seconds - start) / (end - start) if end > start else 1.0
                return x1 + (x2 - x1) * share, y1 + (y2 - y1) * share
        return self.points[-1][1:]

    def add(self, action: Mapping[str, Any]) -> None:
        """Append an action; raise ValueError when it cannot follow."""
        kind, seconds = action.get("type"), float(action.get("duration") or 0)
        x, y = float(action.get("x") or 0), float(action.get("y") or 0)
        name = f"finger {self.pointer}"
        if x < 0 or y < 0:
            raise ValueError(f"{name} has negative coordinates")
        if seconds < 0:
            raise ValueError(f"{name} has negative duration")
        if kind not in ("press", "move", "release"):
            raise ValueError(f"{name} has unknown action type '{kind}'")
        if kind == "press" and self.points:
            raise ValueError(f"{name} has 'press' after its first action")
        if kind != "press" and not self.points:
            raise ValueError(f"{name} must start with 'press', got '{kind}'")
        if kind == "press":
            self.points = [(0.0, x, y), (seconds, x, y)]
            return
        last, last_x, last_y = self.points[-1]
        self.points.append((last + seconds, x, y) if kind == "move" else (last + seconds, last_x, last_y))


def parse_fingers(actions: object) -> list[FingerPath]:
    """The fingers of a gesture, by their number; raise ValueError when it makes no sense."""
    if not isinstance(actions, list) or not actions:
        raise ValueError("actions array cannot be empty")
    fingers: dict[int, FingerPath] = {}
    released: set[int] = set()
    for action in actions:
        pointer = int(action.get("button") or 0)
        if pointer in released:
            raise ValueError(f"finger {pointer} has actions after 'release'")
        fingers.setdefault(pointer, FingerPath(pointer)).add(action)
        if action.get("type") == "release":
            released.add(pointer)
    for pointer in fingers:
        if pointer not in released:
            raise ValueError(f"finger {pointer} must end with 'release'")
    return [fingers[pointer] for pointer in sorted(fingers)]


def replay(phone: Phone, fingers: list[FingerPath], wait: Callable[[float], bool]) -> None:
    """Move the fingers in real time. When ``wait`` returns True they are lifted at once."""
    down = list(fingers)
    for finger in down:
        phone.touch(TouchAction.DOWN, finger.pointer, *finger.at(0))
    end = max(finger.seconds for finger in fingers)
    began, now, stopped = time.monotonic(), 0.0, False
    while down:
        if not stopped and now < end:
            stopped = wait(min(_FRAME, end - now))
        now = end if stopped else min(time.monotonic() - began, end)
        for finger in list(down):
            if finger.seconds > now:
                phone.touch(TouchAction.MOVE, finger.pointer, *finger.at(now))
                continue
            x, y = finger.at(finger.seconds)
            if finger.at(0) != (x, y):
                phone.touch(TouchAction.MOVE, finger.pointer, x, y)
            phone.touch(TouchAction.UP, finger.pointer, x, y)
            down.remove(finger)
