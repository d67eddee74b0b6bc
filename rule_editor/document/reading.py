"""A rule file read entry by entry, so that an edit reads again only the entry it touches.

Entries are read alone when nothing in the file can reach from one into another; what they come to
is then the same as reading the whole. All other files are read whole each time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from collector.located_yaml.diagnostics import Diagnostic
from collector.located_yaml.source import YamlSource, entry_spans, read_entry, read_source
from collector.located_yaml.yaml_node import YamlNode
from collector.rules.grammar.model import INJECTION, KINDS, STATE, SUCCESS, Rule, RuleFile
from collector.rules.grammar.rule_reader import kind_of, rules_of
from collector.rules.grammar.specs import RULE_SPECS
from rule_editor.document.moved import Mover
from rule_editor.document.style import Votes

_HEADER = re.compile(r"\ufeff?(?: *(?:#[^\r\n]*)?\r?\n)*(?:(?P<list>rules|states)[ \t]*:"
                     r"[ \t]*(?:(?<=[ \t])#[^\r\n]*)?\r?\n(?: *(?:#[^\r\n]*)?\r?\n)*)?")  # fmt: skip
REACHING = re.compile(
    r"^(?:---|\.\.\.|%)|^[ \t-]*\?(?=\s|\Z)|\r(?!\n)"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]",
    re.MULTILINE,
)
"""Documents, directives, keys after a question mark (one without a value ends where the next entry begins),
line ends only YAML knows, signs it does not allow.

