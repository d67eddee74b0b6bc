"""The text of a hierarchy dump as lines to read: one tag a line, indented, nothing else changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from collector.hierarchy.encoding import decode
from collector.hierarchy.json_views import looks_like_views
from collector.hierarchy.tree_builder import WRAPPERS
from collector.model.tree import Node

_IN_TAG = re.compile(r""""[^"]*"|'[^']*'|>""")
_NAME = re.compile(r"</?([A-Za-z_][\w:.$-]*)")
_INDENT, _DEEPEST = "  ", 60
_LONGEST = 20_000
"""Characters of a line that are shown; real tags have some hundreds."""
_MOST_CHARACTERS = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True, eq=False)
class DumpText:
    """The lines of a dump, and where its nodes are."""

    lines: tuple[str, ...]
    spans: tuple[range, ...] = ()
    """Of each node, in document order, its lines up to the end of the last node below it; empty for a dump
    that is no XML."""
    is_cut: bool = False
    """Whether a line or the end of the dump is left out."""

    def span(self, node: Node) -> range | None:
        """The lines of a node and of all below it; None when they are not known."""
        return self.spans[node.order] if node.order < len(self.spans) else None

    def excerpt(self, node: Node) -> tuple[str, ...]:
        """The lines of a node and of all below it, without the common indent."""
        span = self.span(node)
        if span is None:
            return node_lines(node)
        lines = self.lines[span.start : span.stop]
        indent = len(lines[0]) - len(lines[0].lstrip(" "))
        return tuple(line[indent:] if line[:indent].isspace() else line for line in lines)


def dump_text(data: bytes, nodes: int) -> DumpText:
    """The text of a dump. ``nodes`` is how many its tree has: where the tags are others, none has a place."""
    text, _repairs = decode(data)
    is_cut = len(text) > _MOST_CHARACTERS
    text = text[:_MOST_CHARACTERS]
    if looks_like_views(text):
        return _of_lines(_json_lines(text), (), is_cut)
    writer = _LineWriter()
    for token in _tokens(text):
        writer.write(token)
    spans = writer.spans()
    return _of_lines(writer.lines, spans if len(spans) == nodes else (), is_cut)


def _of_lines(lines: list[str], spans: tuple[range, ...], is_cut: bool) -> DumpText:
    shown = tuple(line if len(line) <= _LONGEST else line[:_LONGEST] + " …" for line in lines)
    return DumpText(shown, spans, is_cut or any(len(line) > _LONGEST for line in lines))


def _json_lines(text: str) -> list[str]:
    try:
        return json.dumps(json.loads(text), indent=2, ensure_ascii=False).splitlines()
    except (ValueError, RecursionError):
        return text.splitlines()


def _tokens(text: str) -> Iterator[str]:
    """The tags, and the text between them without space around it. A tag ends outside of its quotes."""
    at = 0
    while at < len(text):
        start = text.find("<", at)
        between = text[at : start if start >= 0 else len(text)].strip()
        if between:
            yield between
        if start < 0:
            return
        at = _end_of_tag(text, start)
        yield text[start:at]


def _end_of_tag(text: str, start: int) -> int:
    if text.startswith("<!--", start):
        end = text.find("-->", start)
        return end + 3 if end >= 0 else len(text)
    for match in _IN_TAG.finditer(text, start):
        if match[0] == ">":
            return match.end()
    return len(text)


class _LineWriter:
    """Writes tags below each other, each as far in as it is deep."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._open: list[int | None] = []
        """Of each open tag the number of its node; None for a tag that is no node."""
        self._starts: list[int] = []
        self._stops: list[int] = []

    def write(self, token: str) -> None:
        closes = token.startswith("</")
        if closes and self._open:
            node = self._open.pop()
            self._add(token)
            if node is not None:
                self._stops[node] = len(self.lines)
            return
        name = _NAME.match(token)
        node = self._begin(name[1]) if name is not None and not closes else None
        self._add(token)
        if name is None or closes or token.endswith("/>"):
            if node is not None:
                self._stops[node] = len(self.lines)
        else:
            self._open.append(node)

    def _begin(self, name: str) -> int | None:
        if name in WRAPPERS:
            return None
        self._starts.append(len(self.lines))
        self._stops.append(0)
        return len(self._starts) - 1

    def _add(self, token: str) -> None:
        indent = _INDENT * min(len(self._open), _DEEPEST)
        self.lines += [indent + line for line in token.splitlines()]

    def spans(self) -> tuple[range, ...]:
        """The lines of each node; a node that is never closed ends with the dump."""
        return tuple(
            range(start, stop or len(self.lines))
            for start, stop in zip(self._starts, self._stops, strict=True)
        )


def node_lines(node: Node) -> tuple[str, ...]:
    """A node and all below it written as XML, for a dump that is no XML."""
    lines: list[str] = []
    waiting: list[tuple[Node, bool]] = [(node, True)]
    while waiting:
        each, opens = waiting.pop()
        indent = _INDENT * min(each.depth - node.depth, _DEEPEST)
        if not opens:
            lines.append(f"{indent}</node>")
            continue
        attributes = " ".join(f"{name}={quoteattr(value)}" for name, value in each.attributes.items())
        lines.append(f"{indent}<node {attributes}{'' if each.children else ' /'}>")
        if each.children:
            waiting.append((each, False))
            waiting += [(child, True) for child in reversed(each.children)]
    return tuple(lines)
