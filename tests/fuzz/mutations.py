"""Change inputs at random: bytes of any, and values of those whose grammar is known."""

from __future__ import annotations

import copy
import io
import json
import random
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import yaml
from lxml import etree

_MOST = 40_000
"""Bytes; what is longer is cut."""
_TOKENS = (
    *(
        b"\x00",
        b"\xff",
        b"\xff\xff\xff\xff",
        b"\x7f\xff\xff\xff",
        b"\x80",
        b"\n",
        b"\r\n",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
    ),
    *(
        b"{",
        b"}",
        b"[",
        b"]",
        b'"',
        b"'",
        b":",
        b",",
        b"- ",
        b"&a ",
        b"*a",
        b"<<: ",
        b"!!",
        b"|\n",
        b"? ",
        b"---\n",
        b"%",
        b"\t",
    ),
    *(
        b"<",
        b">",
        b"/>",
        b"&",
        b"&#0;",
        b"<![CDATA[",
        b"<!--",
        b"<!DOCTYPE a [",
        b"<node ",
        b"</node>",
        b"\\ud800",
        b"\\u0000",
    ),
    *(
        b"1e999",
        b"NaN",
        b"-1",
        b"0",
        b"9" * 30,
        b"null",
        b"true",
        b".inf",
        b"2020-01-01",
        b"0x",
        b"1_0",
        b"12:30:45",
    ),
)
_VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        255,
        2**31,
        2**63,
        -(2**63),
        10**30,
        10**400,
        0.5,
        -0.0,
        1e308,
        float("inf"),
        float("nan"),
    ),
    *(
        "",
        " ",
        "0",
        "a",
        "..",
        "../x",
        "/etc",
        "\x00",
        "\ud800",
        "名",
        "a" * 300,
        "*",
        "(a+)+$",
        "[",
        "2020-01-01T00:00:00Z",
    ),
    *([], {}, [[]], [None], {"": None}, [1, 2], [0, 0, 0, 0], ["a", "a"], {"format": 1}, [{"a": []}]),
)
_DEEP = 90


def mutated(draw: random.Random, data: bytes, others: Sequence[bytes], grammar: str) -> bytes:
    """``data`` with a few random changes; ``others`` are inputs to take pieces from."""
    by_grammar = _GRAMMARS.get(grammar)
    for _number in range(draw.choice((1, 1, 1, 2, 3, 5))):
        changed = by_grammar(draw, data) if by_grammar is not None and draw.random() < 0.6 else None
        data = _bytes_changed(draw, data, others) if changed is None else changed
    return data[:_MOST]


