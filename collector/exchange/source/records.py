"""Read the records of a source, which may be of any shape, and find the pictures that they name."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath, PureWindowsPath
from typing import Any

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.source import files as source_files
from collector.model.geometry import Size
from collector.model.i18n import _

_MOST_PIXELS = 100_000
_NO_NAMES = ("", ".", "..")


def read_record(path: Path, log: ExchangeLog) -> Any:
    """The value of a JSON file; None, with a finding, when it cannot be read."""
    log.use(path)
    try:
        return source_files.read_json(path)
    except ExchangeError as error:
        log.add("record-unreadable", str(error))
        return None


def read_mapping(path: Path, log: ExchangeLog) -> dict[str, Any]:
    """The mapping of a JSON file; an empty one, with a finding, when there is none."""
    return mapping(read_record(path, log))


def mapping(value: object) -> dict[str, Any]:
    """``value`` when it is a mapping, otherwise an empty one."""
    return value if isinstance(value, dict) else {}


def mappings(value: object) -> list[dict[str, Any]]:
    """The mappings of a list; none when ``value`` is no list."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def text(value: object) -> str:
    """A text or a number as text; empty for anything else."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    try:
        return str(value)
    except ValueError:  # of more digits than Python writes
        return ""


def pick(values: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """The entries of ``values`` with these names that say something."""
    return {name: values[name] for name in names if values.get(name) not in (None, "", [], {})}


def number_in(value: object) -> float:
    """A finite number, or the one that a text writes. Raises ValueError when ``value`` is none."""
    try:
        found = float(text(value))
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise ValueError(_("a value of it is not of the kind that the format has there"))
    return found


def numbers(value: object) -> list[float]:
    """The numbers of a list. Raises ValueError when one is none, or ``value`` is no list."""
    if not isinstance(value, (list, tuple)):
        raise ValueError(_("a touch without a place"))
    return [number_in(each) for each in value]


def whole(value: object) -> int | None:
    """A whole number, as ``1``, ``1.0`` or ``"1"``; None for anything else."""
    try:
        found = number_in(value)
    except ValueError:
        return None
    return int(found) if found.is_integer() else None


def size_of(width: object, height: object) -> Size | None:
    """A size in pixels; None when either side is no sensible number."""
    across, down = whole(width), whole(height)
    if across is None or down is None or not (0 < across < _MOST_PIXELS and 0 < down < _MOST_PIXELS):
        return None
    return Size(across, down)


def named_file(name: object, folders: Sequence[Path]) -> Path | None:
    """The file that a record names by any path: its longest end that is a file in one of ``folders``.

    A record may name it by a path of the machine that it was made on. Nothing outside ``folders`` is found.
    Of a picture that is not there, one with the same name and another ending of pictures is found.
    """
    path = PureWindowsPath(text(name).replace("\0", ""))
    inside = path.parts[1:] if path.anchor else path.parts
    if ".." in inside:
        inside = inside[-1:]
    if not inside or inside[-1] in _NO_NAMES:
        return None
    for name in (path.name, *_other_endings(path)):
        for start in range(len(inside)):
            for folder in folders:
                found = folder.joinpath(*inside[start:-1], name)
                if source_files.is_file(found):
                    return found
    return None


def _other_endings(path: PurePath) -> Iterator[str]:
    """The names that a picture has in another form; none for another file."""
    if path.suffix.lower() in source_files.PICTURES:
        for ending in source_files.PICTURES:
            yield from (f"{path.stem}{ending}", f"{path.stem}{ending.upper()}")


def line_records(path: Path, log: ExchangeLog, what: str) -> Iterator[dict[str, Any]]:
    """The records of a file of JSON lines one by one; ``what`` says in a sentence that a line is none."""
    log.where = path.name
    log.use(path)
    try:
        for number, line, end in source_files.json_lines(path):
            log.read_to(path, end)
            if line is not None:
                yield line
            else:
                log.where = path.name
                log.add("line-unreadable", what, step=number)
    except ExchangeError as error:
        log.where = path.name
        log.add("record-unreadable", str(error))
