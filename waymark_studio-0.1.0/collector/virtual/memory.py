"""Keep the memory of a phone's process small: give freed memory back to the system."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from pathlib import Path

from collector.host.malloc import limit_malloc, trim_malloc

_MADV_DONTNEED = 4
_PR_SET_THP_DISABLE = 41
_MAPPED_FROM = 512 * 1024


def configure_malloc() -> None:
    """Configure malloc for a process that only runs a phone; does nothing without glibc."""
    limit_malloc(arenas=1, mapped_from=_MAPPED_FROM, kept=_MAPPED_FROM)
    if not sys.platform.startswith("linux"):
        return
    # x264 asks for huge pages. One written byte of its large buffers, most of them hardly used, would then
    # take two megabytes. An old kernel that does not know the request refuses it, which does no harm.
    ctypes.CDLL(None).prctl(_PR_SET_THP_DISABLE, *map(ctypes.c_ulong, (1, 0, 0, 0)))


def release_memory() -> None:
    """Return free memory to the system and drop file-backed pages (code, tables, fonts), which reload on use.

    Loading its libraries costs a phone more memory than running them. Only pages that are mapped from a
    file and were never written to are dropped.
    """
    if not sys.platform.startswith("linux"):
        return
    trim_malloc()
    advise = ctypes.CDLL(None).madvise
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    for start, end in _reloadable.ranges():
        advise(start, end - start, _MADV_DONTNEED)


class _ReloadableRanges:
    """Address ranges that can be read from their files again; they change only when a file is mapped."""

    def __init__(self, process: Path = Path("/proc/self")) -> None:
        self._process = process
        self._maps: list[str] = []
        self._ranges: list[tuple[int, int]] = []

    def ranges(self) -> list[tuple[int, int]]:
        """Each range from its first address up to, not including, its last."""
        maps = [line for line in self._read("maps").splitlines() if _is_read_only(line)]
        if maps != self._maps:
            # The measures of each mapping take the system ten times as long to give.
            self._maps, self._ranges = maps, list(_never_written(self._read("smaps")))
        return self._ranges

    def _read(self, name: str) -> str:
        return (self._process / name).read_text(encoding="utf-8", errors="replace")


_reloadable = _ReloadableRanges()


def _is_read_only(mapping: str) -> bool:
    """Whether a line of a memory map is a file, mapped for this process alone, that cannot be written to."""
    _place, rights, _offset, _device, _inode, *path = mapping.split(maxsplit=5)
    return rights in ("r-xp", "r--p") and bool(path) and path[0].startswith("/")


def _never_written(smaps: str) -> Iterator[tuple[int, int]]:
    """Read-only ranges of files that have no page of the process's own, as relocated tables have."""
    place, own = "", 0
    for line in smaps.splitlines():
        name, _space, rest = line.partition(" ")
        if not name.endswith(":"):
            place, own = name if _is_read_only(line) else "", 0
        elif name in ("Anonymous:", "Swap:"):
            own += int(rest.split()[0])
        elif name == "VmFlags:" and place and not own:
            start, _dash, end = place.partition("-")
            yield int(start, 16), int(end, 16)
