"""YAML as a tree that knows where everything stands, built even from a file with errors in it.

One pass over libyaml's events, without recursion, so that no nesting or alias can harm; when the
whole cannot be read, its entries are read one by one and the broken ones reported.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import yaml

from collector.located_yaml.codes import diagnostic
from collector.located_yaml.diagnostics import Diagnostic, Place
from collector.model.i18n import _

MAX_CHARACTERS = 8_000_000
MAX_DEPTH = 100
MAX_VALUES = 500_000
"""Values a file may come to when its aliases are written out."""
_MERGE = "tag:yaml.org,2002:merge"
_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BREAK = re.compile(r"\r\n?|\n")
_ITEM = re.compile(r"^([ \t]*)-(?=\s)", re.MULTILINE)
_AT_MARGIN = re.compile(r"^[^\s#\ufeff-][^\n]*", re.MULTILINE)
_LIST_OF = re.compile(r"^\ufeff?(rules|states|interference_library|anomalies)\s*:", re.MULTILINE)


@dataclass(slots=True, eq=False)
class YamlNode:
    """A scalar, a sequence (``items``) or a mapping (``pairs``, as written).

    ``plain`` is what PyYAML makes of it.
    """

    kind: str
    """``scalar``, ``sequence`` or ``mapping``."""
    place: Place
    plain: Any = None
    text: str = ""
    """A scalar as it reads without its quotes."""
    items: list[YamlNode] = field(default_factory=list)
    pairs: list[tuple[YamlNode, YamlNode]] = field(default_factory=list)
    weight: int = 1

    def get(self, name: str) -> YamlNode | None:
        """The value of a mapping's key ``name``; the last one when it stands twice."""
        for key, value in reversed(self.pairs):
            if key.kind == "scalar" and key.text == name:
                return value
        return None

    def key(self, name: str) -> YamlNode | None:
        for key, _value in reversed(self.pairs):
            if key.kind == "scalar" and key.text == name:
                return key
        return None


@dataclass(slots=True)
class Source:
    """A text, the tree of what of it could be read, and what could not."""

    text: str
    root: YamlNode | None
    diagnostics: list[Diagnostic]
    whole: bool = True
    """False when the text as a whole is not YAML and ``root`` was put together from its sound entries."""


def read_source(text: str) -> Source:
    """Read ``text``; never raises. What cannot be read becomes a W101 with its line."""
    if len(text) > MAX_CHARACTERS:
        what = _("The file is too large: over {count} characters", count=MAX_CHARACTERS)
        return Source(text, None, [diagnostic("yaml-syntax", Place(), what)], whole=False)
    found: list[Diagnostic] = []
    try:
        mark = 1 if text.startswith("\ufeff") else 0
        return Source(text, _Builder(text[mark:], mark, Lines(text), found).build(), found)
    except _UnreadableError as fault:
        found.clear()
        return _by_entries(text, fault)


class _UnreadableError(Exception):
    """The text is not YAML; ``place`` is where it stops being it."""

    def __init__(self, place: Place, why: str) -> None:
        super().__init__(why)
        self.place = place
        self.why = why


def read_part(text: str) -> Source:
    """As :func:`read_source`, of one entry of a file, with places counted from the entry's start."""
    found: list[Diagnostic] = []
    try:
        return Source(text, _Builder(text, 0, Lines(text), found).build(), found)
    except _UnreadableError as fault:
        return Source(text, None, [*found, _syntax(fault)], whole=False)


def _by_entries(text: str, fault: _UnreadableError) -> Source:
    """Read each entry of the file by itself; report those that cannot be read."""
    found: list[Diagnostic] = []
    name, chunks = entry_spans(text)
    lines = Lines(text)
    items: list[YamlNode] = []
    pairs: list[tuple[YamlNode, YamlNode]] = []
    for start, end in chunks:
        try:
            node = _Builder(text[start:end], start, lines, found).build()
        except _UnreadableError as own:
            found.append(_syntax(own))
            continue
        if node is not None:
            items += node.items
            pairs += node.pairs
    if not any(one.code == "W101" for one in found):
        found.insert(0, _syntax(fault))
    if name:
        whole = Place(0, len(text))
        sequence = YamlNode("sequence", whole, [item.plain for item in items], items=items)
        pairs = [(YamlNode("scalar", whole, name, name), sequence)]
    root = YamlNode("mapping", Place(0, len(text)), _plain_mapping(pairs), pairs=pairs) if pairs else None
    return Source(text, root, found, whole=False)


