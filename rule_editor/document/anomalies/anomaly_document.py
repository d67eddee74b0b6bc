"""An anomaly library being edited: every edit of an entry becomes a small edit of the text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import Any

from collector.anomalies.model import Anomaly, AnomalyLibrary
from collector.located_yaml.diagnostics import Diagnostic, Place
from collector.located_yaml.yaml_node import YamlNode
from collector.located_yaml.yaml_patch import lines
from collector.located_yaml.yaml_patch.errors import DocumentError, UnsafeEditError
from collector.located_yaml.yaml_patch.patch import Path, YamlPatch
from collector.located_yaml.yaml_patch.plain_values import plain_of, same
from collector.located_yaml.yaml_patch.style import StyleCounts, YamlStyle, common_style
from collector.model.message import _
from rule_editor.document.anomalies.library_reader import LibraryReader
from rule_editor.document.entries import entry_edits
from rule_editor.document.entries.entry import (
    FileEntry,
    ParsedFile,
    root_of_entry,
    text_place,
    whole_source,
)
from rule_editor.document.entries.file_kinds import LIBRARY
from rule_editor.document.entries.place_shifter import PlaceShifter
from rule_editor.document.text.edits import line_edits
from rule_editor.document.text.text_document import TextDocument, read_text

AnomalyEdit = Callable[[YamlPatch], object]
"""Patches the text of one entry, which is at the path ``(0,)``; see :mod:`anomaly_edits`."""


class AnomalyDocument(TextDocument):
    """A library with all its edits; each is one undo step.

    Entries are named by their id; among several with one id it is the first. An edit raises
    DocumentError and changes nothing when it cannot be made safely: it may touch its own entry only,
    and the new text has to parse to exactly the expected values.
    """

    kind = LIBRARY

    def __init__(self, text: str, path: str = "") -> None:
        super().__init__(text, path)
        self._reader = LibraryReader(path)

    @classmethod
    def load(cls, path: FilePath) -> AnomalyDocument:
        """The document of a file on disk. Raises DocumentError."""
        return cls(read_text(path), str(path))

    # -- reading -------------------------------------------------------------
    @property
    def library(self) -> AnomalyLibrary:
        """The anomalies of the current text."""
        return self._reader.read(self._text).library

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Diagnostics that need no other file than the library."""
        return self._reader.read(self._text).diagnostics

    @property
    def parsed(self) -> ParsedFile:
        """This revision of the text with its entries, which hold no rules."""
        return self._reader.read(self._text).file

    def anomaly(self, anomaly_id: str) -> Anomaly | None:
        """The anomaly that an edit of ``anomaly_id`` changes."""
        return self.library.get(anomaly_id)

    def plain(self, anomaly_id: str) -> dict[str, Any]:
        """The plain value of an entry, with every key of the text. Raises DocumentError."""
        node = self._entry(anomaly_id).node
        plain: dict[str, Any] = plain_of(node) if node is not None else {}
        return plain

    def place_of(self, anomaly_id: str) -> Place | None:
        """The place of an entry; None when there is none."""
        entry = self.parsed.by_key.get(anomaly_id)
        if entry is None:
            return None
        if entry.node is None:
            return text_place(self._text, entry)
        if entry.parsed is None:
            return entry.node.place
        return PlaceShifter(entry.start, self._text.count("\n", 0, entry.start)).place(entry.node.place)

    def path_of(self, anomaly_id: str, place: Place) -> Path:
        """Keys and positions from an entry to the innermost value at ``place``."""
        entry = self.parsed.by_key.get(anomaly_id)
        path: Path = ()
        node = entry.node if entry is not None else None
        at = place.start - (entry.start if entry is not None and entry.parsed is not None else 0)
        while node is not None and (child := _child_at(node, at)) is not None:
            step, node = child
            path = (*path, step)
        return path

    def anomaly_at(self, offset: int) -> str:
        """Id of the entry that holds the character ``offset``; empty outside of entries."""
        before = [entry for entry in self.parsed.entries if entry.start <= offset]
        return before[-1].key if before else ""

    @property
    def style(self) -> YamlStyle:
        """The layout for new YAML, the one most entries have."""
        entries = self.parsed.entries
        if entries and all(entry.parsed is not None for entry in entries):
            return common_style((entry.style_counts for entry in entries), self.newline)
        counts = StyleCounts()
        if (root := whole_source(self._text).root) is not None:
            counts.count(root, self._text)
        return common_style([counts], self.newline)

    # -- edits ---------------------------------------------------------------
    def change(self, anomaly_id: str, edit: AnomalyEdit, name: str = "") -> None:
        """Let ``edit`` patch the text of an entry as one undo step."""
        index = self.parsed.entries.index(self._entry(anomaly_id))
        _start, end = entry_edits.span(self.parsed, index)
        start = lines.line_start(self._text, self.parsed.entries[index].start)
        patch = YamlPatch(self._text[start:end], root_of_entry, self.style)
        edit(patch)
        plains = self._plains()
        plains[index] = patch.plain((0,))
        text = self._text[:start] + patch.text + self._text[end:]
        self._commit(text, plains, name or _("Change {rule}", rule=anomaly_id))

    def rename(self, anomaly_id: str, new_id: str) -> None:
        """Rename the entry in this file alone; RuleFiles.rename also changes references to it."""
        self._check_new(new_id)
        name = _("Rename {old} to {new}", old=anomaly_id, new=new_id)
        self.change(anomaly_id, lambda patch: patch.set((0, "id"), new_id), name)

    def add(self, plain: Mapping[str, Any], after: str = "") -> None:
        """Add an entry after ``after``, at the end when that is empty. Its id must be new."""
        new = dict(plain)
        self._check_new(str(new.get("id", "")))
        before = self.parsed.by_key.get(after)
        at = self.parsed.entries.index(before) + 1 if before is not None else len(self.parsed.entries)
        plains = self._plains()
        plains.insert(at, new)
        root = self._reader.read(self._text).root
        text = entry_edits.with_item(self.parsed, new, root, before, self.style)
        self._commit(text, plains, _("Add {rule}", rule=new["id"]))

    def duplicate(self, anomaly_id: str, new_id: str = "") -> str:
        """Add a copy of the entry after it, with its comments; return the id of the copy."""
        index = self.parsed.entries.index(self._entry(anomaly_id))
        new_id = new_id or entry_edits.free_id(anomaly_id, self.parsed.by_key)
        self._check_new(new_id)
        plains = self._plains()
        plains.insert(index + 1, {**plains[index], "id": new_id})
        text = entry_edits.with_copy(self.parsed, index, new_id, self.style)
        self._commit(text, plains, _("Duplicate {rule}", rule=anomaly_id))
        return new_id

    def delete(self, anomaly_id: str) -> None:
        """Delete the entry and the comments directly above it."""
        index = self.parsed.entries.index(self._entry(anomaly_id, readable=False))
        plains = self._plains()
        del plains[index]
        text = entry_edits.without(self.parsed, index)
        self._commit(text, plains, _("Delete {rule}", rule=anomaly_id))

    def _entry(self, anomaly_id: str, *, readable: bool = True) -> FileEntry:
        entry = self.parsed.by_key.get(anomaly_id)
        if entry is None:
            what = _("There is no anomaly {id} in this library", id=anomaly_id)
            raise DocumentError(what, "", _("Choose it again"))
        if readable and self.anomaly(anomaly_id) is None:
            what = _("The anomaly {id} cannot be read, so it cannot be changed from here", id=anomaly_id)
            raise DocumentError(what, "", _("Correct it in the YAML first"))
        return entry

    def _check_new(self, new_id: str) -> None:
        """Raise DocumentError when ``new_id`` is empty or exists."""
        if not new_id.strip():
            raise DocumentError(_("An anomaly needs an id"))
        if new_id in self.parsed.by_key:
            raise DocumentError(_("There is a {id} already", id=new_id), "", _("Choose another id"))

    def _plains(self) -> list[Any]:
        return _plains_of(self.parsed)

    def _commit(self, text: str, plains: list[Any], name: str) -> None:
        """Set the text; raise UnsafeEditError when its entries would not parse to ``plains``."""
        before, after = self.parsed, self._reader.read(text).file
        if (before.is_whole and not after.is_whole) or not same(_plains_of(after), plains):
            raise UnsafeEditError
        if edits := line_edits(self._text, text):
            self._edit(edits, name)


def _plains_of(parsed: ParsedFile) -> list[Any]:
    """The plain value of each entry; the lines of one that cannot be read."""
    return [
        lines.without_tail(parsed.text[entry.start : entry.end])
        if entry.node is None
        else plain_of(entry.node)
        for entry in parsed.entries
    ]


def _child_at(node: YamlNode, at: int) -> tuple[str | int, YamlNode] | None:
    """The key or position of the child, or of the child's key, that holds the character ``at``."""
    for position, item in enumerate(node.items):
        if item.place.start <= at < max(item.place.end, item.place.start + 1):
            return position, item
    for key, value in node.pairs:
        if key.place.start <= at < max(value.place.end, key.place.end):
            return key.text, value
    return None
