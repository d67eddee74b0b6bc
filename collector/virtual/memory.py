"""Keeps a phone's process small: what it frees goes back to the system instead of waiting for more."""

from __future__ import annotations

import ctypes
import sys

# Numbers of glibc's malloc.h.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
_SETTINGS = {
    # One pool for all threads: with one each, every thread keeps the largest it ever needed.
    _M_ARENA_MAX: 1,
    # Whole pictures are mapped one by one and unmapped when freed; without a fixed limit the
    # first one that is freed raises it, and the heap is broken into pieces by those that follow.
    _M_MMAP_THRESHOLD: 512 * 1024,
    _M_TRIM_THRESHOLD: 512 * 1024,
}


def free_early() -> None:
    """For a process that is nothing but a phone; does nothing where malloc is not glibc's."""
    if not sys.platform.startswith("linux"):
        return
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        for name, value in _SETTINGS.items():
            set_option(name, value)