def _syntax(fault: _UnreadableError) -> Diagnostic:
    what = _("Line {line} is not YAML: {why}", line=fault.place.line, why=fault.why)
    return diagnostic("yaml-syntax", fault.place, what, to_do=_("Mend the line; other rules go on working"))


def entry_spans(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Name of the list the file holds (empty for a mapping by key), and where its entries stand."""
    if text.startswith("\ufeff"):
        name, spans = entry_spans(text[1:])
        return name, [(start + 1, end + 1) for start, end in spans]
    listed = _LIST_OF.search(text)
    first = _ITEM.search(text, listed.end() if listed else 0)
    keys = [match.start() for match in _AT_MARGIN.finditer(text) if ":" in match[0]]
    if first is not None and (listed or not keys or first.start() < keys[0]):
        name = listed[1] if listed else "rules"
        same = re.compile(rf"^{first[1]}-(?=\s)", re.MULTILINE)
        starts = [match.start() for match in same.finditer(text, listed.end() if listed else 0)]
    else:
        name, starts = "", keys
    return name, list(pairwise([*starts, len(text)]))


class Lines:
    """Where the lines of a text begin, as editors count them: YAML knows rarer breaks, which they do not."""

    def __init__(self, text: str) -> None:
        mark = text.startswith("\ufeff")
        self._starts = [int(mark), *(match.end() for match in _BREAK.finditer(text))]

    def place(self, start: int, end: int) -> Place:
        """The place of some characters; a byte order mark is none."""
        line = max(1, bisect_right(self._starts, start))
        return Place(start, end, line, start - self._starts[line - 1] + 1)


class _Builder:
    """Builds the tree of one document from its events; ``offset`` places it in the text of ``lines``."""

    def __init__(self, text: str, offset: int, lines: Lines, found: list[Diagnostic]) -> None:
        self._text = text
        self._offset = offset
        self._lines = lines
        self._found = found
        self._anchors: dict[str, YamlNode] = {}
        self._values = _Values()

    def build(self) -> YamlNode | None:
        try:
            return self._build()
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            place = self._place(mark, mark) if mark else self._lines.place(self._offset, self._offset)
            raise _UnreadableError(place, str(error.problem or error.context)) from None
        except yaml.reader.ReaderError as error:
            position = error.position if isinstance(error.position, int) else 0  # counts bytes
            at = self._offset + len(self._text.encode()[:position].decode(errors="ignore"))
            raise _UnreadableError(
                self._lines.place(at, at), _("a character that YAML does not allow")
            ) from None
        except (yaml.YAMLError, ValueError) as error:
            raise _UnreadableError(self._lines.place(self._offset, self._offset), str(error)) from None

    def _build(self) -> YamlNode | None:
        root: YamlNode | None = None
        open_nodes: list[tuple[YamlNode, list[YamlNode], str | None]] = []
        for event in self._events():
            if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
                kind = "mapping" if isinstance(event, yaml.MappingStartEvent) else "sequence"
                place = self._place(event.start_mark, event.end_mark)
                if len(open_nodes) >= MAX_DEPTH:
                    raise _UnreadableError(place, _("it is nested too deeply"))
                open_nodes.append((YamlNode(kind, place), [], event.anchor))
                continue
            if isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                node, children, anchor = open_nodes.pop()
                self._close(node, children, event)
            else:
                node, anchor = self._leaf(event), getattr(event, "anchor", None)
            if anchor and not isinstance(event, yaml.AliasEvent):
                self._anchors[anchor] = node
            if open_nodes:
                open_nodes[-1][1].append(node)
            elif root is None:
                root = node
        return root

    def _events(self) -> Iterator[Any]:
        wanted = (yaml.events.NodeEvent, yaml.MappingEndEvent, yaml.SequenceEndEvent)
        documents = 0
        for event in yaml.parse(self._text, _Loader):
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    place = self._place(event.start_mark, event.end_mark)
                    raise _UnreadableError(place, _("a second document begins here; a rule file is one"))
            elif isinstance(event, wanted):
                yield event

    def _leaf(self, event: Any) -> YamlNode:
        place = self._place(event.start_mark, event.end_mark)
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:
                raise _UnreadableError(
                    place, _("the alias *{name} names nothing before it", name=event.anchor)
                )
            return replace(self._anchors[event.anchor], place=place)
        return YamlNode("scalar", place, self._values.of(event), event.value)

    def _close(self, node: YamlNode, children: list[YamlNode], event: Any) -> None:
        node.weight = 1 + sum(child.weight for child in children)
        if node.weight > MAX_VALUES:
            raise _UnreadableError(node.place, _("its aliases grow beyond {count} values", count=MAX_VALUES))
        if node.kind == "sequence":
            node.items = children
            node.plain = [child.plain for child in children]
        else:
            node.pairs = self._merged(list(zip(children[::2], children[1::2], strict=True)))
            self._tell_duplicates(node.pairs)
            node.plain = _plain_mapping(node.pairs)
        flow_end = event.end_mark.index + self._offset
        is_flow = event.end_mark.index > event.start_mark.index
        end = flow_end if is_flow else max([child.place.end for child in children], default=node.place.end)
        node.place = replace(node.place, end=end)

    def _merged(self, pairs: list[tuple[YamlNode, YamlNode]]) -> list[tuple[YamlNode, YamlNode]]:
        """The pairs with those a ``<<`` brings in first, where the mapping's own keys win over them."""
        own = [(key, value) for key, value in pairs if key.plain is not _MERGED]
        if len(own) == len(pairs):
            return pairs
        taken = {key.text for key, _value in own}
        brought: list[tuple[YamlNode, YamlNode]] = []
        for key, value in pairs:
            for one in (value.items or [value]) if key.plain is _MERGED else ():
                for inner, content in one.pairs:
                    if inner.text not in taken:
                        taken.add(inner.text)
                        brought.append((inner, content))
        return brought + own

    def _tell_duplicates(self, pairs: list[tuple[YamlNode, YamlNode]]) -> None:
        seen: dict[str, YamlNode] = {}
        for key, _value in pairs:
            if key.kind == "scalar" and key.text in seen:
                what = _("The key {name} stands twice; the last one counts", name=key.text)
                self._found.append(diagnostic("duplicate-key", key.place, what))
            seen[key.text] = key

    def _place(self, start: Any, end: Any) -> Place:
        return self._lines.place(start.index + self._offset, end.index + self._offset)


class _Merge:
    """What a ``<<`` key reads as."""

    def __repr__(self) -> str:
        return "<<"


_MERGED = _Merge()


class _Values:
    """Scalars to plain values, as PyYAML's safe loader makes them."""

    def __init__(self) -> None:
        self._resolver = yaml.resolver.Resolver()
        self._constructor = yaml.constructor.SafeConstructor()

    def of(self, event: Any) -> Any:
        tag = event.tag
        if tag is None or tag == "!":
            if event.implicit[1] and not event.implicit[0]:
                return event.value
            tag = self._resolver.resolve(  # type: ignore[no-untyped-call]
                yaml.ScalarNode, event.value, event.implicit
            )
        if tag == _MERGE:
            return _MERGED
        if tag == "tag:yaml.org,2002:str":
            return event.value
        node = yaml.ScalarNode(tag, event.value, event.start_mark, event.end_mark)
        return self._constructor.construct_object(node)


def _plain_mapping(pairs: list[tuple[YamlNode, YamlNode]]) -> dict[Any, Any]:
    plain: dict[Any, Any] = {}
    for key, value in pairs:
        try:
            plain[key.plain] = value.plain
        except TypeError:  # a mapping or list as a key, which nothing of ours reads
            plain[key.text] = value.plain
    return plain
