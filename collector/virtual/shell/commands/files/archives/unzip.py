"""``unzip`` and ``zipinfo``: list, print and take out what a ZIP holds."""

from __future__ import annotations

import fnmatch
import io
import zipfile

from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_MOST = 64 << 20
"""Bytes that one file in an archive may have."""


@command("unzip")
def unzip(process: Process) -> int:
    """``unzip [-d DIR] [-lnopqv] ZIP [FILE...] [-x FILE...]``."""
    words, excluded = list(process.arguments), []
    if "-x" in words:
        place = words.index("-x")
        words, excluded = words[:place], words[place + 1 :]
    options = read_options("unzip", words, "lnopqvt", "d")
    if not options.operands:
        raise CommandError("unzip: missing archive filename")
    with _opened(process, options.operands[0]) as archive:
        chosen = [
            entry
            for entry in archive.infolist()
            if _matches(entry.filename, options.operands[1:])
            and not (excluded and _matches(entry.filename, excluded))
        ]
        if "p" in options:
            for entry in chosen:
                process.stdout.write(_content(archive, entry))
            return 0
        if "q" not in options:
            process.line(f"Archive:  {options.operands[0]}")
        if "l" in options or "v" in options:
            _print_list(process, chosen)
            return 0
        for entry in chosen:
            _take(process, archive, entry, options)
    return 0


@command("zipinfo")
def zipinfo(process: Process) -> int:
    """``zipinfo -1 ZIP`` prints the names."""
    options = read_options("zipinfo", process.arguments, "1hlt")
    if not options.operands:
        raise CommandError("zipinfo: missing archive filename")
    with _opened(process, options.operands[0]) as archive:
        for entry in archive.infolist():
            process.line(entry.filename)
    return 0


def _opened(process: Process, name: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(process.machine.files.read(process.path(name))))
    except OSError:
        raise CommandError(f"{process.name}: couldn't open {name}: I/O error") from None
    except zipfile.BadZipFile:
        raise CommandError(f"{process.name}: couldn't open {name}: Invalid file") from None


def _matches(name: str, patterns: list[str]) -> bool:
    return not patterns or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    if entry.file_size > _MOST:
        raise CommandError(f"unzip: failed to extract {entry.filename}: I/O error")
    with archive.open(entry) as source:
        return source.read(_MOST)


def _print_list(process: Process, entries: list[zipfile.ZipInfo]) -> None:
    process.line("  Length      Date    Time    Name\n---------  ---------- -----   ----")
    for entry in entries:
        year, month, day, hour, minute, _second = entry.date_time
        process.line(
            f"{entry.file_size:>9}  {year}-{month:02d}-{day:02d} {hour:02d}:{minute:02d}   {entry.filename}"
        )
    total, count = sum(entry.file_size for entry in entries), len(entries)
    process.line(
        f"---------                     -------\n{total:>9}                     {count} "
        f"file{'s'[: count != 1]}"
    )


def _take(
    process: Process, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, options: CommandOptions
) -> None:
    """Write one entry below the folder that was named; none may leave it."""
    base = process.path(options.get("d") or ".")
    name, files = entry.filename, process.machine.files
    if name.startswith("/") or ".." in name.split("/"):
        raise CommandError(f"unzip: bad filename {name}")
    folder = f"{base}/{name}".rpartition("/")[0]
    loud = "q" not in options
    try:
        files.make_directory(folder, parents=True)
        if entry.is_dir():
            if loud:
                process.line(f"   creating: {name}")
            return
        if files.exists(f"{base}/{name}") and "o" not in options:
            if "n" in options:
                return
            raise CommandError(f"unzip: {name} exists; use -o to overwrite or -n to skip")
        if loud:
            process.line(f"  inflating: {name}")
        files.write(f"{base}/{name}", _content(archive, entry))
    except OSError as error:
        raise CommandError(f"unzip: couldn't create file {name}: {error.strerror}") from None
