"""``resources.arsc``: texts and files of a package by resource id, ``ResTable`` of ``ResourceTypes.h``."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from collector.virtual.apk.binary_xml import REFERENCE, STRING
from collector.virtual.apk.string_pool import StringPool, pool_bytes

_TABLE, _STRINGS, _PACKAGE, _SPEC, _TYPE = 0x0002, 0x0001, 0x0200, 0x0202, 0x0201
_CONFIG_SIZE, _PACKAGE_HEAD, _TYPE_HEAD = 64, 288, 84
_COMPLEX, _COMPACT = 0x0001, 0x0008
_SPARSE, _OFFSET16 = 0x01, 0x02
_NO_ENTRY = 0xFFFFFFFF
_LONGEST_CHAIN = 20
"""References that are followed from one to the next."""
OWN_PACKAGE = 0x7F
_MIPMAP, _STRING_TYPE = 1, 2
ICON = OWN_PACKAGE << 24 | _MIPMAP << 16
"""The resource of the launcher icon in a table that is written here; texts follow from :func:`text_id`."""


def text_id(number: int) -> int:
    """The resource of the text with that number in a table that is written here."""
    return OWN_PACKAGE << 24 | _STRING_TYPE << 16 | number


@dataclass(frozen=True, slots=True)
class ResourceValue:
    """One value of a resource, with the language (``zh``, empty for all) and density (in dpi) it is for."""

    text: str
    language: str
    density: int


# ---- reading --------------------------------------------------------------------------------------


class ResourceTable:
    """The table of a package. Methods raise ValueError for one that is damaged."""

    def __init__(self, data: bytes) -> None:
        self._data = memoryview(data)
        self._pool: StringPool | None = None
        self._types: dict[tuple[int, int], list[int]] = {}
        """Where the chunks of a type of a package are."""
        try:
            self._index()
        except (struct.error, IndexError) as error:
            raise ValueError(f"the table of resources is damaged: {error}") from None

    def values(self, resource: int) -> list[ResourceValue]:
        """The texts of a resource, with references followed; of a file it is the path in the package."""
        try:
            return list(self._values(resource, 0))
        except (struct.error, IndexError) as error:
            raise ValueError(f"the table of resources is damaged: {error}") from None

    def _index(self) -> None:
        kind, head, size, _packages = struct.unpack_from("<HHII", self._data)
        if kind != _TABLE:
            raise ValueError("not a table of resources")
        for at, chunk_kind in self._chunks(head, min(size, len(self._data))):
            if chunk_kind == _STRINGS and self._pool is None:
                self._pool = StringPool(self._data[at:])
            elif chunk_kind == _PACKAGE:
                self._index_package(at)

    def _index_package(self, at: int) -> None:
        _kind, head, size, number = struct.unpack_from("<HHII", self._data, at)
        for place, kind in self._chunks(at + head, at + size):
            if kind == _TYPE:
                self._types.setdefault((number & 0xFF, self._data[place + 8]), []).append(place)

    def _chunks(self, at: int, end: int) -> Iterator[tuple[int, int]]:
        while at + 8 <= end:
            kind, _head, length = struct.unpack_from("<HHI", self._data, at)
            yield at, kind
            at += max(length, 8)

    def _values(self, resource: int, followed: int) -> Iterator[ResourceValue]:
        package, kind, entry = resource >> 24, resource >> 16 & 0xFF, resource & 0xFFFF
        for place in self._types.get((package, kind), []):
            at = self._entry(place, entry)
            if at is None:
                continue
            language, density = self._configuration(place)
            value_kind, value = self._value(at)
            if value_kind == STRING and self._pool is not None:
                yield ResourceValue(self._pool[value], language, density)
            elif value_kind == REFERENCE and value and followed < _LONGEST_CHAIN:
                yield from self._values(value, followed + 1)

    def _entry(self, place: int, entry: int) -> int | None:
        """Where the entry is in a chunk of its type; None when this chunk does not have it."""
        _kind, head, _size, _id, flags, _reserved, count, start = struct.unpack_from(
            "<HHIBBHII", self._data, place
        )
        offset: int | None = None
        if flags & _SPARSE:
            for number in range(count):
                index, quarter = struct.unpack_from("<HH", self._data, place + head + 4 * number)
                if index == entry:
                    offset = quarter * 4
        elif entry < count and flags & _OFFSET16:
            (quarter,) = struct.unpack_from("<H", self._data, place + head + 2 * entry)
            offset = None if quarter == 0xFFFF else quarter * 4
        elif entry < count:
            (offset,) = struct.unpack_from("<I", self._data, place + head + 4 * entry)
        return None if offset in (None, _NO_ENTRY) else place + start + offset

    def _value(self, at: int) -> tuple[int, int]:
        """Kind and content of an entry; 0, 0 for one that is a bag of values."""
        size, flags, key = struct.unpack_from("<HHI", self._data, at)
        if flags & _COMPACT:
            return flags >> 8, key
        if flags & _COMPLEX:
            return 0, 0
        kind, value = struct.unpack_from("<3xBI", self._data, at + size)
        return kind, value

    def _configuration(self, place: int) -> tuple[str, int]:
        """The language and the density of a chunk of a type."""
        language = bytes(self._data[place + 28 : place + 30]).rstrip(b"\0")
        (density,) = struct.unpack_from("<H", self._data, place + 34)
        return language.decode("ascii", "replace"), density


# ---- writing --------------------------------------------------------------------------------------


def table_bytes(package: str, texts: Mapping[str, Mapping[str, str]], icons: Mapping[int, str]) -> bytes:
    """A table with texts by name and language (empty for all others), and files of the icon by density."""
    pool: dict[str, int] = {}

    def number(text: str) -> int:
        return pool.setdefault(text, len(pool))

    languages = sorted({language for by_language in texts.values() for language in by_language})
    types = _type_spec(_MIPMAP, 1) + b"".join(
        _type(_MIPMAP, [number(path)], "", density, [0]) for density, path in sorted(icons.items())
    )
    types += _type_spec(_STRING_TYPE, len(texts))
    for language in languages:
        values = [number(text[language]) if language in text else None for text in texts.values()]
        types += _type(_STRING_TYPE, values, language, 0, list(range(1, len(texts) + 1)))
    type_names, keys = pool_bytes(["mipmap", "string"]), pool_bytes(["ic_launcher", *texts])
    name = package.encode("utf-16-le")[:254].ljust(256, b"\0")
    head = struct.pack("<I", OWN_PACKAGE) + name
    head += struct.pack("<IIIII", _PACKAGE_HEAD, 2, _PACKAGE_HEAD + len(type_names), len(keys), 0)
    body = type_names + keys + types
    chunk = struct.pack("<HHI", _PACKAGE, _PACKAGE_HEAD, _PACKAGE_HEAD + len(body)) + head + body
    inside = pool_bytes(list(pool)) + chunk
    return struct.pack("<HHII", _TABLE, 12, 12 + len(inside), 1) + inside


def _type_spec(kind: int, count: int) -> bytes:
    flags = struct.pack(f"<{count}I", *[0] * count)
    return struct.pack("<HHIBBHI", _SPEC, 16, 16 + len(flags), kind, 0, 0, count) + flags


def _type(kind: int, values: list[int | None], language: str, density: int, keys: list[int]) -> bytes:
    """The values of a type for one configuration; None for a resource that has none for it."""
    config = struct.pack("<IHH2s2sBBH", _CONFIG_SIZE, 0, 0, language.encode(), b"", 0, 0, density)
    config = config.ljust(_CONFIG_SIZE, b"\0")
    offsets, entries = [], b""
    for value, key in zip(values, keys, strict=True):
        offsets.append(_NO_ENTRY if value is None else len(entries))
        if value is not None:
            entries += struct.pack("<HHIHBBI", 8, 0, key, 8, 0, STRING, value)
    places = struct.pack(f"<{len(offsets)}I", *offsets)
    start = _TYPE_HEAD + len(places)
    head = struct.pack("<HHIBBHII", _TYPE, _TYPE_HEAD, start + len(entries), kind, 0, 0, len(values), start)
    return head + config + places + entries
