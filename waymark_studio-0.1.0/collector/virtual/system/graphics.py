"""Frames that apps have drawn, for whoever asks the phone about them."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.phone_state.frame_stats import FRAME_NS, AppFrames
from collector.virtual.system.phone_state.state import SystemState


class Graphics:
    """The counts of drawn frames. Every method may be called from any thread."""

    def __init__(self, state: SystemState, manager: ActivityManager) -> None:
        self._state = state
        manager.ended.append(state.frames.forget)

    def frames(self, package: str) -> AppFrames:
        """The frames of an app since its process started, or since :meth:`reset`."""
        with self._state.lock:
            counts = self._state.frames.of(package, self._state.clock.uptime_ns)
            return replace(counts, histogram=dict(counts.histogram), recent=deque(counts.recent))

    def reset(self, package: str) -> None:
        """Count an app's frames from zero."""
        with self._state.lock:
            self._state.frames.reset(package, self._state.clock.uptime_ns)

    def drawn_until(self, at_ns: int, package: str = "") -> float:
        """Frames of an app, or of all, until ``at_ns`` of uptime; a part of the frame in work then."""
        with self._state.lock:
            stats = self._state.frames
            if package:
                counts = stats.of(package, at_ns)
                drawn, recent = counts.drawn, [frame.vsync_ns for frame in counts.recent]
            else:
                drawn, recent = stats.drawn, list(stats.recent)
        later = sum(1 for vsync in recent if vsync > at_ns)
        before = [vsync for vsync in recent if vsync <= at_ns]
        if not before:
            return float(drawn - later)
        return drawn - later - 1 + min(1.0, (at_ns - before[-1]) / FRAME_NS)
