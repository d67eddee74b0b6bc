"""A library of anomalies read entry by entry, so that a letter reads again only the entry it is typed in.

Entries are read alone when nothing in the file can reach from one into another; what they come to
is then the same as reading the whole. All other files are read whole each time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from collector.anomalies import grammar
from collector.anomalies.check import check_ids, check_library, in_order
from collector.anomalies.model import Anomaly, AnomalyLibrary
from collector.anomalies.reader import library_of
from collector.located_yaml.diagnostics import Diagnostic
from collector.located_yaml.safe_load import MAX_BYTES
from collector.located_yaml.source import entry_spans, read_entry
from collector.located_yaml.yaml_node import YamlNode
from collector.rules.grammar.model import RuleFile
from rule_editor.document.moved_anomaly import AnomalyMover
from rule_editor.document.reading import REACHING, Entry, Part, Reading, whole_source
from rule_editor.document.references import LIBRARY

_BLANK = r"(?: *(?:#[^\r\n]*)?\r?\n)*"
_HEADER = re.compile(
    rf"{_BLANK}(?:(?P<root>{'|'.join(grammar.ROOTS)})[ \t]*:[ \t]*(?:(?<=[ \t])#[^\r\n]*)?\r?\n{_BLANK})?"
)
_ITEM = re.compile(r" *(?=- )")
_CACHED = 4000
_NO_RULES = RuleFile(LIBRARY)


@dataclass(slots=True, eq=False)
class AnomalyPart(Part):
    """One entry as read alone; places count from its start."""

    anomaly: Anomaly | None = None
    found: tuple[Diagnostic, ...] = ()
    """What is wrong with it beyond its grammar too."""
    there: Anomaly | None = None
    """``anomaly`` as it was moved to ``placed``."""


@dataclass(frozen=True, slots=True, eq=False)
class LibraryReading:
    """One revision of a library, read and checked."""

    reading: Reading
    library: AnomalyLibrary
    found: tuple[Diagnostic, ...]
    """What the library alone shows to be wrong."""
    root: str
    """Name of the list, as the file has it; that of a new one where it has none."""


class LibraryReader:
    """Reads revision after revision of one text, remembering the entries it has seen."""

    def __init__(self, path: str = "") -> None:
        self._path = path
        self._parts: dict[str, AnomalyPart] = {}
        self._last: LibraryReading | None = None

    def read(self, text: str) -> LibraryReading:
        """Never raises. The text that was read last is not read again."""
        if self._last is None or self._last.reading.text != text:
            self._last = self._by_parts(text) or self._whole(text)
        return self._last

    def _by_parts(self, text: str) -> LibraryReading | None:
        """None when its entries may not be read alone."""
        _name, spans = entry_spans(text)
        header = _HEADER.fullmatch(text, 0, spans[0][0]) if spans else None
        if header is None or len(text) > MAX_BYTES or REACHING.search(text):
            return None
        parts = [self._part(text[start:end]) for start, end in spans]
        if any(part.anomaly is None for part in parts) or len({_dash(part.text) for part in parts}) > 1:
            return None
        return self._composed(text, header["root"] or "", spans, parts)

    def _part(self, text: str) -> AnomalyPart:
        part = self._parts.pop(text, None)
        if part is None:
            part = _read_part(text)
            while len(self._parts) >= _CACHED:
                del self._parts[next(iter(self._parts))]
        self._parts[text] = part
        return part

    def _composed(
        self, text: str, root: str, spans: list[tuple[int, int]], parts: list[AnomalyPart]
    ) -> LibraryReading:
        anomalies: list[Anomaly] = []
        entries: list[Entry] = []
        told: list[Diagnostic] = []
        found: list[Diagnostic] = []
        line = at = 0
        for number, ((start, end), part) in enumerate(zip(spans, parts, strict=True)):
            line += text.count("\n", at, start)
            at = start
            anomalies.append(_placed(part, start, line))
            mover = AnomalyMover(start, line)
            told += [mover.diagnostic(diagnostic, self._path) for diagnostic in part.diagnostics]
            found += [mover.diagnostic(one, self._path) for one in part.found]
            entries.append(Entry(_key(part.node, number), start, end, None, part.node, (0,), part))
        library = AnomalyLibrary(tuple(anomalies), tuple(told), self._path)
        found += (replace(one, path=self._path) for one in check_ids(library))
        checked = tuple(in_order(found))
        reading = Reading(text, _NO_RULES, tuple(entries), whole=True, by_key=_first_of_each(entries))
        return LibraryReading(reading, library, checked, root or grammar.ROOTS[0])

    def _whole(self, text: str) -> LibraryReading:
        source = whole_source(text)
        library = library_of(source, self._path)
        listed: YamlNode | None = source.root
        base: tuple[str, ...] = ()
        if listed is not None and listed.kind == "mapping":
            root = listed
            base = next(((name,) for name in grammar.ROOTS if root.get(name) is not None), ())
            listed = root.get(base[0]) if base else None
        entries = [
            Entry(_key(node, at), node.place.start, node.place.end, None, node, (*base, at))
            for at, node in enumerate(listed.items if listed is not None else ())
            if node.kind == "mapping"
        ]
        by_key = _first_of_each(entries)
        reading = Reading(text, _NO_RULES, tuple(entries), source.is_whole, source.root, by_key)
        found = tuple(check_library(library))
        return LibraryReading(reading, library, found, base[0] if base else grammar.ROOTS[0])


def _read_part(text: str) -> AnomalyPart:
    source = read_entry(text)
    root, dash = source.root, _ITEM.match(text)
    single = root is not None and root.kind == "sequence" and len(root.items) == 1 and dash is not None
    if not source.is_whole or root is None or dash is None or not single or root.place.start != dash.end():
        return AnomalyPart(text, None, None, None, (), broken=not source.is_whole)
    library = library_of(source)
    if len(library.anomalies) != 1:
        return AnomalyPart(text, root, None, None, ())
    found = tuple(check_library(library))
    return AnomalyPart(
        text, root, root.items[0], None, library.diagnostics, anomaly=library.anomalies[0], found=found
    )


def _dash(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _placed(part: AnomalyPart, start: int, line: int) -> Anomaly:
    assert part.anomaly is not None
    if part.there is None or part.placed != (start, line):
        part.placed, part.there = (start, line), AnomalyMover(start, line).anomaly(part.anomaly)
    return part.there


def _key(node: YamlNode | None, number: int) -> str:
    """The id of an entry; one without is called by its place."""
    written = node.get("id") if node is not None else None
    return written.text if written is not None and written.text else f"#{number + 1}"


def _first_of_each(entries: list[Entry]) -> dict[str, Entry]:
    return {entry.key: entry for entry in reversed(entries)}
