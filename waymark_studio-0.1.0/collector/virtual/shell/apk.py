"""Read the package, the version and the split name from the manifest of an APK, which is binary XML."""

from __future__ import annotations

import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import IO

_MANIFEST = "AndroidManifest.xml"
_MAX_MANIFEST = 4 << 20
_XML, _STRINGS, _RESOURCE_IDS, _START_ELEMENT = 0x0003, 0x0001, 0x0180, 0x0102
_UTF8 = 1 << 8
_TYPE_STRING, _NONE = 0x03, 0xFFFFFFFF
_VERSION_CODE, _VERSION_NAME = 0x0101021B, 0x0101021C
"""Resource ids of the attributes ``android:versionCode`` and ``android:versionName``."""


@dataclass(frozen=True, slots=True)
class ApkManifest:
    """The attributes of the element ``manifest``."""

    package: str
    version_name: str = ""
    """Empty when it is missing, or a reference to a resource."""
    version_code: int = 0
    split: str = ""
    """The name of this part of an app that comes in several; empty for the base."""


def read_apk(file: IO[bytes]) -> ApkManifest:
    """Read the manifest of an APK; raise ValueError when the file is not one."""
    try:
        with zipfile.ZipFile(file) as archive:
            if archive.getinfo(_MANIFEST).file_size > _MAX_MANIFEST:
                raise ValueError("the manifest is too large")
            return read_manifest(archive.read(_MANIFEST))
    except (zipfile.BadZipFile, zlib.error, KeyError, OSError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"not an APK: {error}") from None


def read_manifest(data: bytes) -> ApkManifest:
    """Read a manifest in Android's binary XML; raise ValueError for anything else."""
    try:
        kind, head, size = struct.unpack_from("<HHI", data)
        if kind != _XML:
            raise ValueError("not binary XML")
        strings: list[str] = []
        ids: tuple[int, ...] = ()
        at = head
        while at < min(size, len(data)):
            kind, head, length = struct.unpack_from("<HHI", data, at)
            chunk = data[at : at + length]
            if kind == _STRINGS:
                strings = _strings(chunk)
            elif kind == _RESOURCE_IDS:
                ids = struct.unpack_from(f"<{(length - head) // 4}I", chunk, head)
            elif kind == _START_ELEMENT:
                return _manifest(chunk, head, strings, ids)
            at += max(length, 8)
    except (struct.error, IndexError) as error:
        raise ValueError(f"the manifest is damaged: {error}") from None
    raise ValueError("the manifest has no element")


def _strings(chunk: bytes) -> list[str]:
    """The texts of a string pool."""
    count, _styles, flags, start = struct.unpack_from("<4I", chunk, 8)
    offsets = struct.unpack_from(f"<{count}I", chunk, struct.unpack_from("<H", chunk, 2)[0])
    read = _utf8 if flags & _UTF8 else _utf16
    return [read(chunk, start + offset) for offset in offsets]


def _utf16(chunk: bytes, at: int) -> str:
    (length,) = struct.unpack_from("<H", chunk, at)
    at += 2
    if length & 0x8000:
        length = (length & 0x7FFF) << 16 | struct.unpack_from("<H", chunk, at)[0]
        at += 2
    return chunk[at : at + 2 * length].decode("utf-16-le", "replace")


def _utf8(chunk: bytes, at: int) -> str:
    at += 2 if chunk[at] & 0x80 else 1  # the length in characters comes first
    length = chunk[at]
    at += 1
    if length & 0x80:
        length = (length & 0x7F) << 8 | chunk[at]
        at += 1
    return chunk[at : at + length].decode("utf-8", "replace")


def _manifest(chunk: bytes, head: int, strings: list[str], ids: tuple[int, ...]) -> ApkManifest:
    """Read the attributes of the first element, which is ``manifest``."""
    name, start, size, count = struct.unpack_from("<4xI3H", chunk, head)
    if strings[name] != "manifest":
        raise ValueError(f"the first element is {strings[name]}")
    texts: dict[str, str] = {}
    version_name, version_code = "", 0
    for number in range(count):
        at = head + start + number * size
        _space, key, raw, kind, value = struct.unpack_from("<III3xBI", chunk, at)
        text = strings[value] if kind == _TYPE_STRING else strings[raw] if raw != _NONE else ""
        known = ids[key] if key < len(ids) else 0
        if known == _VERSION_NAME:
            version_name = text
        elif known == _VERSION_CODE:
            version_code = value
        else:
            texts[strings[key]] = text
    if not texts.get("package"):
        raise ValueError("the manifest names no package")
    return ApkManifest(texts["package"], version_name, version_code, texts.get("split", ""))
