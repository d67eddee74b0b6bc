"""Read a rule file entry by entry, so that an edit re-reads only the entry it touches.

Entries are parsed alone when no syntax reaches from one entry into another; the result then equals
that of reading the whole. Other files are read as a whole each time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from collector.located_yaml.diagnostics import Diagnostic
from collector.located_yaml.entry_spans import entry_spans, written_name
from collector.located_yaml.source import YamlSource, read_entry
from collector.located_yaml.yaml_node import YamlNode
from collector.rules.grammar.model import INJECTION, KINDS, SUCCESS, Condition, Group, Rule, RuleFile
from collector.rules.grammar.rule_reader import kind_of, rules_of
from collector.rules.grammar.specs import RULE_SPECS
from rule_editor.document.entries.entry import (
    CACHED_ENTRIES,
    FileEntry,
    ParsedEntry,
    ParsedFile,
    entries_depend,
    whole_source,
    with_unread,
)
from rule_editor.document.entries.place_shifter import PlaceShifter
from rule_editor.document.entries.recovered_entries import (
    PlacedEntry,
    RecoveredEntries,
    recovered_entries,
    with_lines,
)

_HEADER = re.compile(r"\ufeff?(?: *(?:#[^\r\n]*)?\r?\n)*(?:(?P<list>rules|states|safety)[ \t]*:"
                     r"[ \t]*(?:(?<=[ \t])#[^\r\n]*)?\r?\n(?: *(?:#[^\r\n]*)?\r?\n)*)?")  # fmt: skip

_KIND_OF_LIST = {spec.root: kind for kind, spec in RULE_SPECS.items() if spec.root}


class RuleFileReader:
    """Reads the revisions of one text one after another and caches the entries it has parsed."""

    def __init__(self, path: str = "", kind: str = "") -> None:
        self._path = path
        self._kind = kind if kind in KINDS else ""
        self._cache: dict[tuple[str, str], ParsedEntry] = {}
        self._last: ParsedFile | None = None

    def read(self, text: str) -> ParsedFile:
        """Parse ``text``, unless it is the text that was read last; never raises."""
        if self._last is None or self._last.text != text:
            self._last = self._read(text)
        return self._last

    def _read(self, text: str) -> ParsedFile:
        list_name, spans = entry_spans(text)
        kind = self._kind_for(text, list_name, spans)
        if kind and not entries_depend(text, spans):
            parsed = [self._parsed(kind, text[start:end]) for start, end in spans]
            if all(entry.node is not None for entry in parsed) and _fit_together(kind, parsed):
                return self._of_entries(text, kind, with_lines(text, spans, parsed))
            return self._of_recovered(text, kind, spans, parsed) or self._of_dependent(text, kind)
        return self._of_whole(text, whole_source(text))

    def _kind_for(self, text: str, list_name: str, spans: list[tuple[int, int]]) -> str:
        """Kind of the file; empty when its entries cannot be parsed alone."""
        if not spans or list_name == "interference_library":
            return ""
        header = _HEADER.fullmatch(text, 0, spans[0][0])
        if header is None:
            return ""
        listed = header["list"]
        if not list_name:
            kind = self._kind or SUCCESS
            return kind if kind == SUCCESS and listed is None else ""
        kind = self._kind or _KIND_OF_LIST.get(listed or "", INJECTION)
        fits = kind != SUCCESS and (listed is None or RULE_SPECS[kind].root == listed)
        return kind if fits and list_name == (listed or "rules") else ""

    def _parsed(self, kind: str, text: str) -> ParsedEntry:
        key = (kind, text)
        entry = self._cache.pop(key, None)
        if entry is None:
            entry = _parse_entry(kind, text)
            while len(self._cache) >= CACHED_ENTRIES:
                del self._cache[next(iter(self._cache))]
        self._cache[key] = entry
        return entry

    def _of_entries(
        self, text: str, kind: str, placed: Iterable[PlacedEntry[ParsedEntry]],
        errors: Iterable[Diagnostic] = (), *, is_whole: bool = True,
    ) -> ParsedFile:  # fmt: skip
        rules: list[Rule] = []
        diagnostics = [replace(diagnostic, path=self._path) for diagnostic in errors]
        entries: list[FileEntry] = []
        for start, end, line, entry in placed:
            rule = _shifted_rule(entry, start, line)
            if rule is not None:
                rules.append(rule)
            shifter = RuleShifter(start, line)
            diagnostics += [shifter.diagnostic(diagnostic, self._path) for diagnostic in entry.diagnostics]
            entries.append(FileEntry("", start, end, rule, entry.node, _path_in(entry, kind), entry))
        diagnostics.sort(key=lambda diagnostic: diagnostic.place)
        file = RuleFile(kind, tuple(rules), tuple(diagnostics), self._path)
        return _with_keys(text, file, entries, is_whole=is_whole)

    def _of_recovered(
        self, text: str, kind: str, spans: list[tuple[int, int]], parsed: list[ParsedEntry]
    ) -> ParsedFile | None:
        """A broken file by its entries; None when only the whole text says what they are."""
        recovered = recovered_entries(text, spans, parsed, lambda part: self._parsed(kind, part))
        if recovered is None or not _is_of_kind(recovered, kind):
            return None
        return self._of_entries(text, kind, recovered.entries, recovered.diagnostics, is_whole=False)

    def _of_dependent(self, text: str, kind: str) -> ParsedFile:
        """A file whose entries depend on each other."""
        source = whole_source(text)
        if source.is_whole:
            return self._of_whole(text, source)
        file = rules_of(source, self._path, self._kind)
        entries: list[FileEntry] = []
        for start, end in source.spans:
            entry = self._parsed(kind, text[start:end])
            rule = _shifted_rule(entry, start, text.count("\n", 0, start))
            entries.append(FileEntry("", start, end, rule, entry.node, _path_in(entry, kind), entry))
        return _with_keys(text, file, entries, is_whole=False)

    def _of_whole(self, text: str, source: YamlSource) -> ParsedFile:
        kind = self._kind or kind_of(source.root, self._path)
        file = rules_of(source, self._path, self._kind)
        entries: list[FileEntry] = []
        by_place = {(rule.place.start, rule.place.end): rule for rule in file.rules}
        listed = source.root
        root = RULE_SPECS[kind].root
        if source.root is not None and source.root.kind == "mapping" and kind != SUCCESS:
            listed = source.root.get(root)
        if listed is not None and listed.kind == "sequence" and kind != SUCCESS:
            base = (root,) if listed is not source.root else ()
            for at, item in enumerate(listed.items):
                rule = by_place.get((item.place.start, item.place.end))
                node = item if source.is_whole else None
                entries.append(FileEntry("", item.place.start, item.place.end, rule, node, (*base, at)))
        elif listed is not None and listed.kind == "mapping" and kind == SUCCESS:
            for key, value in listed.pairs:
                rule = by_place.get((key.place.start, value.place.end))
                node = value if source.is_whole else None
                entries.append(FileEntry("", key.place.start, value.place.end, rule, node, (key.text,)))
        is_empty_list = listed is not None and listed.kind == "sequence" and not listed.items
        if not (source.is_whole and is_empty_list):  # what stands beside an empty list is no entry of it
            entries = with_unread(source, entries, file.diagnostics)
        return _with_keys(text, file, entries, is_whole=source.is_whole, root=source.root)


def _parse_entry(kind: str, text: str) -> ParsedEntry:
    source = read_entry(text)
    if not source.is_whole:
        return ParsedEntry(text, None, None, None, tuple(source.diagnostics), fault=source.fault)
    root = source.root
    node = _single_rule(kind, root, text)
    if root is None or node is None:
        is_empty = root is None or root.kind != ("mapping" if kind == SUCCESS else "sequence")
        return ParsedEntry(text, root, None, None, tuple(source.diagnostics), is_alone=is_empty)
    file = rules_of(source, "", kind)
    rule = file.rules[0] if file.rules else None
    key = root.pairs[0][0].text if kind == SUCCESS else ""
    return ParsedEntry(text, root, node, rule, file.diagnostics, key)


def _single_rule(kind: str, root: YamlNode | None, text: str) -> YamlNode | None:
    """The value of the one rule in ``root``; None when the entry cannot be used alone."""
    if root is None:
        return None
    if kind == SUCCESS:
        single = root.kind == "mapping" and len(root.pairs) == 1 and not text.startswith(("{", "?"))
        fits = single and root.pairs[0][0].kind == "scalar" and root.pairs[0][0].place.start == 0
        return root.pairs[0][1] if fits and root.pairs[0][1].kind == "mapping" else None  # else of any kind
    dash = re.match(r" *(?=-\s)", text)
    single = root.kind == "sequence" and len(root.items) == 1 and dash is not None
    fits = single and dash is not None and root.place.start == dash.end()
    return root.items[0] if fits else None


def _fit_together(kind: str, parsed: list[ParsedEntry]) -> bool:
    """Whether the entries have one indent, or distinct keys, as the entries of one file need."""
    if kind != SUCCESS:
        return len({len(entry.text) - len(entry.text.lstrip(" ")) for entry in parsed}) == 1
    return len({entry.key for entry in parsed}) == len(parsed)


def _is_of_kind(recovered: RecoveredEntries[ParsedEntry], kind: str) -> bool:
    """Whether the entries of a broken file show its kind, as those of the whole file did."""
    if kind == SUCCESS:
        return not recovered.list_name and any(each.entry.rule is not None for each in recovered.entries)
    return bool(recovered.list_name)


def _path_in(entry: ParsedEntry, kind: str) -> tuple[str | int, ...]:
    return (entry.key,) if kind == SUCCESS else (0,)


def _shifted_rule(entry: ParsedEntry, start: int, line: int) -> Rule | None:
    if entry.rule is None:
        return None
    if entry.shift != (start, line):
        entry.shift, entry.shifted_rule = (start, line), RuleShifter(start, line).rule(entry.rule)
    return entry.shifted_rule


def _with_keys(
    text: str, file: RuleFile, entries: list[FileEntry], *, is_whole: bool, root: YamlNode | None = None
) -> ParsedFile:
    """The parsed file with a unique key for each entry, see :class:`ParsedFile`."""
    by_key: dict[str, FileEntry] = {}
    last = {entry.rule.id: at for at, entry in enumerate(entries) if entry.rule is not None}
    for at, entry in enumerate(entries):
        rule_id = entry.rule.id if entry.rule is not None else written_name(text[entry.start : entry.end])
        key, count = rule_id, 0
        while not key or (key in last and last[key] != at) or key in by_key:
            count += 1
            key = f"{rule_id}#{count}" if rule_id else f"#{at + count}"
        by_key[key] = FileEntry(key, entry.start, entry.end, entry.rule, entry.node, entry.path, entry.parsed)
    return ParsedFile(text, file, tuple(by_key.values()), is_whole, root, by_key)


Value = TypeVar("Value")


class RuleShifter(PlaceShifter):
    """Copies rules and conditions with shifted places."""

    def rule(self, rule: Rule) -> Rule:
        """The rule with every place shifted."""
        return _with(
            rule,
            place=self.place(rule.place),
            id_place=self.place(rule.id_place),
            conditions=self.condition(rule.conditions),
            actions=tuple(
                _with(action, place=self.place(action.place), id_place=self.place(action.id_place))
                for action in rule.actions
            ),
        )

    def condition(self, condition: Condition) -> Condition:
        """The condition with every place shifted."""
        place = self.place(condition.place)
        if isinstance(condition, Group):
            parts = tuple(self.condition(part) for part in condition.conditions)
            return _with(condition, place=place, conditions=parts)
        return _with(condition, place=place)


def _with(value: Value, **changes: Any) -> Value:
    """As dataclasses.replace for the model's frozen classes, without running their constructors again."""
    new = object.__new__(type(value))
    new.__dict__.update(value.__dict__)
    new.__dict__.update(changes)
    return new
