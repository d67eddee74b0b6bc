"""Unpack untrusted zip files: check the path, kind, size and compression ratio of every entry."""

from __future__ import annotations

import shutil
import stat
import zipfile
from pathlib import Path, PurePosixPath, PureWindowsPath

from collector.exchange.errors import ExchangeError
from collector.model.i18n import _

MAX_ENTRIES = 200_000
MAX_BYTES = 8 * 1024**3
MAX_RATIO = 200
"""Times its size that one entry may unpack to."""
MAX_TOTAL_RATIO = 100
"""Times its size that the whole archive may unpack to: many small entries add up too."""
_SMALL = 1024 * 1024
_SMALL_TOTAL = 64 * 1024 * 1024
_BLOCK = 1024 * 1024


def unpack(path: Path, target: Path) -> None:
    """Unpack ``path`` into the empty folder ``target``; refuse the whole archive if any entry is unsafe."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            _check(path, entries)
            room = min(MAX_BYTES, _most_bytes(path))
            _check_total(path, entries, target)
            for entry in entries:
                if not entry.is_dir():
                    room = _write(archive, entry, target, room)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise ExchangeError(
            _("{name} cannot be unpacked", name=path.name),
            str(error),
            _("Unpack it yourself and import the folder"),
        ) from None


def _check(path: Path, entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MAX_ENTRIES:
        raise _refused(path, _("it holds more than {count} files", count=MAX_ENTRIES))
    names: dict[str, str] = {}
    for entry in entries:
        name = entry.filename
        windows = PureWindowsPath(name)
        if (
            "\x00" in name
            or ".." in windows.parts
            or windows.drive
            or windows.root
            or PurePosixPath(name).is_absolute()
        ):
            raise _refused(path, _("its entry {name!r} leads outside the folder", name=name))
        if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise _refused(path, _("its entry {name!r} is a link or a device", name=name))
        if entry.file_size > _SMALL and entry.file_size > MAX_RATIO * max(entry.compress_size, 1):
            raise _refused(
                path,
                _("its entry {name!r} unpacks to over {ratio} times its size", name=name, ratio=MAX_RATIO),
            )
        folded = name.replace("\\", "/").casefold()
        if folded in names and not entry.is_dir():
            raise _refused(path, _("two of its entries are called {name!r}", name=name))
        names[folded] = name


def _most_bytes(path: Path) -> int:
    """Bytes that the archive may unpack to, by its own size."""
    return max(_SMALL_TOTAL, MAX_TOTAL_RATIO * path.stat().st_size)


def _check_total(path: Path, entries: list[zipfile.ZipInfo], target: Path) -> None:
    """Refuse an archive that is too large as a whole, for any disk or for this one."""
    total = sum(entry.file_size for entry in entries)
    if total > MAX_BYTES:
        raise _refused(path, _("it unpacks to more than {size} GB", size=MAX_BYTES >> 30))
    if total > _most_bytes(path):
        why = _("it unpacks to over {ratio} times its size", ratio=MAX_TOTAL_RATIO)
        raise _refused(path, why)
    if sum(entry.compress_size for entry in entries) > path.stat().st_size:
        raise _refused(path, _("its entries share their data, as no program packs them"))
    free = shutil.disk_usage(_existing(target)).free
    if total > free:
        raise ExchangeError(
            _("{name} cannot be unpacked", name=path.name),
            _("it needs {size} MB and the disk has {free} MB left", size=total >> 20, free=free >> 20),
            _("Free some space and import it again"),
        )


def _existing(folder: Path) -> Path:
    """``folder``, or the innermost folder around it that exists."""
    return next(place for place in (folder, *folder.absolute().parents) if place.is_dir())


def _write(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, room: int) -> int:
    """Unpack one entry and count its bytes, because its header may lie. Returns the bytes left to unpack."""
    place = target.joinpath(*PureWindowsPath(entry.filename).parts)
    place.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(entry) as source, place.open("xb") as file:
        while block := source.read(_BLOCK):
            room -= len(block)
            if room < 0:
                raise ExchangeError(
                    _("{name} is larger when unpacked than its index says", name=archive.filename)
                )
            file.write(block)
    return room


def _refused(path: Path, why: str) -> ExchangeError:
    return ExchangeError(
        _("{name} is refused", name=path.name),
        why,
        _("Nothing was written; unpack it yourself if you trust it"),
    )
