"""Unpack untrusted zip files: check the path, kind, size and compression ratio of every entry."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path, PureWindowsPath

from collector.exchange.errors import ExchangeError
from collector.model.i18n import _
from collector.store.files import zip_safety

_BLOCK = 1024 * 1024


def unpack(path: Path, target: Path) -> None:
    """Unpack ``path`` into the empty folder ``target``; refuse the whole archive if any entry is unsafe."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            _check(path, entries, target)
            room = zip_safety.most_bytes(path.stat().st_size)
            for entry in entries:
                if not entry.is_dir():
                    room = _write(archive, entry, target, room)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise ExchangeError(
            _("{name} cannot be unpacked", name=path.name),
            str(error),
            _("Unpack it yourself and import the folder"),
        ) from None


def _check(path: Path, entries: list[zipfile.ZipInfo], target: Path) -> None:
    """Refuse an archive that is not safe, or too large for the disk."""
    if why := zip_safety.why_unsafe(entries, path.stat().st_size):
        raise ExchangeError(
            _("{name} is refused", name=path.name),
            why,
            _("Nothing was written; unpack it yourself if you trust it"),
        )
    total, free = sum(entry.file_size for entry in entries), shutil.disk_usage(_existing(target)).free
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
