"""The rule files of a project, opened together; renaming an id changes every file as one undo step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from collector.located_yaml.diagnostics import Place, TextEdit, apply_edits
from collector.located_yaml.source import read_source
from collector.located_yaml.yaml_node import YamlNode
from collector.located_yaml.yaml_patch import yaml_writer
from collector.located_yaml.yaml_patch.errors import DocumentError, UnsafeEditError
from collector.located_yaml.yaml_patch.plain_values import plain_of, same
from collector.model.message import _
from collector.store.files.layout import ProjectPaths
from rule_editor.document.entries.file_kinds import FILE_KINDS, LIBRARY, TASK, TASKS
from rule_editor.document.project.references import IdReference, references
from rule_editor.document.rules.rule_document import RuleDocument
from rule_editor.document.text.edits import EditBatch
from rule_editor.document.text.text_document import TextDocument, read_text
from rule_editor.document.text.undo_history import UndoLink


class RuleFiles:
    """Open documents by path; each has a kind: injection, success, state, library or tasks."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[str, TextDocument]] = {}

    @classmethod
    def open(cls, folder: Path) -> RuleFiles:
        """Open every rule file that the project in ``folder`` has. Raises DocumentError."""
        paths, files = ProjectPaths(folder), cls()
        every = [*paths.editable_rule_files(), (paths.library, LIBRARY), (paths.tasks, TASKS)]
        for path, kind in every:
            if path.is_file():
                files.load(path, kind)
        return files

    @classmethod
    def of(cls, rules: Iterable[RuleDocument], library: TextDocument | None = None) -> RuleFiles:
        """Documents that are already open."""
        files = cls()
        for document in rules:
            files.add(document, document.kind)
        if library is not None:
            files.add(library, LIBRARY)
        return files

    def load(self, path: Path, kind: str) -> TextDocument:
        """Open one more file; without a kind it is the rule file its text shows. Raises DocumentError."""
        if kind in (LIBRARY, TASKS):
            document = TextDocument(read_text(path), str(path))
            self.add(document, kind)
            return document
        rules = RuleDocument.load(path, kind)
        self.add(rules, rules.kind)
        return rules

    def add(self, document: TextDocument, kind: str) -> None:
        """Add a document that is already open."""
        if kind not in FILE_KINDS:
            raise DocumentError(_("There are no files of kind {kind}", kind=kind))
        self._files[document.path] = (kind, document)

    def close(self, path: str) -> None:
        self._files.pop(path, None)

    def __iter__(self) -> Iterator[TextDocument]:
        return iter([document for _kind, document in self._files.values()])

    def of_kind(self, kind: str) -> tuple[TextDocument, ...]:
        return tuple(document for file_kind, document in self._files.values() if file_kind == kind)

    def rule_documents(self) -> tuple[RuleDocument, ...]:
        return tuple(document for document in self if isinstance(document, RuleDocument))

    @property
    def dirty(self) -> tuple[TextDocument, ...]:
        """Documents that differ from their files on disk."""
        return tuple(document for document in self if document.dirty)

    def ids(self, kind: str) -> tuple[str, ...]:
        """Ids of a kind (injection, success, state, anomaly, task) that the files define, in order."""
        definitions = (reference for _document, reference in self._references() if reference.defines)
        return tuple(dict.fromkeys(reference.id for reference in definitions if reference.kind == kind))

    def uses(self, rule_id: str, kind: str) -> tuple[tuple[TextDocument, IdReference], ...]:
        """Every place where an id is defined or referred to."""
        return tuple(
            (document, reference)
            for document, reference in self._references()
            if reference.kind == kind and reference.id == rule_id
        )

    def rename(self, rule_id: str, new_id: str, kind: str = "") -> int:
        """Rename a rule, state or anomaly in every file as one undo step; return how many places changed.

        ``kind`` (injection, success, state, anomaly) is needed only for an id that two kinds define.
        Raises DocumentError and changes nothing when the new id exists or cannot be written safely.
        """
        kind = kind or self._kind_of(rule_id)
        if not new_id.strip():
            raise DocumentError(_("A rule needs an id"))
        if new_id == rule_id:
            return 0
        if new_id in self.ids(kind):
            raise DocumentError(_("There is a {id} already", id=new_id), "", _("Choose another id"))
        uses = self.uses(rule_id, kind)
        definitions = sum(reference.defines for _document, reference in uses)
        if not definitions:
            raise DocumentError(_("No open file holds {id}", id=rule_id))
        if definitions > 1:
            raise DocumentError(_("{id} is given twice", id=rule_id), "", _("Rename it in its own file"))
        changes = []
        for document in dict.fromkeys(document for document, _reference in uses):
            places = {reference.place for other, reference in uses if other is document}
            changes.append((document, _rename_edits(document.text, places, new_id)))
        link = UndoLink()
        name = _("Rename {old} to {new}", old=rule_id, new=new_id)
        for document, edits in changes:
            document.set_text(apply_edits(document.text, edits), name, link)
        return len({(id(document), reference.place) for document, reference in uses})

    def _kind_of(self, rule_id: str) -> str:
        definitions = (reference for _document, reference in self._references() if reference.defines)
        kinds = {reference.kind for reference in definitions if reference.id == rule_id} - {TASK}
        if not kinds:
            raise DocumentError(_("No open file holds {id}", id=rule_id))
        if len(kinds) > 1:
            what = _(
                "{id} is the name of several things: {kinds}", id=rule_id, kinds=", ".join(sorted(kinds))
            )
            raise DocumentError(what, "", _("Rename it in its own file"))
        return kinds.pop()

    def _references(self) -> Iterator[tuple[TextDocument, IdReference]]:
        for kind, document in self._files.values():
            for reference in references(read_source(document.text).root, kind):
                yield document, reference


def _rename_edits(text: str, places: set[Place], new_id: str) -> EditBatch:
    """Edits that write the new id in the quotes of the old one. Raises UnsafeEditError."""
    edits: list[TextEdit] = []
    for place in places:
        sign = text[place.start : place.start + 1]
        if sign in ("*", "&", "!", "|", ">"):
            raise UnsafeEditError(_("The id is shared by an alias"))
        edits.append(
            TextEdit(place.start, place.end, yaml_writer.scalar(new_id, sign if sign in ("'", '"') else ""))
        )
    batch = tuple(sorted(edits, key=lambda edit: edit.start))
    before, after = read_source(text), read_source(apply_edits(text, batch))
    if before.is_whole is not after.is_whole or not _renamed(before.root, after.root, places, new_id):
        raise UnsafeEditError
    return batch


def _renamed(before: YamlNode | None, after: YamlNode | None, places: set[Place], new_id: str) -> bool:
    """Whether the trees differ only in the scalars at ``places``, which have the new id."""
    if before is None or after is None:
        return before is after
    if before.place in places:
        return after.kind == "scalar" and after.plain == new_id
    if before.kind == "scalar" or after.kind != before.kind:
        return same(plain_of(before), plain_of(after))
    if len(before.items) != len(after.items) or len(before.pairs) != len(after.pairs):
        return False
    old_nodes = [*before.items, *(node for pair in before.pairs for node in pair)]
    new_nodes = [*after.items, *(node for pair in after.pairs for node in pair)]
    return all(_renamed(old, new, places, new_id) for old, new in zip(old_nodes, new_nodes, strict=True))
