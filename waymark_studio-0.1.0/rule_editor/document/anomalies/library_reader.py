"""Read an anomaly library entry by entry, so that typing re-reads only the entry it is in.

Entries are parsed alone when no syntax reaches from one entry into another; the result then equals
that of reading the whole. Other files are read as a whole each time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from collector.anomalies import grammar
from collector.anomalies.check import check_ids, check_library, in_order
from collector.anomalies.model import (
    Anomaly,
    AnomalyLibrary,
    AnomalyParameter,
    ChangeCheck,
    DialogAnswer,
    FollowUp,
    NativeCommands,
    RememberedValue,
    ShellCommand,
)
from collector.anomalies.reader import library_of
from collector.located_yaml.diagnostics import Diagnostic
from collector.located_yaml.entry_spans import entry_spans, written_name
from collector.located_yaml.safe_load import MAX_LOCATED_BYTES
from collector.located_yaml.source import read_entry
from collector.located_yaml.yaml_node import YamlNode
from collector.rules.grammar.model import RuleFile
from rule_editor.document.entries.entry import (
    CACHED_ENTRIES,
    FileEntry,
    ParsedEntry,
    ParsedFile,
    entries_depend,
    whole_source,
    with_unread,
)
from rule_editor.document.entries.file_kinds import LIBRARY
from rule_editor.document.entries.place_shifter import PlaceShifter
from rule_editor.document.entries.recovered_entries import PlacedEntry, recovered_entries, with_lines

_BLANK = r"(?: *(?:#[^\r\n]*)?\r?\n)*"
_HEADER = re.compile(
    rf"{_BLANK}(?:(?P<root>{'|'.join(grammar.ROOTS)})[ \t]*:[ \t]*(?:(?<=[ \t])#[^\r\n]*)?\r?\n{_BLANK})?"
)
_ITEM = re.compile(r" *(?=-\s)")
_NO_RULES = RuleFile(LIBRARY)


@dataclass(slots=True, eq=False)
class ParsedAnomaly(ParsedEntry):
    """The text of one anomaly, parsed alone; places count from its start."""

    anomaly: Anomaly | None = None
    checks: tuple[Diagnostic, ...] = ()
    """Diagnostics of the whole check, those of the grammar included."""
    shifted_anomaly: Anomaly | None = None
    """``anomaly`` with its places counted from the start of the file."""


@dataclass(frozen=True, slots=True, eq=False)
class ParsedLibrary:
    """One revision of a library, read and checked."""

    file: ParsedFile
    library: AnomalyLibrary
    diagnostics: tuple[Diagnostic, ...]
    """Diagnostics that need no other file than the library."""
    root: str
    """Key of the list in the file; the default key when the file has none."""


class LibraryReader:
    """Reads the revisions of one text one after another and caches the entries it has parsed."""

    def __init__(self, path: str = "") -> None:
        self._path = path
        self._cache: dict[str, ParsedAnomaly] = {}
        self._last: ParsedLibrary | None = None

    def read(self, text: str) -> ParsedLibrary:
        """Parse ``text``, unless it is the text that was read last; never raises."""
        if self._last is None or self._last.file.text != text:
            self._last = self._by_entries(text) or self._as_whole(text)
        return self._last

    def _by_entries(self, text: str) -> ParsedLibrary | None:
        """None when only the whole text says what its entries are."""
        _list_name, spans = entry_spans(text)
        header = _HEADER.fullmatch(text, 0, spans[0][0]) if spans else None
        if header is None or len(text) > MAX_LOCATED_BYTES or entries_depend(text, spans):
            return None
        parsed = [self._parsed(text[start:end]) for start, end in spans]
        root = header["root"] or ""
        if all(entry.node is not None for entry in parsed):
            has_one_indent = len({_indent(entry.text) for entry in parsed}) == 1
            placed = with_lines(text, spans, parsed)
            return self._of_entries(text, root, placed, ()) if has_one_indent else None
        recovered = recovered_entries(text, spans, parsed, self._parsed)
        if recovered is None or not recovered.list_name:
            return None
        return self._of_entries(text, root, recovered.entries, recovered.diagnostics, is_whole=False)

    def _parsed(self, text: str) -> ParsedAnomaly:
        entry = self._cache.pop(text, None)
        if entry is None:
            entry = _parse_entry(text)
            while len(self._cache) >= CACHED_ENTRIES:
                del self._cache[next(iter(self._cache))]
        self._cache[text] = entry
        return entry

    def _of_entries(
        self, text: str, root: str, placed: Iterable[PlacedEntry[ParsedAnomaly]],
        errors: Iterable[Diagnostic], *, is_whole: bool = True,
    ) -> ParsedLibrary:  # fmt: skip
        anomalies: list[Anomaly] = []
        entries: list[FileEntry] = []
        diagnostics = [replace(diagnostic, path=self._path) for diagnostic in errors]
        checks = list(diagnostics)
        for number, (start, end, line, entry) in enumerate(placed):
            if entry.anomaly is not None:
                anomalies.append(_shifted_anomaly(entry, start, line))
            shifter = AnomalyShifter(start, line)
            diagnostics += [shifter.diagnostic(diagnostic, self._path) for diagnostic in entry.diagnostics]
            checks += [shifter.diagnostic(diagnostic, self._path) for diagnostic in entry.checks]
            key = _key(entry.node, number) if entry.node is not None else written_name(text[start:end])
            entries.append(FileEntry(key, start, end, None, entry.node, (0,), entry))
        library = AnomalyLibrary(tuple(anomalies), tuple(diagnostics), self._path)
        checks += (replace(diagnostic, path=self._path) for diagnostic in check_ids(library))
        file = ParsedFile(text, _NO_RULES, tuple(entries), is_whole, by_key=_first_by_key(entries))
        return ParsedLibrary(file, library, tuple(in_order(checks)), root or grammar.ROOTS[0])

    def _as_whole(self, text: str) -> ParsedLibrary:
        source = whole_source(text)
        library = library_of(source, self._path)
        listed: YamlNode | None = source.root
        base: tuple[str, ...] = ()
        if listed is not None and listed.kind == "mapping":
            root = listed
            base = next(((name,) for name in grammar.ROOTS if root.get(name) is not None), ())
            listed = root.get(base[0]) if base else None
        entries = [
            FileEntry(_key(node, at), node.place.start, node.place.end, None, node, (*base, at))
            for at, node in enumerate(listed.items if listed is not None else ())
        ]
        entries = [
            replace(entry, key=entry.key or written_name(text[entry.start : entry.end]))
            for entry in with_unread(source, entries, library.diagnostics)
        ]
        by_key = _first_by_key(entries)
        file = ParsedFile(text, _NO_RULES, tuple(entries), source.is_whole, source.root, by_key)
        return ParsedLibrary(
            file, library, tuple(check_library(library)), base[0] if base else grammar.ROOTS[0]
        )


def _parse_entry(text: str) -> ParsedAnomaly:
    source = read_entry(text)
    root, dash = source.root, _ITEM.match(text)
    own = tuple(source.diagnostics)
    if not source.is_whole:
        return ParsedAnomaly(text, None, None, None, own, fault=source.fault, checks=own)
    if root is None or root.kind != "sequence":
        return ParsedAnomaly(text, root, None, None, own, checks=own)
    if len(root.items) != 1 or dash is None or root.place.start != dash.end():
        return ParsedAnomaly(text, root, None, None, own, is_alone=False)
    library = library_of(source)
    anomaly = library.anomalies[0] if library.anomalies else None
    checks = tuple(check_library(library))
    return ParsedAnomaly(text, root, root.items[0], None, library.diagnostics, anomaly=anomaly, checks=checks)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _shifted_anomaly(entry: ParsedAnomaly, start: int, line: int) -> Anomaly:
    assert entry.anomaly is not None
    if entry.shifted_anomaly is None or entry.shift != (start, line):
        entry.shift = (start, line)
        entry.shifted_anomaly = AnomalyShifter(start, line).anomaly(entry.anomaly)
    return entry.shifted_anomaly


def _key(node: YamlNode | None, number: int) -> str:
    """The id of an entry; ``#1`` for the first one when it has no id."""
    written = node.get("id") if node is not None else None
    return written.text if written is not None and written.text else f"#{number + 1}"


