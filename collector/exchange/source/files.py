"""List and read the files of a source: limited depth and size, natural order."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
from collections.abc import Collection, Iterable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from collector.exchange.errors import ExchangeError
from collector.model.cancellation import check_cancelled
from collector.model.i18n import _

MAX_DEPTH = 8
MAX_FILES = 5_000_000
"""Of a source; 100,000 trajectories of 20 steps have 4 million."""
MAX_JSON_BYTES = 64 * 1024 * 1024
_BLANK = b" \t\r\n\x0b\x0c\xef\xbb\xbf"
_MOST_GAPS = 4
"""Of numbers with more gaps than this for each of them, none is a count of steps."""
PICTURES = (".png", ".jpg", ".jpeg", ".webp")
TREES = (".xml", ".uix")
PICTURE = r"\.(?:png|jpe?g|webp)"
"""How the pattern of a numbered picture ends, for :func:`numbered`."""
_IGNORED = ("__MACOSX", ".git", ".DS_Store", "Thumbs.db", "desktop.ini")
_BESIDE = "._"
"""How the files begin in which macOS keeps what other disks have no room for; their endings say nothing."""


class _Walk:
    """The folders of a source with the names of their files, found once however often they are asked for."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._found: list[tuple[Path, tuple[str, ...]]] = []
        self._rest = _folders_with_files(root, 0) if root.is_dir() else iter(())

    def __iter__(self) -> Iterator[tuple[Path, tuple[str, ...]]]:
        for number in itertools.count():
            if number == len(self._found):
                check_cancelled()
                if (found := next(self._rest, None)) is None:
                    return
                self._found.append(found)
            yield self._found[number]


_walk: ContextVar[_Walk | None] = ContextVar("walk", default=None)


@contextlib.contextmanager
def walked_once(root: Path) -> Iterator[None]:
    """While the context is open, :func:`folders` and :func:`files` of ``root`` find its files only once.

    For many readers one after another, as all formats are asked whether they know a source. What changes
    meanwhile may not be seen. It takes some 60 bytes for a file.
    """
    token = _walk.set(_Walk(root))
    try:
        yield
    finally:
        _walk.reset(token)


def _walk_of(root: Path) -> Iterable[tuple[Path, tuple[str, ...]]]:
    known = _walk.get()
    if known is not None and known.root == root:
        return known
    return _folders_with_files(root, 0) if root.is_dir() else ()


def _folders_with_files(folder: Path, depth: int) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """A folder that can be read and those below it, in natural order; links to folders are not followed."""
    check_cancelled()
    below: list[str] = []
    own: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name in _IGNORED or entry.name.startswith(_BESIDE):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    below.append(entry.name)
                elif _is_file(entry):
                    own.append(entry.name)
    except OSError:
        return
    yield folder, tuple(sorted(own, key=natural))
    if depth < MAX_DEPTH:
        for name in sorted(below, key=natural):
            yield from _folders_with_files(folder / name, depth + 1)


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link that leads to itself
        return False


def folders(root: Path) -> Iterator[Path]:
    """``root`` and the folders below it, in natural order; links are not followed. Raises Cancelled."""
    for folder, _names in _walk_of(root):
        yield folder


