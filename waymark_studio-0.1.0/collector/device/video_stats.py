"""Performance figures of a frame source."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class VideoStats:
    """Figures of a frame source. Milliseconds are smoothed over the last frames."""

    frames: int = 0
    decode_ms: float = 0.0
    scale_ms: float = 0.0
    latency_ms: float = 0.0
    """From the last byte of a packet until its frame was delivered."""
    skipped: int = 0
    """Frames decoded but replaced by a newer one of the same batch."""
    broken: int = 0
    """Packets the decoder could not read."""
    _second: list[float] = field(default_factory=list)

    def count(self) -> None:
        """Count one delivered frame."""
        now = time.monotonic()
        self._second = [when for when in self._second if now - when < 1.0]
        self._second.append(now)
        self.frames += 1

    @property
    def fps(self) -> float:
        """Frames delivered in the last second."""
        now = time.monotonic()
        return float(sum(1 for when in self._second if now - when < 1.0))


def smoothed(before: float, spent: float) -> float:
    """Return an exponential mean that begins with its first value."""
    return before * 0.9 + spent * 0.1 if before else spent