def _first_by_key(entries: list[FileEntry]) -> dict[str, FileEntry]:
    """Entries by key; the first one of those with the same key."""
    return {entry.key: entry for entry in reversed(entries)}


class AnomalyShifter(PlaceShifter):
    """Copies anomalies with shifted places.

    Of what there are hundreds the constructor is called: ``dataclasses.replace`` takes three times as long.
    """

    def anomaly(self, anomaly: Anomaly) -> Anomaly:
        """The anomaly with every place shifted."""
        return replace(
            anomaly,
            parameters=tuple(map(self._parameter, anomaly.parameters)),
            answers=tuple(map(self._answer, anomaly.answers)),
            events={key: tuple(map(self._follow_up, listed)) for key, listed in anomaly.events.items()},
            event_places={key: self.place(place) for key, place in anomaly.event_places.items()},
            undo=tuple(map(self._command, anomaly.undo)),
            native=tuple(map(self._native, anomaly.native)),
            place=self.place(anomaly.place),
            activity_place=self.place(anomaly.activity_place),
        )

    def _command(self, command: ShellCommand) -> ShellCommand:
        return ShellCommand(command.text, self.place(command.place))

    def _parameter(self, parameter: AnomalyParameter) -> AnomalyParameter:
        return AnomalyParameter(
            parameter.name, parameter.type, parameter.value, parameter.lowest, parameter.highest,
            parameter.description, self.place(parameter.place),
        )  # fmt: skip

    def _answer(self, answer: DialogAnswer) -> DialogAnswer:
        follow_ups = tuple(map(self._follow_up, answer.follow_ups))
        return DialogAnswer(answer.name, answer.button, answer.event, follow_ups, self.place(answer.place))

    def _follow_up(self, follow_up: FollowUp) -> FollowUp:
        if follow_up.command is None:
            return follow_up
        command = self._command(follow_up.command)
        return FollowUp(follow_up.type, command, follow_up.message, follow_up.description)

    def _native(self, native: NativeCommands) -> NativeCommands:
        remember = {
            name: RememberedValue(self._command(value.command), value.pattern)
            for name, value in native.remember.items()
        }
        return NativeCommands(
            native.versions, tuple(map(self._command, native.apply)), tuple(map(self._command, native.undo)),
            remember, tuple(map(self._check, native.verify)),
        )  # fmt: skip

    def _check(self, check: ChangeCheck) -> ChangeCheck:
        return ChangeCheck(self._command(check.command), check.expect, check.once)
