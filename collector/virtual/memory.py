"""Keep the memory of a phone's process small: give freed memory back to the system."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from pathlib import Path

# Constants of glibc's malloc.h.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
_MADV_DONTNEED = 4
_PR_SET_THP_DISABLE = 41
_SETTINGS = {
    # Use one pool for all threads: with one pool each, every thread keeps its peak usage.
    _M_ARENA_MAX: 1,
    # Large images are mapped one by one and unmapped when freed. Without a fixed limit the first
    # freed image raises the limit, and the following ones fragment the heap.
    _M_MMAP_THRESHOLD: 512 * 1024,
    _M_TRIM_THRESHOLD: 512 * 1024,
}


def configure_malloc() -> None:
    """Configure malloc for a process that only runs a phone; does nothing without glibc."""
    if not sys.platform.startswith("linux"):
        return
    library = ctypes.CDLL(None)
    set_option = getattr(library, "mallopt", None)
    if set_option is not None:
        for name, value in _SETTINGS.items():
            set_option(name, value)
    # x264 asks for huge pages. One written byte of its large buffers, most of them hardly used, would then
    # take two megabytes. An old kernel that does not know the request refuses it, which does no harm.
    library.prctl(_PR_SET_THP_DISABLE, *map(ctypes.c_ulong, (1, 0, 0, 0)))


def release_memory() -> None:
    """Return free memory to the system and drop file-backed pages (code, fonts), which reload on use.

    Loading its libraries costs a phone more memory than running them. Only pages that are mapped from a
    file and cannot have been written to are dropped.
    """
    if not sys.platform.startswith("linux"):
        return
    library = ctypes.CDLL(None)
    trim, advise = getattr(library, "malloc_trim", None), library.madvise
    if trim is not None:
        trim(0)
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    for start, end in _read_again(Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")):
        advise(start, end - start, _MADV_DONTNEED)


def _read_again(maps: str) -> Iterator[tuple[int, int]]:
    """Address ranges of code and fonts in a process's memory map."""
    for line in maps.splitlines():
        place, rights, _offset, _device, _inode, *path = line.split(maxsplit=5)
        if path and path[0].startswith("/") and (rights == "r-xp" or _is_font(rights, path[0])):
            start, _dash, end = place.partition("-")
            yield int(start, 16), int(end, 16)


def _is_font(rights: str, path: str) -> bool:
    return rights.startswith("r--") and path.endswith((".ttf", ".otf", ".ttc"))
