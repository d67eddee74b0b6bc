"""Find the texts in files of any kind: in archives, databases, tables, pages, pictures and plain bytes.

Nothing is read from pictures but what is written beside them, as in EXIF.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import gzip
import html
import io
import json
import re
import sqlite3
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from collector.host.own_database import temporary
from collector.model.i18n import _
from collector.pictures.decoding import written_beside
from collector.pictures.errors import PictureError
from collector.store.files.zip_safety import why_unsafe

_DEEPEST = 6
"""Files in files in files."""
LARGEST = 1 << 30
"""Bytes of a file, or of what one unpacks to, that are read."""
_CODE = re.compile(rb"[A-Za-z0-9+/]{64,}={0,2}")
"""Bytes in base64: pictures and trees in pages."""
_SAID = re.compile(rb"[\t\n\r\x20-\x7e\x80-\xff]{3,}")
_WIDE = re.compile(rb"(?:[\x20-\x7e]\x00){3,}")
_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF", b"GIF8", b"BM")
_VIDEOS = (b"\x1a\x45\xdf\xa3",)
_RAW_DEFLATE = -15
_NAMES = frozenset(
    (
        # Of programs, and no text of a person: as redaction leaves them.
        "kind", "phase", "control", "person", "status", "verdict", "rule", "rules", "anomaly", "transition",
        "event", "package", "activity", "class", "resource-id", "resource_id", "id", "code", "plural",
        "sha256", "screenshot", "tree", "software", "apps", "installed", "wall_time", "started", "finished",
        "index", "bounds", "source",
    )
)  # fmt: skip
"""Keys whose texts name something."""
_ATTRIBUTE = re.compile(r"""\s(?:resource-id|class|package)\s*=\s*(?:"[^"]*"|'[^']*')""")


@dataclass(frozen=True, slots=True)
class FoundText:
    """A text and where it is: the file, with what it is in, and a line or a key.

    A place in JSON is the path of its keys, as ``action.text``; in lines of JSON the line stands before it.
    """

    where: str
    place: str
    text: str