An alias to another entry fails alone by itself.
"""
_CACHED = 4000


@dataclass(slots=True, eq=False)
class Part:
    """One entry as read alone; places count from its start. ``node`` is None when it cannot be used alone."""

    text: str
    root: YamlNode | None
    node: YamlNode | None
    rule: Rule | None
    diagnostics: tuple[Diagnostic, ...]
    key: str = ""
    broken: bool = False
    votes: Votes | None = None
    plain: Any = None
    """What ``root`` means, once it was asked for."""
    placed: tuple[int, int] = (-1, -1)
    moved: Rule | None = None
    """``rule`` as it was moved to ``placed``, its offset and line."""


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One rule of the file: ``start`` to ``end`` is its text with all up to the next entry.

    ``path`` leads to the rule's mapping from the root of ``text`` when read alone, else from the file's.
    """

    key: str
    start: int
    end: int
    rule: Rule | None
    node: YamlNode | None
    path: tuple[str | int, ...]
    part: Part | None = None

    @property
    def alone(self) -> bool:
        return self.part is not None


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One revision of a text, read."""

    text: str
    file: RuleFile
    entries: tuple[Entry, ...]
    whole: bool
    root: YamlNode | None = None
    """Of a file that was read as a whole."""
    by_key: dict[str, Entry] = field(default_factory=dict)


@lru_cache(maxsize=3)
def whole_source(text: str) -> YamlSource:
    """As :func:`read_source`; the tree is shared, so nobody may change it.

    An edit asks for the same text several times: where it begins, whether it is safe, and what came of it.
    """
    return read_source(text)


class EntryReader:
    """Reads revision after revision of one text, remembering the entries it has seen."""

    def __init__(self, path: str = "", kind: str = "") -> None:
        self._path = path
        self._kind = kind if kind in KINDS else ""
        self._parts: dict[tuple[str, str], Part] = {}
        self._last: Reading | None = None

    def read(self, text: str) -> Reading:
        """Never raises. The text that was read last is not read again."""
        if self._last is None or self._last.text != text:
            self._last = self._read(text)
        return self._last

    def _read(self, text: str) -> Reading:
        name, spans = entry_spans(text)
        kind = self._kind_for(text, name, spans)
        if kind and not REACHING.search(text):
            parts = [self._part(kind, text[start:end]) for start, end in spans]
            if all(part.node is not None for part in parts) and _distinct(kind, parts):
                return self._composed(text, kind, spans, parts)
            source = whole_source(text)
            if not source.is_whole:
                return self._of_broken(text, kind, source, spans, parts)
            return self._of_whole(text, source)
        return self._of_whole(text, whole_source(text))

    def _kind_for(self, text: str, name: str, spans: list[tuple[int, int]]) -> str:
        """Kind of the file when its entries may be read alone, else empty."""
        if not spans or name == "interference_library":
            return ""
        header = _HEADER.fullmatch(text, 0, spans[0][0])
        if header is None:
            return ""
        listed = header["list"]
        if not name:
            kind = self._kind or SUCCESS
            return kind if kind == SUCCESS and listed is None else ""
        found = STATE if listed == "states" else INJECTION
        kind = self._kind or found
        fits = kind != SUCCESS and (listed is None or RULE_SPECS[kind].root == listed)
        return kind if fits and name == (listed or "rules") else ""

    def _part(self, kind: str, text: str) -> Part:
        key = (kind, text)
        part = self._parts.pop(key, None)
        if part is None:
            part = self._read_part(kind, text)
            while len(self._parts) >= _CACHED:
                del self._parts[next(iter(self._parts))]
        self._parts[key] = part
        return part

    def _read_part(self, kind: str, text: str) -> Part:
        source = read_entry(text)
        if not source.is_whole:
            return Part(text, None, None, None, (), broken=True)
        root = source.root
        node = _only(kind, root, text)
        if root is None or node is None:
            return Part(text, root, None, None, ())
        file = rules_of(source, "", kind)
        rule = file.rules[0] if file.rules else None
        key = root.pairs[0][0].text if kind == SUCCESS else ""
        return Part(text, root, node, rule, file.diagnostics, key)

    def _composed(self, text: str, kind: str, spans: list[tuple[int, int]], parts: list[Part]) -> Reading:
        rules: list[Rule] = []
        found: list[Diagnostic] = []
        entries: list[Entry] = []
        line = at = 0
        for (start, end), part in zip(spans, parts, strict=True):
            line += text.count("\n", at, start)
            at = start
            rule = _placed(part, start, line)
            if rule is not None:
                rules.append(rule)
            mover = Mover(start, line)
            found += [mover.diagnostic(diagnostic, self._path) for diagnostic in part.diagnostics]
            path: tuple[str | int, ...] = (part.key,) if kind == SUCCESS else (0,)
            entries.append(Entry("", start, end, rule, part.node, path, part))
        found.sort(key=lambda one: one.place)
        file = RuleFile(kind, tuple(rules), tuple(found), self._path)
        return _keyed(text, file, entries, whole=True)

    def _of_broken(
        self, text: str, kind: str, source: YamlSource, spans: list[tuple[int, int]], parts: list[Part]
    ) -> Reading:
        file = rules_of(source, self._path, self._kind)
        entries: list[Entry] = []
        for (start, end), part in zip(spans, parts, strict=True):
            rule = _placed(part, start, text.count("\n", 0, start))
            path: tuple[str | int, ...] = (part.key,) if kind == SUCCESS else (0,)
            entries.append(Entry("", start, end, rule, part.node, path, part))
        return _keyed(text, file, entries, whole=False)

    def _of_whole(self, text: str, source: YamlSource) -> Reading:
        kind = self._kind or kind_of(source.root, self._path)
        file = rules_of(source, self._path, self._kind)
        entries: list[Entry] = []
        by_place = {(rule.place.start, rule.place.end): rule for rule in file.rules}
        listed = source.root
        if source.root is not None and source.root.kind == "mapping" and kind != SUCCESS:
            listed = source.root.get(RULE_SPECS[kind].root)
        root = RULE_SPECS[kind].root
        if listed is not None and listed.kind == "sequence" and kind != SUCCESS:
            base = (root,) if listed is not source.root else ()
            for at, item in enumerate(listed.items):
                rule = by_place.get((item.place.start, item.place.end))
                node = item if source.is_whole else None
                entries.append(Entry("", item.place.start, item.place.end, rule, node, (*base, at)))
        elif listed is not None and listed.kind == "mapping" and kind == SUCCESS:
            for key, value in listed.pairs:
                rule = by_place.get((key.place.start, value.place.end))
                node = value if source.is_whole else None
                entries.append(Entry("", key.place.start, value.place.end, rule, node, (key.text,)))
        return _keyed(text, file, entries, whole=source.is_whole, root=source.root)


def _only(kind: str, root: YamlNode | None, text: str) -> YamlNode | None:
    """The mapping of the one rule that ``root`` holds, when it can stand for itself."""
    if root is None:
        return None
    if kind == SUCCESS:
        single = root.kind == "mapping" and len(root.pairs) == 1 and not text.startswith(("{", "?"))
        fits = single and root.pairs[0][0].kind == "scalar" and root.pairs[0][0].place.start == 0
        return root.pairs[0][1] if fits and root.pairs[0][1].kind == "mapping" else None
    dash = re.match(r" *(?=- )", text)
    single = root.kind == "sequence" and len(root.items) == 1 and dash is not None
    fits = single and dash is not None and root.place.start == dash.end()
    return root.items[0] if fits and root.items[0].kind == "mapping" else None


def _distinct(kind: str, parts: list[Part]) -> bool:
    if kind != SUCCESS:
        return len({len(part.text) - len(part.text.lstrip(" ")) for part in parts}) == 1
    return len({part.key for part in parts}) == len(parts)


def _placed(part: Part, start: int, line: int) -> Rule | None:
    if part.rule is None:
        return None
    if part.placed != (start, line):
        part.placed, part.moved = (start, line), Mover(start, line).rule(part.rule)
    return part.moved


def _keyed(
    text: str, file: RuleFile, entries: list[Entry], *, whole: bool, root: YamlNode | None = None
) -> Reading:
    """Entries by what edits name them with: the id; ``id#1`` for earlier ones of an id, ``#3`` for none."""
    by_key: dict[str, Entry] = {}
    last = {entry.rule.id: at for at, entry in enumerate(entries) if entry.rule is not None}
    ids = set(last)
    keyed: list[Entry] = []
    for at, entry in enumerate(entries):
        rule_id = entry.rule.id if entry.rule is not None else ""
        key, count = rule_id, 0
        while not key or (key in ids and last[key] != at) or key in by_key:
            count += 1
            key = f"{rule_id}#{count}" if rule_id else f"#{at + count}"
        one = Entry(key, entry.start, entry.end, entry.rule, entry.node, entry.path, entry.part)
        by_key[key] = one
        keyed.append(one)
    return Reading(text, file, tuple(keyed), whole, root, by_key)
