"""A text being edited: every change told, named and undone exactly; saved whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from collector.located_yaml.diagnostics import QuickFix, TextEdit, apply_edits
from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _
from collector.store.disk import Disk
from rule_editor.document.edits import Batch, inverse, trimmed
from rule_editor.document.errors import DocumentError
from rule_editor.document.history import History, Link, Step
from rule_editor.document.merge import Conflict, Merge, merge

EDIT, UNDO, REDO, RELOAD, SAVE = "edit", "undo", "redo", "reload", "save"
MAX_BYTES = 32_000_000


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """``edits`` take the text of the revision before to this one, all at once.

    ``reason`` is edit, undo, redo, reload or save; ``cursor`` is a good place to show.
    """

    revision: int
    edits: Batch
    reason: str
    name: str = ""
    cursor: int = 0


class TextDocument:
    """Not thread-safe: belongs to the thread that edits it.

    ``text`` is exact: line endings, a byte order mark and a missing last line break are in it.
    """

    def __init__(self, text: str, path: str = "") -> None:
        self.path = path
        self.history = History()
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
        """Whether the text differs from what is on the disk."""
        return self._text != self.saved_text or not self._exists

    @property
    def newline(self) -> str:
        """The line ending most lines have."""
        return "\r\n" if self._text.count("\r\n") * 2 > self._text.count("\n") else "\n"

    def replace(self, start: int, end: int, text: str, name: str = "", merge_key: object = None) -> None:
        """Characters ``start`` to ``end`` become ``text``; edits with one ``merge_key`` are one step."""
        start, end = sorted((max(0, min(start, len(self._text))), max(0, min(end, len(self._text)))))
        if self._text[start:end] != text:
            self._edit((TextEdit(start, end, text),), name or _("Typing"), merge_key)

    def set_text(self, text: str, name: str = "") -> None:
        """The whole text anew; only what differs is an edit."""
        if edits := trimmed(self._text, text):
            self._edit(edits, name or _("Change text"))

    def apply_fix(self, fix: QuickFix) -> None:
        """Make the edits of a quick fix. Raises DocumentError when they no longer fit the text."""
        if any(not 0 <= edit.start <= edit.end <= len(self._text) for edit in fix.edits):
            raise DocumentError(_("The file has changed since this was found"), "", _("Try again"))
        self.set_text(apply_edits(self._text, fix.edits), fix.title)

    @contextmanager
    def group(self, name: str) -> Iterator[None]:
        """Edits made inside are one step; when they fail they are all taken back."""
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

    @property
    def can_undo(self) -> bool:
        return bool(self.history.done)

    @property
    def can_redo(self) -> bool:
        return bool(self.history.undone)

    @property
    def undo_name(self) -> str:
        """What undo would take back; empty when there is nothing."""
        return self.history.undo_name

    @property
    def redo_name(self) -> str:
        """What redo would make again; empty when there is nothing."""
        return self.history.redo_name

    def undo(self) -> bool:
        """Take the last step back, in every document it was made in; False when there is none."""
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
        """Make the step again that was undone last; False when there is none."""
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
        """Take the last step back in this document alone."""
        step = self.history.done.pop()
        self.history.undone.append(step)
        self._play(list(reversed(step.backward)), UNDO, step)

    def redo_here(self) -> None:
        """Make the step again in this document alone."""
        step = self.history.undone.pop()
        self.history.done.append(step)
        self._play(step.forward, REDO, step)

    def link_last(self, link: Link) -> None:
        """Tie the last step to those of other documents."""
        self.history.done[-1].link = link
        link.documents.append(self)

    def _play(self, batches: list[Batch], reason: str, step: Step) -> None:
        before = after = self._text
        for batch in batches:
            after = apply_edits(after, batch)
        step.merge_key = None
        edits = batches[0] if len(batches) == 1 else trimmed(before, after)
        self._put(after, edits, reason, step.name)

    def _edit(self, edits: Batch, name: str, merge_key: object = None) -> None:
        after = apply_edits(self._text, edits)
        self.history.record(name, edits, inverse(self._text, edits), merge_key)
        self._put(after, edits, EDIT, name)

    def _put(self, after: str, edits: Batch, reason: str, name: str) -> None:
        self._text = after
        self.revision += 1
        self._read_again()
        cursor = min((edit.start for edit in edits), default=0)
        self.changed.emit(DocumentChange(self.revision, edits, reason, name, cursor))

    def _read_again(self) -> None:
        """The text is another one; what is read from it has to follow."""

    def save(self, disk: Disk | None = None) -> bool:
        """Write the file when it differs from the disk; False when there was nothing to write."""
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

    def external_change(self, data: bytes) -> Merge:
        """Another program wrote ``data`` to the file: take what it changed, keep what was changed here.

        Where both changed one rule, this document's is kept and a conflict holds the other, for
        :meth:`take_theirs`. Taking changes in is a step that undo takes back.
        """
        theirs = decode(data, self.path)
        outcome = merge(self.saved_text, self._text, theirs)
        self.saved_text = theirs
        if edits := trimmed(self._text, outcome.text):
            name = _("Take in changes made outside")
            self.history.record(name, edits, inverse(self._text, edits))
            self._put(outcome.text, edits, RELOAD, name)
        else:
            self.changed.emit(DocumentChange(self.revision, (), RELOAD))
        return outcome

    def take_theirs(self, conflict: Conflict) -> None:
        """Settle a conflict with what the other program wrote."""
        self.set_text(conflict.settled(self._text), _("Take theirs: {id}", id=conflict.rule_id))


def decode(data: bytes, path: str) -> str:
    """The text of a file, byte order mark and line endings kept. Raises DocumentError."""
    if len(data) > MAX_BYTES:
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
    try:
        with path.open("rb") as stream:
            return decode(stream.read(MAX_BYTES + 1), str(path))
    except OSError as error:
        raise DocumentError(
            _("{path} cannot be read", path=path), str(error.strerror or error), _("Check the file")
        ) from None
