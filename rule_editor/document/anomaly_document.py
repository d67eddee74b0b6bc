"""A library of anomalies being edited: its text is the truth, an edit of an entry a small edit of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import Any

from collector.anomalies.model import Anomaly, AnomalyLibrary
from collector.located_yaml.diagnostics import Diagnostic, Place
from collector.located_yaml.source import read_entry
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from rule_editor.document import lines, rule_edits
from rule_editor.document.anomaly_reading import LibraryReader
from rule_editor.document.edits import by_lines
from rule_editor.document.errors import DocumentError, UnsafeEditError
from rule_editor.document.moved import Mover
from rule_editor.document.plain import plain_of, same
from rule_editor.document.read_document import votes_of
from rule_editor.document.reading import Entry, Reading, whole_source
from rule_editor.document.references import LIBRARY
from rule_editor.document.style import Style, Votes, style_of
from rule_editor.document.surgery import Path, Workpiece
from rule_editor.document.text_document import TextDocument, read_text

Change = Callable[[Workpiece], object]
"""Works on the text of one entry, which stands at the path ``(0,)``; see :mod:`anomaly_edits`."""


class AnomalyDocument(TextDocument):
    """Entries are named by their id; of several with one id the first is meant.

    Edits raise DocumentError and change nothing when they cannot be made safely: an edit touches its
    own entry only, and what is read afterwards is exactly what was meant.
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
        """The anomalies of the text as it is."""
        return self._reader.read(self._text).library

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What the library alone shows to be wrong."""
        return self._reader.read(self._text).found

    def anomaly(self, anomaly_id: str) -> Anomaly | None:
        """The entry an edit of ``anomaly_id`` would change."""
        return self.library.get(anomaly_id)

    def plain(self, anomaly_id: str) -> dict[str, Any]:
        """An entry with every key as it is written. Raises DocumentError when there is none."""
        node = self._entry(anomaly_id).node
        found: dict[str, Any] = plain_of(node) if node is not None else {}
        return found

    def place_of(self, anomaly_id: str) -> Place | None:
        """Where an entry stands; None when there is none."""
        entry = self.reading.by_key.get(anomaly_id)
        if entry is None or entry.node is None:
            return None
        if not entry.alone:
            return entry.node.place
        return Mover(entry.start, self._text.count("\n", 0, entry.start)).place(entry.node.place)

    def path_of(self, anomaly_id: str, place: Place) -> Path:
        """Keys and numbers that lead from an entry to what stands at ``place``, as far as it does."""
        entry = self.reading.by_key.get(anomaly_id)
        path: Path = ()
        node = entry.node if entry is not None else None
        at = place.start - (entry.start if entry is not None and entry.alone else 0)
        while node is not None and (found := _inside(node, at)) is not None:
            step, node = found
            path = (*path, step)
        return path

    def anomaly_at(self, offset: int) -> str:
        """Id of the entry the character is in; empty when in none."""
        inside = [entry for entry in self.reading.entries if entry.start <= offset]
        return inside[-1].key if inside else ""

    @property
    def reading(self) -> Reading:
        """Where the entries of this revision stand; they hold no rules."""
        return self._reader.read(self._text).reading

    @property
    def style(self) -> Style:
        """How new YAML is written here."""
        reading = self.reading
        if all(entry.alone for entry in reading.entries) and reading.entries:
            return style_of((votes_of(entry) for entry in reading.entries), self.newline)
        votes = Votes()
        if (root := whole_source(self._text).root) is not None:
            votes.count(root, self._text)
        return style_of([votes], self.newline)

    # -- edits ---------------------------------------------------------------
    def change(self, anomaly_id: str, change: Change, name: str = "") -> None:
        """Let ``change`` work on the text of an entry, as one step."""
        entry = self._entry(anomaly_id)
        start, end = rule_edits.span(self.reading, self.reading.entries.index(entry))
        start = lines.line_start(self._text, entry.start)
        piece = Workpiece(self._text[start:end], _read_alone, self.style)
        change(piece)
        wanted = self._plains()
        wanted[self.reading.entries.index(entry)] = piece.plain((0,))
        text = self._text[:start] + piece.text + self._text[end:]
        self._commit(text, wanted, name or _("Change {rule}", rule=anomaly_id))

    def rename(self, anomaly_id: str, new_id: str) -> None:
        """The entry is called otherwise, here alone; RuleFiles.rename follows what names it."""
        self._check_new(new_id)
        name = _("Rename {old} to {new}", old=anomaly_id, new=new_id)
        self.change(anomaly_id, lambda piece: piece.set((0, "id"), new_id), name)

    def add(self, plain: Mapping[str, Any], after: str = "") -> None:
        """A new entry behind ``after``, at the end when that is empty. Its id must be free."""
        new = dict(plain)
        self._check_new(str(new.get("id", "")))
        behind = self.reading.by_key.get(after)
        at = self.reading.entries.index(behind) + 1 if behind is not None else len(self.reading.entries)
        wanted = self._plains()
        wanted.insert(at, new)
        text = rule_edits.listed(self.reading, new, self._reader.read(self._text).root, behind, self.style)
        self._commit(text, wanted, _("Add {rule}", rule=new["id"]))

    def duplicate(self, anomaly_id: str, new_id: str = "") -> str:
        """A copy of the entry behind it, comments too; the id of the copy."""
        entry = self._entry(anomaly_id)
        index = self.reading.entries.index(entry)
        new_id = new_id or rule_edits.free_id(anomaly_id, self.reading.by_key)
        self._check_new(new_id)
        wanted = self._plains()
        wanted.insert(index + 1, {**wanted[index], "id": new_id})
        text = rule_edits.duplicated(self.reading, index, new_id, self.style)
        self._commit(text, wanted, _("Duplicate {rule}", rule=anomaly_id))
        return new_id

    def delete(self, anomaly_id: str) -> None:
        """The entry goes, the comments directly above it with it."""
        index = self.reading.entries.index(self._entry(anomaly_id))
        wanted = self._plains()
        del wanted[index]
        text = rule_edits.deleted(self.reading, index)
        self._commit(text, wanted, _("Delete {rule}", rule=anomaly_id))

    # -- how edits are made --------------------------------------------------
    def _entry(self, anomaly_id: str) -> Entry:
        entry = self.reading.by_key.get(anomaly_id)
        if entry is None:
            what = _("There is no anomaly {id} in this library", id=anomaly_id)
            raise DocumentError(what, "", _("Choose it again"))
        return entry

    def _check_new(self, new_id: str) -> None:
        if not new_id.strip():
            raise DocumentError(_("An anomaly needs an id"))
        if new_id in self.reading.by_key:
            raise DocumentError(_("There is a {id} already", id=new_id), "", _("Choose another id"))

    def _plains(self) -> list[Any]:
        return [plain_of(entry.node) for entry in self.reading.entries if entry.node is not None]

    def _commit(self, text: str, wanted: list[Any], name: str) -> None:
        """Take the text unless it would mean something else than was meant."""
        before, after = self.reading, self._reader.read(text).reading
        found = [plain_of(entry.node) for entry in after.entries if entry.node is not None]
        if (before.whole and not after.whole) or not same(found, wanted):
            raise UnsafeEditError
        if edits := by_lines(self._text, text):
            self._edit(edits, name)


def _inside(node: YamlNode, at: int) -> tuple[str | int, YamlNode] | None:
    """The key or number whose value, or whose key itself, the character is in."""
    for number, one in enumerate(node.items):
        if one.place.start <= at < max(one.place.end, one.place.start + 1):
            return number, one
    for key, one in node.pairs:
        if key.place.start <= at < max(one.place.end, key.place.end):
            return key.text, one
    return None


def _read_alone(text: str) -> YamlNode | None:
    source = read_entry(text)
    return source.root if source.is_whole else None
