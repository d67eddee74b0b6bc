"""Let a process end without a last look for garbage: all its memory goes back to the system anyway."""

from __future__ import annotations

import atexit
import gc


def end_without_collecting() -> None:
    """Leave every object out of the collections with which Python ends; call it once in an entry point.

    They took a quarter of the time of a verb that judges a project, and 0.2 s of each worker. What is closed
    at the end of a process is closed by its owner or by :mod:`atexit`, which runs what it was given later
    before this.
    """
    atexit.register(gc.freeze)
