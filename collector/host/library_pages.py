"""Give back the pages of libraries and fonts that were read once; does nothing without Linux.

A process counts every page of a library that it ever touched. Of 120 MB most are of what a library does as it
is loaded. They are clean pages of files: the kernel has them, and gives them back when they are read again.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

_MADV_DONTNEED = 4
"""Of sys/mman.h: pages of a file that were not written are read from the file when they are needed again."""
_MAPS = Path("/proc/self/maps")
_PATH_AT = 5
_FIRST = "00000000"
_FONTS = (".ttf", ".otf", ".ttc", ".otc")


def release_library_pages(root: Path) -> None:
    """Give back code and symbols of the libraries under ``root``, none of which may ever be unloaded.

    Data is left alone: the loader has written to some of it.
    """
    if not sys.platform.startswith("linux"):
        return
    _release(code_of(_lines(), f"{root}/"))


def release_font_pages() -> None:
    """Give back what was read of fonts: 30 MB of one for Chinese, which each of its faces counts again.

    Only while no other thread can close a font: what came to stand in its place would be lost.
    """
    if sys.platform.startswith("linux"):
        _release(fonts_of(_lines()))


def _lines() -> list[str]:
    try:
        return _MAPS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:  # /proc can be closed
        return []


def _release(places: Iterable[tuple[int, int]]) -> None:
    advise = ctypes.CDLL(None).madvise
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    for start, end in places:
        advise(start, end - start, _MADV_DONTNEED)


def fonts_of(lines: Iterable[str]) -> Iterator[tuple[int, int]]:
    """First and last address of fonts that are read and never written, from lines of ``/proc/self/maps``."""
    for line in lines:
        parts = line.split(maxsplit=_PATH_AT)
        if len(parts) > _PATH_AT and parts[1] == "r--p" and parts[_PATH_AT].lower().endswith(_FONTS):
            yield _addresses(parts[0])


def code_of(lines: Iterable[str], root: str) -> Iterator[tuple[int, int]]:
    """First and last address of what no loader writes to, from lines of ``/proc/self/maps``."""
    for line in lines:
        parts = line.split(maxsplit=_PATH_AT)
        if len(parts) <= _PATH_AT or not parts[_PATH_AT].startswith(root) or ".so" not in parts[_PATH_AT]:
            continue
        place, rights, offset = parts[:3]
        if rights == "r-xp" or (rights == "r--p" and offset == _FIRST):
            yield _addresses(place)


def _addresses(place: str) -> tuple[int, int]:
    start, _dash, end = place.partition("-")
    return int(start, 16), int(end, 16)
