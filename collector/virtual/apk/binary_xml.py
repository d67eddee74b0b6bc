"""Android's binary XML, as manifests of packages are written: ``ResXMLTree`` of ``ResourceTypes.h``."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from collector.virtual.apk.string_pool import StringPool, pool_bytes

ANDROID = "http://schemas.android.com/apk/res/android"
REFERENCE, STRING, INTEGER, BOOLEAN = 0x01, 0x03, 0x10, 0x12
"""Kinds of values: ``Res_value`` names them."""
_XML, _STRINGS, _RESOURCE_IDS = 0x0003, 0x0001, 0x0180
_START_SPACE, _END_SPACE, _START, _END = 0x0100, 0x0101, 0x0102, 0x0103
_NONE = 0xFFFFFFFF
_DEEPEST = 64
"""Levels of elements that a reader follows; a manifest has five."""


@dataclass(frozen=True, slots=True)
class XmlValue:
    """The value of an attribute. ``data`` is a number, a resource or 0 or 1; ``text`` that of a text."""

    kind: int
    data: int = 0
    text: str = ""


@dataclass(slots=True)
class XmlElement:
    """An element. Attributes with a resource id are known by it, the others by their name."""

    name: str
    attributes: dict[int | str, XmlValue] = field(default_factory=dict)
    children: list[XmlElement] = field(default_factory=list)

    def all(self, *names: str) -> Iterator[XmlElement]:
        """The children of these names."""
        return (child for child in self.children if child.name in names)


# ---- reading --------------------------------------------------------------------------------------


def read_xml(data: bytes) -> XmlElement:
    """The root element; ValueError for anything that is no binary XML."""
    try:
        kind, head, size = struct.unpack_from("<HHI", data)
        if kind != _XML:
            raise ValueError("not binary XML")
        return _read(memoryview(data)[head:size])
    except (struct.error, IndexError) as error:
        raise ValueError(f"the manifest is damaged: {error}") from None


def _read(body: memoryview) -> XmlElement:
    pool: StringPool | list[str] = []
    ids: tuple[int, ...] = ()
    open_elements: list[XmlElement] = []
    root = None
    at = 0
    while at < len(body):
        kind, head, length = struct.unpack_from("<HHI", body, at)
        chunk = body[at : at + length]
        if kind == _STRINGS:
            pool = StringPool(chunk)
        elif kind == _RESOURCE_IDS:
            ids = struct.unpack_from(f"<{(length - head) // 4}I", chunk, head)
        elif kind == _START:
            if len(open_elements) >= _DEEPEST:
                raise ValueError("the manifest is nested too deep")
            element = _element(chunk, head, pool, ids)
            if open_elements:
                open_elements[-1].children.append(element)
            root = root or element
            open_elements.append(element)
        elif kind == _END and open_elements:
            open_elements.pop()
        at += max(length, 8)
    if root is None:
        raise ValueError("the manifest has no element")
    return root


def _element(chunk: memoryview, head: int, pool: StringPool | list[str], ids: tuple[int, ...]) -> XmlElement:
    name, start, size, count = struct.unpack_from("<4xI3H", chunk, head)
    element = XmlElement(pool[name])
    for number in range(count):
        at = head + start + number * size
        _space, key, raw, kind, value = struct.unpack_from("<III3xBI", chunk, at)
        text = pool[value] if kind == STRING else pool[raw] if raw != _NONE else ""
        known = ids[key] if key < len(ids) else 0
        element.attributes[known or pool[key]] = XmlValue(kind, value, text)
    return element


# ---- writing --------------------------------------------------------------------------------------


class _Pool:
    """Texts in the order in which they were asked for; those of attributes with an id come first."""

    def __init__(self, names: dict[int, str]) -> None:
        self.texts = list(names.values())
        self._attributes = {resource: number for number, resource in enumerate(names)}
        self._numbers: dict[str, int] = {}

    def attribute(self, key: int | str) -> int:
        return self._attributes[key] if isinstance(key, int) else self.text(key)

    def text(self, text: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]


def write_xml(root: XmlElement, names: dict[int, str]) -> bytes:
    """The document; ``names`` has the name of each attribute with a resource id."""
    used = sorted({key for element in _every(root) for key in element.attributes if isinstance(key, int)})
    pool = _Pool({resource: names[resource] for resource in used})
    prefix, space = pool.text("android"), pool.text(ANDROID)
    body = _node(_START_SPACE, 1, struct.pack("<II", prefix, space))
    lines = iter(range(2, _NONE))
    body += _written(root, pool, space, lines)
    body += _node(_END_SPACE, next(lines), struct.pack("<II", prefix, space))
    ids = struct.pack(f"<HHI{len(used)}I", _RESOURCE_IDS, 8, 8 + 4 * len(used), *used)
    inside = pool_bytes(pool.texts) + ids + body
    return struct.pack("<HHI", _XML, 8, 8 + len(inside)) + inside


def _every(element: XmlElement) -> Iterator[XmlElement]:
    yield element
    for child in element.children:
        yield from _every(child)


def _node(kind: int, line: int, rest: bytes) -> bytes:
    return struct.pack("<HHIII", kind, 16, 16 + len(rest), line, _NONE) + rest


def _written(element: XmlElement, pool: _Pool, space: int, lines: Iterator[int]) -> bytes:
    """An element with its children; attributes with an id stand in the order of these ids."""
    attributes = sorted(
        element.attributes.items(), key=lambda item: item[0] if isinstance(item[0], int) else _NONE
    )
    data = b""
    for key, value in attributes:
        raw = pool.text(value.text) if value.kind == STRING else _NONE
        content = raw if value.kind == STRING else value.data & _NONE
        owner = space if isinstance(key, int) else _NONE
        data += struct.pack("<IIIHBBI", owner, pool.attribute(key), raw, 8, 0, value.kind, content)
    name = pool.text(element.name)
    line = next(lines)
    head = struct.pack("<IIHHHHHH", _NONE, name, 20, 20, len(attributes), 0, 0, 0)
    inside = b"".join(_written(child, pool, space, lines) for child in element.children)
    return _node(_START, line, head + data) + inside + _node(_END, line, struct.pack("<II", _NONE, name))
