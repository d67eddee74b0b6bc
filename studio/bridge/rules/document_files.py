"""Documents and their files: written in the background soon after an edit, watched for other writers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from collector.located_yaml.entry_merge import merge
from collector.model.errors import UserError
from collector.store.files.disk import Disk
from collector.store.files.file_monitor import FileMonitor
from rule_editor.document.text.text_document import (
    DocumentChange,
    TextDocument,
    changed_data,
    decode,
    explained_reading,
)
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.standing_errors import StandingErrors

_SAVE_AFTER_MS = 100
_RETRY_MS = 3000


@dataclass(frozen=True, slots=True)
class WrittenDocument:
    """A document was written, or is still to be written because of a ``problem``.

    ``theirs`` is what another program had written since the text ``before``.
    """

    document: TextDocument
    before: str
    theirs: bytes | None = None
    problem: Exception | None = None


class DocumentFiles(QObject):
    """Follows documents. They belong to the GUI thread, their files to the store's thread."""

    changed = Signal(object)
    """A document that was edited, undone, or merged with what another program wrote."""
    folder_changed = Signal()
    """A watched folder has other files."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._runner = runner
        self._documents: dict[str, TextDocument] = {}
        self._removers: dict[str, Callable[[], None]] = {}
        self._writes: Counter[TextDocument] = Counter()
        self._monitor = FileMonitor()
        self._errors = StandingErrors(runner, self.failed.emit)
        self._saving = QTimer(self, singleShot=True)
        self._saving.timeout.connect(self.save)
        self._watch = QFileSystemWatcher(self)
        self._watch.fileChanged.connect(self._read)
        self._watch.directoryChanged.connect(self._folder_changed)
        runner.closing.connect(self._saving.stop)

    # -- following -----------------------------------------------------------
    def follow(self, document: TextDocument) -> None:
        """Write the document after each edit, and merge what others write to its file."""
        path = document.path
        self._documents[path] = document
        self._monitor.note_read(Path(path), document.text.encode())
        self._removers[path] = document.changed.subscribe(self._change_handler(document))
        self._watch_file(path)

    def watch_folder(self, folder: Path) -> None:
        """Report other files in a folder; the folder need not exist yet."""
        watched = folder if folder.is_dir() else folder.parent
        if watched.is_dir() and str(watched) not in self._watch.directories():
            self._watch.addPath(str(watched))

    def forget(self, path: str) -> None:
        """Stop to follow a document; what is edited is written first."""
        document = self._documents.get(path)
        if document is not None:
            if document.dirty:
                self._write(document)
            del self._documents[path]
            self._errors.end(path, f"saving {path}")
            self._removers.pop(path)()
            self._watch.removePath(path)

    def forget_all(self) -> None:
        """Stop to follow all documents and folders."""
        for path in list(self._documents):
            self.forget(path)
        if watched := [*self._watch.files(), *self._watch.directories()]:
            self._watch.removePaths(watched)

    def _watch_file(self, path: str) -> bool:
        """Watch a file; return whether it was not watched before."""
        is_new = Path(path).exists() and path not in self._watch.files()
        if is_new:
            self._watch.addPath(path)
        return is_new

    def _watch_again(self, path: str) -> None:
        """Watch a file that may have been replaced, which ends its watch, and read what it has now."""
        if self._watch_file(path):
            self._read(path)

    def _change_handler(self, document: TextDocument) -> Callable[[DocumentChange], None]:
        def on_change(_change: DocumentChange) -> None:
            if document.dirty and not self._saving.isActive():
                self._saving.start(_SAVE_AFTER_MS)
            self.changed.emit(document)

        return on_change

    # -- writing -------------------------------------------------------------
    def save(self) -> None:
        """Write what was edited, in the store's queue."""
        self._saving.stop()
        for document in self._documents.values():
            if document.dirty:
                self._write(document)

    def _write(self, document: TextDocument) -> None:
        text, before, path = document.text, document.saved_text, Path(document.path)
        document.saved_text = text

        def work(_job: Job) -> WrittenDocument:
            try:
                theirs = changed_data(path, before.encode())
                merged = text if theirs is None else merge(before, text, decode(theirs, str(path))).text
                self._monitor.note_written(path, merged.encode())
                Disk().write(path.resolve() if path.is_symlink() else path, merged.encode())
            except (OSError, UserError) as error:
                document.saved_text = before  # it is still to be written
                self._monitor.note_read(path, before.encode())
                return WrittenDocument(document, before, problem=error)
            return WrittenDocument(document, before, theirs)

        self._writes[document] += 1
        self._runner.run(
            work, success=self._written, failure=self.failed.emit, queue=JobQueue.STORE, saves=True
        )

    def _written(self, write: WrittenDocument) -> None:
        document = write.document
        self._writes[document] -= 1
        about = f"saving {document.path}"
        if write.problem is not None:
            self._saving.start(_RETRY_MS)
            self._errors.begin(about, write.problem)
            return
        self._errors.end(about)
        self._watch_again(document.path)
        if write.theirs is not None and not self._writes[document]:
            document.saved_text = write.before  # what both were made from
            self._take_in((document, write.theirs))

    # -- changes from outside ------------------------------------------------
    def reload(self) -> None:
        """Read again what another program may have changed, and merge it."""
        for path in list(self._documents):
            self._read(path)

    def _folder_changed(self, _folder: str) -> None:
        self.reload()
        self.folder_changed.emit()

    def _read(self, path: str) -> None:
        document, again = self._documents.get(path), self._errors.stands(path)
        if document is None:
            return

        def work(_job: Job) -> tuple[TextDocument, bytes | UserError | None]:
            return document, taken_change(self._monitor, Path(path), again)

        self._runner.run(work, success=self._take_in, failure=self.failed.emit, queue=JobQueue.STORE)

    def _take_in(self, change: tuple[TextDocument, bytes | UserError | None]) -> None:
        document, data = change
        if document.path not in self._documents:
            return
        self._watch_again(document.path)
        if data is None or self._writes[document]:
            return  # a write merges what is on the disk itself
        try:
            if isinstance(data, UserError):
                raise data
            document.external_change(data)
        except UserError as error:
            self._errors.begin(document.path, error)
            return
        self._errors.end(document.path)

    def close(self) -> None:
        """Write what was edited, and stop watching."""
        self.save()
        self.forget_all()


def taken_change(monitor: FileMonitor, path: Path, again: bool) -> bytes | UserError | None:
    """What another program wrote to a file, or why that cannot be read; None when nothing is new.

    With ``again`` it is what the file has, new or not: it could not be read before.
    """
    try:
        with explained_reading(path):
            data = monitor.take_change(path)
            return path.read_bytes() if data is None and again and path.exists() else data
    except UserError as error:
        return error
