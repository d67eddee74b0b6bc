"""Why a zip file is not safe to read: paths, kinds, sizes and compression ratios of its entries."""

from __future__ import annotations

import re
import stat
from collections.abc import Sequence
from pathlib import PurePosixPath, PureWindowsPath
from zipfile import ZipInfo

from collector.model.i18n import _

MAX_ENTRIES = 200_000
MAX_BYTES = 8 * 1024**3
MAX_RATIO = 200
"""Times its size that one entry may unpack to."""
MAX_TOTAL_RATIO = 100
"""Times its size that the whole archive may unpack to: many small entries add up too."""
_SMALL = 1024 * 1024
_SMALL_TOTAL = 64 * 1024 * 1024
_SUSPICIOUS = re.compile(r"[\\:\x00]|\.\.|^/")
"""Only names with this are looked at closely: an archive has tens of thousands."""


def why_unsafe(entries: Sequence[ZipInfo], archive_bytes: int) -> str:
    """Why an archive of so many bytes is refused, as the end of a sentence; empty when it may be read."""
    if len(entries) > MAX_ENTRIES:
        return _("it holds more than {count} files", count=MAX_ENTRIES)
    names: set[str] = set()
    for entry in entries:
        if why := _why_entry(entry):
            return why
        folded = entry.filename.replace("\\", "/").casefold()
        if folded in names and not entry.is_dir():
            return _("two of its entries are called {name!r}", name=entry.filename)
        names.add(folded)
    return _why_total(entries, archive_bytes)


def most_bytes(archive_bytes: int) -> int:
    """Bytes that an archive of so many bytes may unpack to."""
    return min(MAX_BYTES, _most_by_ratio(archive_bytes))


def _why_entry(entry: ZipInfo) -> str:
    name = entry.filename
    if not name:
        return _("one of its entries has no name")
    if _SUSPICIOUS.search(name) and _leads_outside(name):
        return _("its entry {name!r} leads outside the folder", name=name)
    if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return _("its entry {name!r} is a link or a device", name=name)
    if entry.file_size > _SMALL and entry.file_size > MAX_RATIO * max(entry.compress_size, 1):
        return _("its entry {name!r} unpacks to over {ratio} times its size", name=name, ratio=MAX_RATIO)
    return ""


def _leads_outside(name: str) -> bool:
    windows = PureWindowsPath(name)
    return bool(
        "\x00" in name
        or ".." in windows.parts
        or windows.drive
        or windows.root
        or PurePosixPath(name).is_absolute()
    )


def _why_total(entries: Sequence[ZipInfo], archive_bytes: int) -> str:
    total = sum(entry.file_size for entry in entries)
    if total > MAX_BYTES:
        return _("it unpacks to more than {size} GB", size=MAX_BYTES >> 30)
    if total > _most_by_ratio(archive_bytes):
        return _("it unpacks to over {ratio} times its size", ratio=MAX_TOTAL_RATIO)
    if sum(entry.compress_size for entry in entries) > archive_bytes:
        return _("its entries share their data, as no program packs them")
    return ""


def _most_by_ratio(archive_bytes: int) -> int:
    return max(_SMALL_TOTAL, MAX_TOTAL_RATIO * archive_bytes)
