"""A text being edited: undo, saving and changes made outside; every change emits an event."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from collector.located_yaml.diagnostics import QuickFix, TextEdit, apply_edits
from collector.located_yaml.entry_merge import MergeConflict, MergeResult, merge
from collector.located_yaml.safe_load import MAX_LOCATED_BYTES
from collector.located_yaml.yaml_patch.errors import DocumentError
from collector.model.event_emitter import EventEmitter
from collector.model.message import _
from collector.store.files.disk import Disk
from rule_editor.document.text.edits import EditBatch, inverse, smallest_edit
from rule_editor.document.text.undo_history import UndoHistory, UndoLink, UndoStep

EDIT, UNDO, REDO, RELOAD, SAVE = "edit", "undo", "redo", "reload", "save"


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """``edits``, made at once, lead from the previous revision to this one.

    ``reason`` is edit, undo, redo, reload or save; ``cursor`` is the place to show.
    """

    revision: int
    edits: EditBatch
    reason: str
    name: str = ""
    cursor: int = 0


class TextDocument:
    """A text with its undo history; not thread-safe.

    ``text`` is exact: it keeps line endings, a byte order mark and a missing last line break.
    """

    def __init__(self, text: str, path: str = "") -> None:
        self.path = path
        self.history = UndoHistory()
        self.changed: EventEmitter[DocumentChange] = EventEmitter()
        self.revision = 0
        self.saved_text = text
        self._text = text
        self._exists = True

    @property
    def text(self) -> str:
        return self._text

    @property
    def dirty(self) -> bool:
        """Whether the text differs from the file on disk."""
        return self._text != self.saved_text or not self._exists

    @property
    def newline(self) -> str:
        """The line ending of most lines."""
        return "\r\n" if self._text.count("\r\n") * 2 > self._text.count("\n") else "\n"

    def replace(self, start: int, end: int, text: str, name: str = "", merge_key: object = None) -> None:
        """Replace characters ``start`` to ``end``; edits with the same ``merge_key`` are one undo step."""
        start, end = sorted((max(0, min(start, len(self._text))), max(0, min(end, len(self._text)))))
        if self._text[start:end] != text:
            self._edit((TextEdit(start, end, text),), name or _("Typing"), merge_key)

    def set_text(self, text: str, name: str = "", link: UndoLink | None = None) -> None:
        """Replace the whole text; only the part that differs becomes an edit.

        With a ``link`` it is undone and redone together with the edits of other documents that have it.
        """
        if edits := smallest_edit(self._text, text):
            if link is not None:
                link.documents.append(self)
            self._edit(edits, name or _("Change text"), link=link)

    def apply_fix(self, fix: QuickFix) -> None:
        """Make the edits of a quick fix. Raises DocumentError when they no longer fit the text."""
        if any(not 0 <= edit.start <= edit.end <= len(self._text) for edit in fix.edits):
            raise DocumentError(_("The file has changed since this was found"), "", _("Try again"))
        self.set_text(apply_edits(self._text, fix.edits), fix.title)

    @contextmanager
    def group(self, name: str) -> Iterator[None]:
        """Record the edits made inside as one undo step; undo them all when one fails."""
        self.history.begin_group(name)
        try:
            yield
        except BaseException:
            step = self.history.end_group()
            if step is not None:
                self.undo_here()
                self.history.undone.clear()
            raise
        self.history.end_group()

    def undo(self) -> bool:
        """Undo the last step in every document it belongs to; False when there is none."""
        if not self.history.done or self.history.in_group:
            return False
        link = self.history.done[-1].link
        for other in link.documents if link else ():
            if not other.history.done or other.history.done[-1].link is not link:
                raise DocumentError(
                    _("This change was made in several files, and another of them was changed since"),
                    "",
                    _("Undo there first"),
                )
        for document in link.documents if link else [self]:
            document.undo_here()
        return True

    def redo(self) -> bool:
        """Redo the step that was undone last; False when there is none."""
        if not self.history.undone or self.history.in_group:
            return False
        link = self.history.undone[-1].link
        for other in link.documents if link else ():
            if not other.history.undone or other.history.undone[-1].link is not link:
                raise DocumentError(
                    _("This change was made in several files, and another of them was changed since"),
                    "",
                    _("Redo there first"),
                )
        for document in link.documents if link else [self]:
            document.redo_here()
        return True

    def undo_here(self) -> None:
        """Undo the last step in this document alone."""
        step = self.history.done.pop()
        self.history.undone.append(step)
        self._play(list(reversed(step.backward)), UNDO, step)

    def redo_here(self) -> None:
        """Redo the step in this document alone."""
        step = self.history.undone.pop()
        self.history.done.append(step)
        self._play(step.forward, REDO, step)

    def _play(self, batches: list[EditBatch], reason: str, step: UndoStep) -> None:
        before = after = self._text
        for batch in batches:
            after = apply_edits(after, batch)
        step.merge_key = None
        edits = batches[0] if len(batches) == 1 else smallest_edit(before, after)
        self._put(after, edits, reason, step.name)

    def _edit(
        self, edits: EditBatch, name: str, merge_key: object = None, link: UndoLink | None = None
    ) -> None:
        after = apply_edits(self._text, edits)
        self.history.record(name, edits, inverse(self._text, edits), merge_key, link)
        self._put(after, edits, EDIT, name)

    def _put(self, after: str, edits: EditBatch, reason: str, name: str) -> None:
        self._text = after
        self.revision += 1
        self._text_changed()
        cursor = min((edit.start for edit in edits), default=0)
        self.changed.emit(DocumentChange(self.revision, edits, reason, name, cursor))

    def _text_changed(self) -> None:
        """Called after every change of the text, before listeners; subclasses parse it here."""

    def save(self, disk: Disk | None = None) -> bool:
        """Write the file when it differs from the disk; False when it does not."""
        if not self.dirty:
            return False
        if not self.path:
            raise DocumentError(_("The rules have no file yet"), "", _("Choose where to save them"))
        try:
            data = self._text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise DocumentError(
                _("The text holds half a character at place {at}", at=error.start), "", _("Delete it")
            ) from None
        path = Path(self.path)
        (disk or Disk()).write(path.resolve() if path.is_symlink() else path, data)
        self.saved_text, self._exists = self._text, True
        self.history.stop_merging()
        self.changed.emit(DocumentChange(self.revision, (), SAVE))
        return True

    def external_change(self, data: bytes) -> MergeResult:
        """Merge what another program wrote to the file (``data``) with the changes made here.

        Where both changed the same rule, this document keeps its own and the result has a conflict for
        :meth:`take_theirs`. The merge is one undo step. Raises DocumentError for data that is no text.
        """
        theirs = decode(data, self.path)
        outcome = merge(self.saved_text, self._text, theirs)
        self.saved_text = theirs
        if edits := smallest_edit(self._text, outcome.text):
            name = _("Take in changes made outside")
            self.history.record(name, edits, inverse(self._text, edits))
            self._put(outcome.text, edits, RELOAD, name)
        else:
            self.changed.emit(DocumentChange(self.revision, (), RELOAD))
        return outcome

    def take_theirs(self, conflict: MergeConflict) -> None:
        """Resolve a conflict with the text of the other program."""
        self.set_text(conflict.resolved(self._text), _("Use theirs: {id}", id=conflict.rule_id))


def decode(data: bytes, path: str) -> str:
    """The text of a file with its byte order mark and line endings. Raises DocumentError."""
    if len(data) > MAX_LOCATED_BYTES:
        raise DocumentError(_("{path} is too large to edit", path=path))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DocumentError(
            _("{path} is not UTF-8 text", path=path),
            _("Byte {at} cannot be read", at=error.start),
            _("Save it as UTF-8 with the program that wrote it"),
        ) from None


def read_text(path: Path) -> str:
    """The text of the file at ``path``. Raises DocumentError."""
    with explained_reading(path), path.open("rb") as stream:
        return decode(stream.read(MAX_LOCATED_BYTES + 1), str(path))


def changed_data(path: Path, known: bytes) -> bytes | None:
    """What a file has that is not ``known``; None when it has that, or there is no file.

    Raises DocumentError.
    """
    with explained_reading(path):
        data = path.read_bytes() if path.is_file() else None
    return data if data != known else None


@contextmanager
def explained_reading(path: Path) -> Iterator[None]:
    """Raise DocumentError where the system refuses to read a file."""
    try:
        yield
    except OSError as error:
        raise DocumentError(
            _("{path} cannot be read", path=path), str(error.strerror or error), _("Check the file")
        ) from None
