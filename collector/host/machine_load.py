"""How many processors there are, and how much longer work takes because others use them too."""

from __future__ import annotations

import os
from pathlib import Path

MOST = 10.0
"""However loaded a machine is, nothing is said to take more times as long."""
_LOAD = Path("/proc/loadavg")


def usable_cores() -> int:
    """How many cores this program may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def slowness() -> float:
    """How many times longer work takes than on a machine without other work: 1 to :data:`MOST`.

    It is 1 where the system does not say its load, as on Windows.
    """
    return min(MOST, max(1.0, _ready() / usable_cores()))


def _ready() -> float:
    """How many threads use a processor or wait for one: now, or over the last minute if more."""
    try:
        words = _LOAD.read_text("ascii").split()
        return max(float(words[0]), float(words[3].partition("/")[0]) - 1)  # all but this thread
    except (OSError, ValueError, IndexError):
        pass  # not on Linux
    try:
        return os.getloadavg()[0]
    except (OSError, AttributeError):
        return 0.0
