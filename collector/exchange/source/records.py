"""Read the records of a source, which may be of any shape, and find the pictures that they name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PureWindowsPath
from typing import Any

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.source import files as source_files
from collector.model.geometry import Size

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


def size_of(width: object, height: object) -> Size | None:
    """A size in pixels; None when either side is no sensible number."""
    if type(width) is int and type(height) is int and 0 < width < 100_000 and 0 < height < 100_000:
        return Size(width, height)
    return None


def named_file(name: object, folders: Sequence[Path]) -> Path | None:
    """The file that a record names by any path: its longest end that is a file in one of ``folders``.

    A record may name it by a path of the machine that it was made on. Nothing outside ``folders`` is found.
    """
    path = PureWindowsPath(text(name).replace("\0", ""))
    inside = path.parts[1:] if path.anchor else path.parts
    if ".." in inside:
        inside = inside[-1:]
    if not inside or inside[-1] in _NO_NAMES:
        return None
    for start in range(len(inside)):
        for folder in folders:
            found = folder.joinpath(*inside[start:])
            if source_files.is_file(found):
                return found
    return None


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
