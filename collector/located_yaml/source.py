"""Read a YAML text into a tree with places, also when parts of the text are broken.

When the text as a whole is not YAML, its entries are read separately and the broken ones reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from collector.located_yaml.codes import diagnostic
from collector.located_yaml.diagnostics import Diagnostic, Place
from collector.located_yaml.entry_spans import EntryRecovery
from collector.located_yaml.line_index import LineIndex
from collector.located_yaml.merge_marks import first_mark
from collector.located_yaml.safe_load import MAX_LOCATED_BYTES
from collector.located_yaml.tree_builder import YamlLimitError, YamlSyntaxError, YamlTreeBuilder
from collector.located_yaml.yaml_node import YamlNode, plain_mapping
from collector.model.i18n import _


class SyntaxFault(NamedTuple):
    """Where and why a text is not YAML."""

    place: Place
    why: str


@dataclass(slots=True)
class YamlSource:
    """A text, the tree of its readable parts, and diagnostics of the others."""

    text: str
    root: YamlNode | None
    diagnostics: list[Diagnostic]
    is_whole: bool = True
    """False when the text as a whole is not YAML, so that ``root`` holds only its readable entries."""
    fault: SyntaxFault | None = None
    """Why one entry is not YAML; a whole text has diagnostics instead."""
    spans: tuple[tuple[int, int], ...] = ()
    """Start and end of each entry of a text that is not whole, those that cannot be read among them."""


def read_source(text: str) -> YamlSource:
    """Read a whole text; never raises. What cannot be read becomes a W101 with its line."""
    if len(text) > MAX_LOCATED_BYTES:
        what = _("The file is too large: over {count} characters", count=f"{MAX_LOCATED_BYTES:,}")
        return YamlSource(text, None, [diagnostic("yaml-syntax", Place(), what)], is_whole=False)
    diagnostics: list[Diagnostic] = []
    mark = 1 if text.startswith("\ufeff") else 0
    try:
        root = YamlTreeBuilder(text[mark:], mark, LineIndex(text), diagnostics).build()
    except YamlLimitError as error:
        what = _("The file is too large: {why}", why=error.why)
        return YamlSource(text, None, [diagnostic("yaml-syntax", error.place, what)], is_whole=False)
    except YamlSyntaxError as error:
        return _read_by_entries(text, error)
    return YamlSource(text, root, diagnostics)


def read_entry(text: str) -> YamlSource:
    """Read one entry of a file; never raises. Places count from the start of the entry."""
    diagnostics: list[Diagnostic] = []
    try:
        return YamlSource(text, YamlTreeBuilder(text, 0, LineIndex(text), diagnostics).build(), diagnostics)
    except YamlSyntaxError as error:
        return YamlSource(text, None, diagnostics, is_whole=False, fault=_fault(error))


def syntax_error_without(text: str, start: int, end: int) -> Diagnostic | None:
    """Why a text is not YAML, without reading its characters ``start`` to ``end``; None when it is YAML.

    These have to be whole entries that are YAML by themselves and define no anchor.
    """
    mark = 1 if text.startswith("\ufeff") else 0
    shown = text[mark:start] + text[end:]
    try:
        YamlTreeBuilder(shown, end - start + mark, LineIndex(text), []).build()
    except YamlSyntaxError as error:
        return syntax_diagnostic(_fault(error))
    return None


def _read_by_entries(text: str, error: YamlSyntaxError) -> YamlSource:
    """Read each entry of the file by itself; report those that cannot be read."""
    diagnostics: list[Diagnostic] = []
    recovery = EntryRecovery(text)
    lines = LineIndex(text)
    items: list[YamlNode] = []
    pairs: list[tuple[YamlNode, YamlNode]] = []
    spans: list[tuple[int, int]] = []
    waiting = recovery.spans[::-1]
    while waiting:
        start, end = waiting.pop()
        of_entry: list[Diagnostic] = []
        try:
            node = YamlTreeBuilder(text[start:end], start, lines, of_entry).build()
        except YamlSyntaxError as entry_error:
            if len(parts := recovery.split(start, end)) > 1:
                waiting += parts[::-1]
                continue
            of_entry.append(syntax_diagnostic(_fault(entry_error)))
            node = None
        diagnostics += of_entry
        spans.append((start, end))
        if node is not None:
            items += node.items
            pairs += node.pairs
    merge = first_mark(text)
    if merge is not None:  # what else is not YAML follows from it
        diagnostics = [item for item in diagnostics if item.code != "W101"]
        place = lines.place(merge.start, merge.start + 1)
        diagnostics.insert(0, diagnostic("yaml-syntax", place, merge.what, to_do=merge.to_do))
    elif not any(diagnostic.code == "W101" for diagnostic in diagnostics):
        diagnostics.insert(0, syntax_diagnostic(_fault(error)))
    whole = Place(0, len(text))
    root: YamlNode | None = None
    if recovery.list_name:
        root = YamlNode("sequence", whole, [item.plain for item in items], items=items)
        pairs = [(YamlNode("scalar", whole, recovery.list_name, recovery.list_name), root)]
    if pairs and not recovery.is_bare:
        root = YamlNode("mapping", whole, plain_mapping(pairs), pairs=pairs)
    return YamlSource(text, root, diagnostics, is_whole=False, spans=tuple(spans))


def _fault(error: YamlSyntaxError) -> SyntaxFault:
    return SyntaxFault(error.place, error.why)


def syntax_diagnostic(fault: SyntaxFault) -> Diagnostic:
    """The diagnostic of what is not YAML."""
    what = _("Line {line} is not YAML: {why}", line=fault.place.line, why=fault.why)
    to_do = _("Correct the line")
    return diagnostic("yaml-syntax", fault.place, what, to_do=to_do)