def files(root: Path) -> Iterator[Path]:
    """Every file at or below ``root``, a folder at a time. Raises ExchangeError when there are too many."""
    if root.is_file():
        yield root
    count = 0
    for folder, names in _walk_of(root):
        for name in names:
            count += 1
            yield folder / name
        if count > MAX_FILES:
            raise ExchangeError(
                _("{name} holds too many files to import at once", name=root.name),
                _("the limit is {limit}", limit=MAX_FILES),
                _("Import its folders one by one"),
            )


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts ``step_2`` ahead of ``step_10``."""
    parts = re.split(r"(\d+)", text)
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part)


def numbered(folder: Path, pattern: str) -> dict[int, Path]:
    """Files of a folder whose whole name matches ``pattern`` in any case, by the number in its first group.

    Of two with one number, as a picture and its copy in another form, the one with the later ending counts.
    """
    by_number: dict[int, Path] = {}
    if folder.is_dir():
        for path in sorted(folder.iterdir()):
            match = re.fullmatch(pattern, path.name, re.IGNORECASE)
            if match and not path.name.startswith(_BESIDE) and path.is_file():
                by_number[int(match[1])] = path
    return dict(sorted(by_number.items()))


def missing(numbers: Collection[int], start: int) -> list[int]:
    """The numbers from ``start`` that are not among ``numbers``; none when those are no counts."""
    last = max(numbers, default=start)
    if last - start > _MOST_GAPS * len(numbers):
        return []
    return sorted(set(range(start, last)) - set(numbers))


def exists(path: Path) -> bool:
    """Whether there is something at ``path``; a name that nothing can have is none."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def is_file(path: Path) -> bool:
    """Whether ``path`` is a file; a name that no file can have is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def read_json(path: Path) -> Any:
    """Read a JSON file. Raises ExchangeError when it cannot be parsed or is too large."""
    data = _bytes(path)
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        is_deep = isinstance(error, RecursionError)
        why = _("it holds lists in lists without end") if is_deep else str(error)
        raise ExchangeError(_("{name} cannot be read as JSON", name=path.name), why) from None


def read_json_lines(path: Path) -> tuple[list[dict[str, Any]], list[int]]:
    """The mappings of a JSON-lines file, and the numbers of the lines that are no mapping.

    Raises ExchangeError when the file cannot be opened or is too large.
    """
    lines: list[dict[str, Any]] = []
    bad: list[int] = []
    for number, raw in enumerate(_bytes(path).decode("utf-8-sig", errors="replace").split("\n"), start=1):
        if not raw.strip():
            continue
        try:
            line = json.loads(raw)
        except (ValueError, RecursionError):
            line = None
        if isinstance(line, dict):
            lines.append(line)
        else:
            bad.append(number)
    return lines, bad


def json_lines(path: Path, start: int = 0) -> Iterator[tuple[int, dict[str, Any] | None, int]]:
    """The number of each line that is not empty, from 1, its mapping or None, and where it ends, in bytes.

    ``start`` is the byte to begin at, where an earlier line ended. One line at a time is in memory. Raises
    ExchangeError when the file cannot be opened.
    """
    try:
        with path.open("rb") as file:
            file.seek(start)
            for number in itertools.count(1):
                raw = file.readline(MAX_JSON_BYTES)
                if not raw:
                    return
                is_whole = raw.endswith(b"\n") or len(raw) < MAX_JSON_BYTES
                while not is_whole and (rest := file.readline(MAX_JSON_BYTES)):
                    is_whole = rest.endswith(b"\n")
                    raw = b"-"  # too long to be read
                if raw.strip(_BLANK):
                    yield number, _mapping(raw), file.tell()
    except OSError as error:
        raise unreadable(path, error) from None


def _mapping(raw: bytes) -> dict[str, Any] | None:
    try:
        line = json.loads(raw.decode("utf-8-sig", errors="replace"))
    except (ValueError, RecursionError):
        return None
    return line if isinstance(line, dict) else None


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_JSON_BYTES:
            raise ExchangeError(_("{name} is too large to be read", name=path.name))
        return path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from None


def read_text(path: Path, limit: int = 1_000_000) -> str:
    """The start of a text file, whatever its bytes. Raises ExchangeError when it cannot be opened."""
    return read_start(path, limit).decode("utf-8-sig", errors="replace")


def read_start(path: Path, limit: int) -> bytes:
    """The first ``limit`` bytes of a file. Raises ExchangeError when it cannot be opened."""
    try:
        with path.open("rb") as file:
            return file.read(limit)
    except OSError as error:
        raise unreadable(path, error) from None


def unreadable(path: Path, error: OSError) -> ExchangeError:
    """The sentence for a file that cannot be opened."""
    return ExchangeError(
        _("{name} cannot be read", name=path.name),
        error.strerror or str(error),
        _("Check that it is a file and that you may read it"),
    )