@dataclass(slots=True)
class FileSearch:
    """Reads the texts of files, and collects the files in them and what could not be read."""

    files: list[tuple[str, bytes]] = field(default_factory=list)
    """The files inside of the one that is read, with their names: to be compared with known ones."""
    unread: list[tuple[str, str]] = field(default_factory=list)
    """What could not be searched, and why."""

    def texts(self, name: str, data: bytes, depth: int = 0) -> Iterator[FoundText]:
        """The texts of a file of the name ``name``, and of the files in it."""
        self.files.append((name, data))
        if depth > _DEEPEST:
            self.unread.append((name, _("it is packed too deeply")))
            return
        if data[:2] == b"PK":
            yield from self._zip(name, data, depth)
        elif data[:2] == b"\x1f\x8b":
            yield from self._gzip(name, data, depth)
        elif data[:16] == b"SQLite format 3\0":
            yield from self._sqlite(name, data, depth)
        elif data[:4] == b"PAR1":
            yield from self._parquet(name, data, depth)
        elif data.startswith(_PICTURES):
            yield from picture_texts(name, data)
        else:
            if data.startswith(_VIDEOS) or data[4:8] == b"ftyp":
                self.unread.append((name, _("the pictures of a video are not looked at")))
            yield from self._plain(name, data, depth)

    def _zip(self, name: str, data: bytes, depth: int) -> Iterator[FoundText]:
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                entries = archive.infolist()
                if why := why_unsafe(entries, len(data)):
                    self.unread.append((name, why))
                    return
                yield FoundText(name, "", archive.comment.decode(errors="replace"))
                for entry in entries:
                    yield FoundText(f"{name}!{entry.filename}", "", entry.filename)
                    if entry.file_size > LARGEST:
                        self.unread.append((f"{name}!{entry.filename}", _("it is too large")))
                    elif not entry.is_dir():
                        yield from self.texts(f"{name}!{entry.filename}", archive.read(entry), depth + 1)
        except (
            zipfile.BadZipFile,
            NotImplementedError,
            RuntimeError,
            OSError,
            ValueError,
            zlib.error,
        ) as error:
            self.unread.append((name, str(error)))

    def _gzip(self, name: str, data: bytes, depth: int) -> Iterator[FoundText]:
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
                unpacked = file.read(LARGEST)
        except (OSError, EOFError, zlib.error) as error:
            self.unread.append((name, str(error)))
            return
        yield from self.texts(f"{name}!", unpacked, depth + 1)

    def _sqlite(self, name: str, data: bytes, depth: int) -> Iterator[FoundText]:
        yield from self._said(name, data)  # rows that were deleted are in free pages
        with contextlib.closing(temporary()) as database:
            try:
                database.execute("PRAGMA trusted_schema = OFF")  # it may have come from anybody
                database.deserialize(data)
                tables = [
                    row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type='table'")
                ]
                for table in tables:
                    quoted = '"' + table.replace('"', '""') + '"'
                    for row in database.execute(f"SELECT * FROM {quoted}"):  # noqa: S608 - a quoted name
                        yield from self._values(name, table, row, depth)
            except sqlite3.Error as error:
                self.unread.append((name, str(error)))

    def _parquet(self, name: str, data: bytes, depth: int) -> Iterator[FoundText]:
        try:
            import pyarrow as pa
            import pyarrow.parquet as parquet
        except ImportError:
            self.unread.append((name, _("pyarrow is not installed, which reads it")))
            return
        try:
            for batch in parquet.ParquetFile(io.BytesIO(data)).iter_batches(256):
                for row in batch.to_pylist():
                    yield from self._values(name, "", row, depth)
        except (pa.ArrowException, OSError) as error:
            self.unread.append((name, str(error)))

    def _values(self, name: str, place: str, value: Any, depth: int) -> Iterator[FoundText]:
        """The texts of a value; bytes are files of their own."""
        if isinstance(value, str):
            yield FoundText(name, place, value)
            yield from self._coded(name, value.encode(errors="replace"), depth)
        elif isinstance(value, bytes | bytearray | memoryview):
            yield from self.texts(f"{name}!{place}", bytes(value), depth + 1)
        elif isinstance(value, dict):
            for key, item in value.items():
                if key not in _NAMES or isinstance(item, dict | list | bytes):
                    yield from self._values(name, _inside(place, str(key)), item, depth)
        elif isinstance(value, list):
            for number, item in enumerate(value):
                yield from self._values(name, f"{place}[{number}]", item, depth)
        elif isinstance(value, tuple):
            for item in value:
                yield from self._values(name, place, item, depth)

    def _plain(self, name: str, data: bytes, depth: int) -> Iterator[FoundText]:
        """Text, JSON, lines of JSON, or any other bytes."""
        values = _json_values(data)
        if values is not None:
            for place, value in values:
                yield from self._values(name, place, value, depth)
            return
        try:
            text = data.decode("utf-8")
            is_text = "\0" not in text
        except UnicodeDecodeError:
            is_text, text = False, ""
        if not is_text:
            yield from self._said(name, data)
        elif text.lstrip()[:1] == "<":
            for number, line in enumerate(text.split("\n"), start=1):
                yield FoundText(name, str(number), html.unescape(_ATTRIBUTE.sub("", line)))
        else:
            for number, line in enumerate(text.split("\n"), start=1):
                yield FoundText(name, str(number), line)
        yield from self._coded(name, data, depth)

    def _coded(self, name: str, data: bytes, depth: int) -> Iterator[FoundText]:
        """What is in base64 inside of other bytes: pictures, trees and documents, also deflated."""
        for match in _CODE.finditer(data):
            code = match[0]
            try:
                decoded = base64.b64decode(code + b"=" * (-len(code) % 4))
            except (binascii.Error, ValueError):
                continue
            with contextlib.suppress(zlib.error):
                decoded = zlib.decompress(decoded, _RAW_DEFLATE)
            yield from self.texts(f"{name}!base64", decoded, depth + 1)

    @staticmethod
    def _said(name: str, data: bytes) -> Iterator[FoundText]:
        """The texts in bytes of no known kind."""
        for match in _SAID.finditer(data):
            yield FoundText(name, f"@{match.start()}", match[0].decode("utf-8", "ignore"))
        for match in _WIDE.finditer(data):
            yield FoundText(name, f"@{match.start()}", match[0].decode("utf-16-le", "ignore"))


def _inside(place: str, key: str) -> str:
    """The place of a key in a value that is at ``place``, which may be a line."""
    return f"{place}{':' if place.isdecimal() else '.'}{key}" if place else key


def picture_texts(name: str, data: bytes) -> Iterator[FoundText]:
    """What is written beside the pixels of a picture."""
    try:
        written = written_beside(data)
    except PictureError:
        written = [("", data)]
    for key, value in written:
        for text in _as_texts(value):
            yield FoundText(name, str(key), text)


def _as_texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, bytes):
        wide = [value.decode(code, "ignore") for code in ("utf-16-le", "utf-16-be")]
        return [value.decode("utf-8", "ignore").replace("\0", " "), *wide]
    return []


def _json_values(data: bytes) -> list[tuple[str, Any]] | None:
    """The values of a JSON document or of lines of JSON, each with its place; None for anything else."""
    head = data.lstrip()[:1]
    if head not in (b"{", b"[", b'"'):
        return None
    try:
        return [("", json.loads(data))]
    except ValueError:
        pass
    values = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            try:
                values.append((str(number), json.loads(line)))
            except ValueError:
                values.append((str(number), line.decode(errors="replace")))
    return values
