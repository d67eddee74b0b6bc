"""APKs that hold nothing but a manifest, in Android's binary XML."""

from __future__ import annotations

import io
import struct
import zipfile

_VERSION_CODE, _VERSION_NAME = 0x0101021B, 0x0101021C


def _text(text: str, utf8: bool) -> bytes:
    if utf8:
        data = text.encode()
        return bytes([len(text), len(data)]) + data + b"\0"
    return struct.pack("<H", len(text)) + text.encode("utf-16-le") + b"\0\0"


def manifest(
    package: str, version: str = "1.0", code: int = 1, split: str = "", *, utf8: bool = False
) -> bytes:
    """A manifest whose only element is ``manifest``."""
    # The attributes with a resource id come first: their names are the first texts of the pool.
    texts = ["versionCode", "versionName", "package", "split", "manifest", version, package, split]
    data, offsets = b"", []
    for text in texts:
        offsets.append(len(data))
        data += _text(text, utf8)
    data += b"\0" * (-len(data) % 4)
    start = 28 + 4 * len(texts)
    pool = struct.pack("<HHIIIIII", 1, 28, start + len(data), len(texts), 0, utf8 << 8, start, 0)
    pool += struct.pack(f"<{len(texts)}I", *offsets) + data
    ids = struct.pack("<HHIII", 0x0180, 8, 16, _VERSION_CODE, _VERSION_NAME)
    none = 0xFFFFFFFF
    attributes = [(0, none, 0x10, code), (1, 5, 0x03, 5), (2, 6, 0x03, 6)] + (
        [(3, 7, 0x03, 7)] if split else []
    )
    body = b"".join(
        struct.pack("<IIIHBBI", none, name, raw, 8, 0, kind, value) for name, raw, kind, value in attributes
    )
    element = struct.pack(
        "<HHIIIIIHHHHHH", 0x0102, 16, 36 + len(body), 1, none, none, 4, 20, 20, len(attributes), 0, 0, 0
    )
    inside = pool + ids + element + body
    return struct.pack("<HHI", 3, 8, 8 + len(inside)) + inside


def apk(
    package: str,
    version: str = "1.0",
    code: int = 1,
    split: str = "",
    *,
    utf8: bool = False,
    dex_size: int = 0,
) -> bytes:
    """An APK of this package, whose code is ``dex_size`` zero bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("AndroidManifest.xml", manifest(package, version, code, split, utf8=utf8))
        archive.writestr("classes.dex", bytes(dex_size))
    return file.getvalue()
