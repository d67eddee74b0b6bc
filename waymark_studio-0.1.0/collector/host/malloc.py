"""Limit how much freed memory glibc's malloc keeps in this process, and return it to the system."""

from __future__ import annotations

import ctypes
import sys

# Constants of glibc's malloc.h.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8


_MEGABYTE = 1024 * 1024


def limit_malloc(*, arenas: int = 2, mapped_from: int = 4 * _MEGABYTE, kept: int = 16 * _MEGABYTE) -> None:
    """Set malloc's limits for the whole process, before its threads start; does nothing without glibc.

    ``arenas`` is the number of pools that all threads share: with a pool each, every thread keeps its peak
    usage. Blocks of ``mapped_from`` bytes and more are mapped one by one and unmapped when they are freed:
    without a fixed limit the first freed picture raises it, and the pictures that follow fragment the pools.
    ``kept`` is how many free bytes stay at the end of the main pool.

    The defaults are for a program whose threads decode, scale and store whole screens. The scaled frames of
    a mirror, 60 a second, are smaller than what is mapped.
    """
    if not sys.platform.startswith("linux"):
        return
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        set_option(_M_ARENA_MAX, arenas)
        set_option(_M_MMAP_THRESHOLD, mapped_from)
        set_option(_M_TRIM_THRESHOLD, kept)


def trim_malloc() -> None:
    """Return free memory of all pools to the system, in a few milliseconds; does nothing without glibc."""
    if not sys.platform.startswith("linux"):
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
