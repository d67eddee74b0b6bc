"""The rule files of a project opened together: an id renamed is renamed wherever it is named, as one step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from collector.located_yaml.diagnostics import Place, TextEdit, apply_edits
from collector.located_yaml.source import read_source
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.rules.grammar.model import INJECTION, KINDS, STATE, SUCCESS
from collector.store.layout import LIBRARY_FILE, RULE_FILES, TASKS_FILE
from rule_editor.document import emit
from rule_editor.document.edits import Batch
from rule_editor.document.errors import DocumentError, UnsafeEditError
from rule_editor.document.history import Link
from rule_editor.document.plain import plain_of, same
from rule_editor.document.references import ANOMALY, FILE_KINDS, LIBRARY, TASKS, Mention, mentions
from rule_editor.document.rule_document import RuleDocument
from rule_editor.document.text_document import TextDocument, read_text

_DEFINING = {INJECTION: INJECTION, SUCCESS: SUCCESS, STATE: STATE, LIBRARY: ANOMALY}
PROJECT_FILES = {
    **RULE_FILES,
    LIBRARY: LIBRARY_FILE,
    TASKS: TASKS_FILE,
}
"""Where the files of a project lie, by kind."""


class RuleFiles:
    """Documents by path, each of one kind: injection, success, state, library or tasks."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[str, TextDocument]] = {}

    @classmethod
    def open(cls, folder: Path) -> RuleFiles:
        """Every rule file of the project in ``folder`` that is there. Raises DocumentError."""
        files = cls()
        for kind, name in PROJECT_FILES.items():
            if (path := folder / name).is_file():
                files.load(path, kind)
        return files

    def load(self, path: Path, kind: str) -> TextDocument:
        """Open one more file. Raises DocumentError."""
        document: TextDocument
        if kind in KINDS:
            document = RuleDocument.load(path, kind)
        else:
            document = TextDocument(read_text(path), str(path))
        self.add(document, kind)
        return document

    def add(self, document: TextDocument, kind: str) -> None:
        """Take a document in that is open already."""
        if kind not in FILE_KINDS:
            raise DocumentError(_("There are no files of kind {kind}", kind=kind))
        self._files[document.path] = (kind, document)

    def close(self, path: str) -> None:
        self._files.pop(path, None)

    def __iter__(self) -> Iterator[TextDocument]:
        return iter([document for _kind, document in self._files.values()])

    def of_kind(self, kind: str) -> tuple[TextDocument, ...]:
        return tuple(document for one, document in self._files.values() if one == kind)

    def rule_documents(self) -> tuple[RuleDocument, ...]:
        return tuple(one for one in self if isinstance(one, RuleDocument))

    @property
    def dirty(self) -> tuple[TextDocument, ...]:
        """Documents that differ from the disk."""
        return tuple(one for one in self if one.dirty)

    def ids(self, kind: str) -> tuple[str, ...]:
        """Ids of a kind (injection, success, state, anomaly, task) that some file gives, in order."""
        found = (one.id for _document, one in self._mentions() if one.defines and one.kind == kind)
        return tuple(dict.fromkeys(found))

    def uses(self, rule_id: str, kind: str) -> tuple[tuple[TextDocument, Mention], ...]:
        """Where an id is given or named."""
        return tuple((doc, one) for doc, one in self._mentions() if one.kind == kind and one.id == rule_id)

    def rename(self, rule_id: str, new_id: str, kind: str = "") -> int:
        """Call a rule, state or anomaly otherwise in every file, as one step; how many places changed.

        ``kind`` (injection, success, state, anomaly) is needed only for an id that is given twice.
        Raises DocumentError, having changed nothing, when the new name is taken or not safe to write.
        """
        kind = kind or self._kind_of(rule_id)
        if not new_id.strip():
            raise DocumentError(_("A rule needs an id"))
        if new_id == rule_id:
            return 0
        if new_id in self.ids(kind):
            raise DocumentError(_("There is a {id} already", id=new_id), "", _("Choose another id"))
        uses = self.uses(rule_id, kind)
        given = sum(one.defines for _document, one in uses)
        if not given:
            raise DocumentError(_("No open file holds {id}", id=rule_id))
        if given > 1:
            raise DocumentError(_("{id} is given twice", id=rule_id), "", _("Rename it in its own file"))
        changes = []
        for document in dict.fromkeys(document for document, _mention in uses):
            found = [one for other, one in uses if other is document]
            changes.append((document, _renaming(document.text, found, new_id)))
        link = Link()
        name = _("Rename {old} to {new}", old=rule_id, new=new_id)
        for document, edits in changes:
            document.set_text(apply_edits(document.text, edits), name)
            document.link_last(link)
        return len({(id(document), one.place) for document, one in uses})

    def _kind_of(self, rule_id: str) -> str:
        kinds = {one.kind for _doc, one in self._mentions() if one.defines and one.id == rule_id}
        kinds &= set(_DEFINING.values())
        if not kinds:
            raise DocumentError(_("No open file holds {id}", id=rule_id))
        if len(kinds) > 1:
            what = _(
                "{id} is the name of several things: {kinds}", id=rule_id, kinds=", ".join(sorted(kinds))
            )
            raise DocumentError(what, "", _("Rename it in its own file"))
        return kinds.pop()

    def _mentions(self) -> Iterator[tuple[TextDocument, Mention]]:
        for kind, document in self._files.values():
            for mention in mentions(read_source(document.text).root, kind):
                yield document, mention


def _renaming(text: str, found: Iterable[Mention], new_id: str) -> Batch:
    """Edits that write the new id in the quotes of the old one. Raises UnsafeEditError when none do."""
    places = {one.place for one in found}
    edits: list[TextEdit] = []
    for place in places:
        sign = text[place.start : place.start + 1]
        if sign in ("*", "&", "!", "|", ">"):
            raise UnsafeEditError(_("The id is shared by an alias"))
        edits.append(
            TextEdit(place.start, place.end, emit.scalar(new_id, sign if sign in ("'", '"') else ""))
        )
    batch = tuple(sorted(edits, key=lambda edit: edit.start))
    before, after = read_source(text), read_source(apply_edits(text, batch))
    if before.is_whole is not after.is_whole or not _renamed(before.root, after.root, places, new_id):
        raise UnsafeEditError
    return batch


def _renamed(before: YamlNode | None, after: YamlNode | None, places: set[Place], new_id: str) -> bool:
    """Whether the two trees differ in nothing but the scalars at ``places``, which hold the new id."""
    if before is None or after is None:
        return before is after
    if before.place in places:
        return after.kind == "scalar" and after.plain == new_id
    if before.kind == "scalar" or after.kind != before.kind:
        return same(plain_of(before), plain_of(after))
    if len(before.items) != len(after.items) or len(before.pairs) != len(after.pairs):
        return False
    one = [*before.items, *(node for pair in before.pairs for node in pair)]
    other = [*after.items, *(node for pair in after.pairs for node in pair)]
    return all(_renamed(old, new, places, new_id) for old, new in zip(one, other, strict=True))