# -- bytes -------------------------------------------------------------------
def _bytes_changed(draw: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    start = draw.randrange(len(data) + 1)
    end = min(len(data), start + draw.choice((1, 1, 2, 4, 8, 40, 400)))
    piece = data[start:end]
    match draw.randrange(9):
        case 0:
            return (
                data[:start] + bytes(byte ^ 1 << draw.randrange(8) for byte in piece[:1]) + data[start + 1 :]
            )
        case 1:
            return data[:start] + draw.randbytes(len(piece)) + data[end:]
        case 2:
            return data[:start] + data[end:]
        case 3:
            return data[:end] + piece * draw.choice((1, 1, 3, 50)) + data[end:]
        case 4:
            return data[:start] + draw.choice(_TOKENS) + data[draw.choice((start, end)) :]
        case 5:
            return data[:start]
        case 6:
            to = draw.randrange(len(data) + 1)
            return data[:to] + piece + data[to:]
        case 7:
            order = draw.choice("<>")
            number = struct.pack(f"{order}I", draw.choice((0, 1, 4, 255, 2**16, 2**31 - 1, 2**31, 2**32 - 1)))
            return data[:start] + number + data[start + 4 :]
        case _:
            other = draw.choice(others) if others else data
            return data[:start] + other[draw.randrange(len(other) + 1) :]


# -- values ------------------------------------------------------------------
def _value_changed(draw: random.Random, root: Any) -> Any:
    """A copy of a value of JSON or YAML with one of its parts changed."""
    root = copy.deepcopy(root)
    places = list(_places(root))
    if not places:
        return draw.choice(_VALUES)
    holder, key = draw.choice(places)
    match draw.randrange(7):
        case 0 | 1:
            holder[key] = draw.choice(_VALUES)
        case 2:
            del holder[key]
        case 3:
            other, other_key = draw.choice(places)
            holder[key] = copy.deepcopy(other[other_key])
        case 4 if isinstance(holder, dict):
            holder[draw.choice(("", "id", "type", "name", 1, None, "名", f"{key}s"))] = holder.pop(key)
        case 5 if isinstance(holder, list):
            holder[key:key] = [copy.deepcopy(holder[key])] * draw.choice((1, 2, 30))
        case 6:
            for _level in range(draw.choice((1, 2, _DEEP))):
                holder[key] = [holder[key]] if draw.random() < 0.5 else {"all": holder[key]}
        case _:
            holder[key] = _other_kind(draw, holder[key])
    return root


def _other_kind(draw: random.Random, value: Any) -> Any:
    """A value close to ``value`` of another kind or size."""
    if isinstance(value, bool) or value is None:
        return draw.choice((str(value), int(bool(value)), [value]))
    if isinstance(value, int | float):
        is_huge = abs(value) > 10**300  # what no float holds
        return draw.choice(
            ([value], -value, 0.5) if is_huge else (str(value), -value, value * 10**9, value + 1)
        )
    if isinstance(value, str):
        return draw.choice(
            (value * 2, value[:1], value + "\n", [value], {value: value}, value.upper(), len(value))
        )
    return draw.choice((str(value), None, len(value)))


def _places(value: Any) -> Any:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(pairs):
        yield value, key
        yield from _places(inner)


def _json_changed(draw: random.Random, data: bytes) -> bytes | None:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return _dumped(_value_changed(draw, value))


def _lines_changed(draw: random.Random, data: bytes) -> bytes | None:
    """One of the lines of JSON changed, or lines moved."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return None
    at = draw.randrange(len(lines))
    match draw.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(draw.randrange(len(lines) + 1), lines[at])
        case _:
            changed = _json_changed(draw, lines[at])
            if changed is None:
                return None
            lines[at] = changed + b"\n"
    return b"".join(lines)


def _dumped(value: Any) -> bytes | None:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError, TypeError):
        return None


def _yaml_changed(draw: random.Random, data: bytes) -> bytes | None:
    try:
        value = _value_changed(draw, yaml.safe_load(data))
        text = yaml.safe_dump(
            value, allow_unicode=True, sort_keys=False, default_flow_style=draw.choice((None, False))
        )
    except (yaml.YAMLError, ValueError, RecursionError, TypeError, AttributeError, UnicodeError):
        return None
    return text.encode("utf-8", "surrogatepass")


def _headed_changed(draw: random.Random, data: bytes) -> bytes | None:
    """YAML below a line that names its place."""
    place, _line_break, text = data.partition(b"\n")
    changed = _yaml_changed(draw, text)
    return None if changed is None else place + b"\n" + changed


# -- trees -------------------------------------------------------------------
_ATTRIBUTES = (
    "[0,0][0,0]",
    "[9,9][1,1]",
    "[-5,-5][99999999999,1]",
    "[]",
    "true",
    "",
    "\ud83d",
    "名",
    "&",
    "0",
    "x" * 300,
    "1e9",
)


def _xml_changed(draw: random.Random, data: bytes) -> bytes | None:
    try:
        root = etree.fromstring(data, etree.XMLParser(recover=True, huge_tree=True, resolve_entities=False))
    except (etree.XMLSyntaxError, ValueError):
        return None
    nodes = [] if root is None else [node for node in root.iter() if isinstance(node.tag, str)]
    if not nodes:
        return None
    node, other = draw.choice(nodes), draw.choice(nodes)
    try:
        match draw.randrange(6):
            case 0 if node.getparent() is not None:
                node.getparent().remove(node)
            case 1:
                copies = [copy.deepcopy(node) for _number in range(draw.choice((1, 3, 50)))]
                other.extend(copies)
            case 2 if node.attrib:
                del node.attrib[draw.choice(list(node.attrib))]
            case 3:
                for _level in range(draw.choice((1, 30, 300))):
                    node = etree.SubElement(node, draw.choice(("node", "hierarchy", "a")))
            case 4:
                node.tag = draw.choice(("node", "hierarchy", "android.widget.Button", "a"))
            case _:
                names = [*node.attrib, "bounds", "text", "index", "rotation"]
                node.set(draw.choice(names), draw.choice((*_ATTRIBUTES, str(draw.choice(_VALUES)))))
    except ValueError:  # what XML cannot hold
        return None
    return etree.tostring(root, encoding="utf-8")


# -- files with checksums ----------------------------------------------------
def _png_changed(draw: random.Random, data: bytes) -> bytes | None:
    """One chunk changed, with the checksum that it then needs."""
    chunks, at = [], 8
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        chunks.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    if not chunks:
        return None
    place = draw.randrange(len(chunks))
    kind, body = chunks[place]
    match draw.randrange(6):
        case 0:
            del chunks[place]
        case 1:
            chunks.insert(draw.randrange(len(chunks) + 1), (kind, body))
        case 2:
            chunks[place] = (
                draw.choice((b"IDAT", b"PLTE", b"tRNS", b"acTL", b"fdAT", b"iCCP", b"zTXt", b"eXIf")),
                body,
            )
        case 3 if kind == b"IDAT":
            chunks[place] = (kind, zlib.compress(_bytes_changed(draw, _inflated(body), ())))
        case _:
            chunks[place] = (kind, _bytes_changed(draw, body, ()))
    return data[:8] + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )


def _inflated(body: bytes) -> bytes:
    try:
        return zlib.decompress(body)
    except zlib.error:
        return body


_NAMES = (
    "../a",
    "/a",
    "a\\b",
    "trajectory.json",
    "steps.jsonl",
    "states/0000.png",
    "states/",
    "名",
    "C:/a",
    "a" * 300,
    "",
)


def _zip_changed(draw: random.Random, data: bytes) -> bytes | None:
    """One file of an archive changed, renamed, left out or put in twice; the archive itself is whole."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = [(info.filename, archive.read(info)) for info in archive.infolist()]
    except Exception:
        return None
    if not files:
        return None
    place = draw.randrange(len(files))
    name, body = files[place]
    match draw.randrange(5):
        case 0:
            del files[place]
        case 1:
            files.append((name, _bytes_changed(draw, body, ())))
        case 2:
            files[place] = (draw.choice(_NAMES), body)
        case 3:
            changed = _lines_changed(draw, body) if name.endswith("jsonl") else _json_changed(draw, body)
            files[place] = (name, body if changed is None else changed)
        case _:
            files[place] = (name, _bytes_changed(draw, body, ()))
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(packed, "w", draw.choice((0, 8))) as archive:
        warnings.simplefilter("ignore")  # two files of one name are what is wanted
        for name, body in files:
            archive.writestr(name or "a", body)
    return packed.getvalue()


_GRAMMARS: dict[str, Callable[[random.Random, bytes], bytes | None]] = {
    "json": _json_changed,
    "lines": _lines_changed,
    "yaml": _yaml_changed,
    "xml": _xml_changed,
    "headed": _headed_changed,
    "png": _png_changed,
    "zip": _zip_changed,
}
