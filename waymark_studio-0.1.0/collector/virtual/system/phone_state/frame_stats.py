"""The frames that apps draw, as ``dumpsys gfxinfo`` and SurfaceFlinger report them."""

from __future__ import annotations

import zlib
from collections import deque
from dataclasses import dataclass, field

FRAME_NS = 16_666_667
"""The time of a frame at 60 Hz."""
_KEPT, _KEPT_OF_ALL = 120, 1024
_FIRST_MS, _SLOW_MS = 46.0, 24.0


@dataclass(frozen=True, slots=True)
class DrawnFrame:
    """A frame: when it was due, and how long its drawing took; both in ns of uptime."""

    vsync_ns: int
    duration_ns: int


@dataclass(slots=True)
class AppFrames:
    """The frames of one app since its process started or its counts were reset."""

    since_ns: int
    total: int = 0
    drawn: int = 0
    """Frames since the process started, whatever was reset."""
    histogram: dict[int, int] = field(default_factory=dict)
    """Number of frames by their duration in whole ms."""
    recent: deque[DrawnFrame] = field(default_factory=lambda: deque(maxlen=_KEPT))


class FrameStats:
    """Count frames per app. The phone's lock protects it."""

    def __init__(self) -> None:
        self._apps: dict[str, AppFrames] = {}
        self.drawn = 0
        """Frames of all apps since the phone was switched on."""
        self.recent: deque[int] = deque(maxlen=_KEPT_OF_ALL)
        """When the latest of them were due, in ns of uptime."""
        self._last_ns = -FRAME_NS

    def note(self, package: str, uptime_ns: int) -> None:
        """The app changed what it shows; changes within one frame are drawn together."""
        if uptime_ns - self._last_ns < FRAME_NS:
            return
        self._last_ns = vsync = uptime_ns - uptime_ns % FRAME_NS
        app = self._apps.get(package)
        if app is None:
            app = self._apps[package] = AppFrames(uptime_ns)
        duration = _duration_ns(package, app.drawn)
        app.total += 1
        app.drawn += 1
        self.drawn += 1
        self.recent.append(vsync)
        app.recent.append(DrawnFrame(vsync, duration))
        milliseconds = duration // 1_000_000
        app.histogram[milliseconds] = app.histogram.get(milliseconds, 0) + 1

    def of(self, package: str, uptime_ns: int) -> AppFrames:
        """The counts of an app; zeros when it drew nothing."""
        return self._apps.get(package) or AppFrames(uptime_ns)

    def reset(self, package: str, uptime_ns: int) -> None:
        """Count from zero, as ``dumpsys gfxinfo PACKAGE reset``."""
        app = self._apps.get(package)
        if app is not None:
            self._apps[package] = AppFrames(uptime_ns, drawn=app.drawn)

    def forget(self, package: str) -> None:
        """The app's process ended, and its counts with it."""
        self._apps.pop(package, None)


def _duration_ns(package: str, number: int) -> int:
    """How long a phone would take: 5 to 9 ms, longer for the first frame and for one in thirty."""
    share = zlib.crc32(f"{package} {number}".encode()) / 2**32
    base = _FIRST_MS if not number else _SLOW_MS if share > 0.97 else 5.0
    return int((base + 4 * share) * 1_000_000)
