"""The rule files of a project as documents: read and written in the background, watched for other writers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal, Slot

from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.model import Anomaly, AnomalyLibrary
from collector.model.errors import UserError
from collector.rules.grammar.model import Rule
from collector.store.disk import Disk
from collector.store.file_monitor import FileMonitor
from collector.store.layout import RULE_FILES, ProjectPaths
from rule_editor.document.anomalies.anomaly_document import AnomalyDocument
from rule_editor.document.entries.file_kinds import ANOMALY, LIBRARY
from rule_editor.document.project.loading import LoadedDocuments, load_documents
from rule_editor.document.project.project_undo import ProjectUndo
from rule_editor.document.project.rule_files import RuleFiles
from rule_editor.document.rules.rule_document import RuleDocument
from rule_editor.document.text.merge import MergeConflict
from rule_editor.document.text.text_document import DocumentChange, TextDocument
from studio.bridge.jobs import Job, JobQueue, JobRunner

_SAVE_AFTER_MS = 100
"""Counted from the first edit that is not written, so that typing is on the disk within 200 ms."""
_RETRY_MS = 3000


@dataclass(frozen=True, slots=True)
class DocumentChanged:
    """A document was edited or saved."""

    document: TextDocument
    change: DocumentChange


@dataclass(frozen=True, slots=True)
class MergeConflicts:
    """Lines that another program and this window both changed; this window's text stays until a decision."""

    document: TextDocument
    conflicts: tuple[MergeConflict, ...]


class RuleDocuments(QObject):
    """Owns the documents. They belong to the GUI thread, their files to the store's thread."""

    opened = Signal()
    """Other documents were opened, or all were closed."""
    changed = Signal(object)
    """A :class:`DocumentChanged`."""
    saved = Signal()
    conflicted = Signal(object)
    """The :class:`MergeConflicts` of one document."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self.documents: dict[str, RuleDocument] = {}
        """By kind of rule."""
        self.anomalies: AnomalyDocument | None = None
        """The project's library of anomalies; empty text when it has no file. None outside a project."""
        self._builtin = AnomalyLibrary()
        self._opening = 0
        self._unfinished_writes = 0
        self._last_error = ""
        self.history = ProjectUndo()
        """Undo and redo over all documents."""
        self._monitor = FileMonitor()
        self._saving = QTimer(self)
        self._saving.setSingleShot(True)
        self._saving.timeout.connect(self.save)
        self._watch = QFileSystemWatcher(self)
        self._watch.fileChanged.connect(self._file_changed)
        self._watch.directoryChanged.connect(self._folder_changed)
        runner.closing.connect(self._saving.stop)

    # -- opening -------------------------------------------------------------
    def open_project(self, folder: Path | None) -> None:
        """Open the rule files of a project; ``opened`` follows. None closes those that are open."""
        if folder is None:
            self._open({}, None)
            return
        paths = ProjectPaths(folder)
        self._open({kind: paths.rule_file(kind) for kind in RULE_FILES}, paths.library)

    def open_files(self, paths: Sequence[Path]) -> None:
        """Open rule files outside a project, one of each kind; the kind is read from the file."""
        self._open({f"?{number}": path for number, path in enumerate(paths)}, None)

    def _open(self, paths: dict[str, Path], library: Path | None) -> None:
        self.save()
        self._opening += 1
        number = self._opening
        self._forget()

        def work(_job: Job) -> tuple[int, LoadedDocuments, AnomalyLibrary]:
            return number, load_documents(paths, library), builtin_library()

        if not paths:
            self.opened.emit()
            return
        self._runner.run(work, success=self._loaded, failure=self.failed.emit, queue=JobQueue.STORE)

    def _loaded(self, result: tuple[int, LoadedDocuments, AnomalyLibrary]) -> None:
        number, loaded, builtin = result
        if number != self._opening:
            return
        self.documents, self.anomalies, self._builtin = loaded.rules, loaded.anomalies, builtin
        self.history = ProjectUndo(self.every)  # it follows an edit before the window hears of it
        for document in self.every:
            document.changed.subscribe(self._change_handler(document))
            self._monitor.note_read(Path(document.path), _data(document.text))
        self._watch_files()
        self.opened.emit()
        if loaded.problem is not None:
            self.failed.emit(loaded.problem)

    def _forget(self) -> None:
        if watched := [*self._watch.files(), *self._watch.directories()]:
            self._watch.removePaths(watched)
        self.documents, self.anomalies, self._builtin = {}, None, AnomalyLibrary()
        self.history = ProjectUndo()

    def _watch_files(self) -> None:
        paths = [Path(document.path) for document in self.every]
        watched_paths = {str(path) for path in paths if path.exists()}
        watched_paths |= {str(path.parent) for path in paths if path.parent.exists()}
        watched = {*self._watch.files(), *self._watch.directories()}
        if new := sorted(watched_paths - watched):
            self._watch.addPaths(new)

    # -- reading -------------------------------------------------------------
    @property
    def every(self) -> tuple[TextDocument, ...]:
        """All documents, the library of anomalies last."""
        return (*self.documents.values(), *([self.anomalies] if self.anomalies is not None else []))

    @property
    def library(self) -> str:
        """Text of the project's anomaly library, empty when it has none."""
        return self.anomalies.text if self.anomalies is not None else ""

    @property
    def offered(self) -> AnomalyLibrary:
        """The anomalies that rules can name: the project's, or the built-in ones if it has no library."""
        return self.anomalies.library if self.anomalies is not None and self.library else self._builtin

    @property
    def known(self) -> dict[str, Anomaly]:
        """Every anomaly that can be injected, by id; the project's replace built-in ones of the same id."""
        every = (*self.offered.anomalies, *self._builtin.anomalies)
        return {
            anomaly.id: anomaly for anomaly in reversed(every)
        }  # of several with one id the first is meant

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules of all documents."""
        return tuple(rule for document in self.documents.values() for rule in document.rules)

    def rule(self, kind: str, rule_id: str) -> Rule | None:
        """A rule by its kind and id."""
        document = self.documents.get(kind)
        return document.rule(rule_id) if document is not None else None

    @property
    def dirty(self) -> bool:
        """Whether something is not written yet."""
        return self._unfinished_writes > 0 or any(document.dirty for document in self.every)

    # -- renaming ------------------------------------------------------------
    def rename(self, kind: str, rule_id: str, new_id: str) -> None:
        """Rename a rule in every document that names it, as one edit. Raises DocumentError.

        Of several rules with one id only this one is renamed: nobody knows which of them is meant.
        """
        if sum(rule.id == rule_id for rule in self.documents[kind].rules) != 1:
            self.documents[kind].rename(rule_id, new_id)
            return
        RuleFiles.of(self.documents).rename(rule_id, new_id, kind)

    def rename_anomaly(self, anomaly_id: str, new_id: str) -> None:
        """Rename an anomaly, also in the rules that inject it, as one edit. Raises DocumentError."""
        if self.anomalies is None:
            return
        RuleFiles.of({**self.documents, LIBRARY: self.anomalies}).rename(anomaly_id, new_id, ANOMALY)

    def _change_handler(self, document: TextDocument) -> Callable[[DocumentChange], None]:
        def on_change(change: DocumentChange) -> None:
            is_due = self._saving.isActive() and self._saving.interval() == _SAVE_AFTER_MS
            if document.dirty and not is_due:
                self._saving.start(_SAVE_AFTER_MS)
            self.changed.emit(DocumentChanged(document, change))

        return on_change

    # -- writing -------------------------------------------------------------
    def save(self) -> None:
        """Write unsaved documents in the store's thread."""
        self._saving.stop()
        for document in self.every:
            if document.dirty and document.text != document.saved_text:
                self._write(document)

    def _write(self, document: TextDocument) -> None:
        text, path = document.text, Path(document.path)
        data = _data(text)
        self._monitor.note_written(path, data)
        before, document.saved_text = document.saved_text, text

        def work(_job: Job) -> None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                Disk().write(path.resolve() if path.is_symlink() else path, data)
            except (OSError, UserError):
                document.saved_text = before  # it is still to be written
                self._monitor.note_read(path, _data(before))
                raise

        self._unfinished_writes += 1
        self._runner.run(
            work, success=self._written, failure=self._not_written, queue=JobQueue.STORE, saves=True
        )

    def _written(self, _nothing: object) -> None:
        self._unfinished_writes -= 1
        self._last_error = ""
        self._watch_files()
        self.saved.emit()

    def _not_written(self, error: Exception) -> None:
        self._unfinished_writes -= 1
        self._saving.start(_RETRY_MS)
        if str(error) != self._last_error:
            self._last_error = str(error)
            self.failed.emit(error)

    # -- changes from outside ------------------------------------------------
    def _file_changed(self, path: str) -> None:
        document = next((document for document in self.every if document.path == path), None)
        if document is not None:
            self._read(document)

    @Slot()
    def reload(self) -> None:
        """Read again what another program may have changed, and merge it."""
        self._folder_changed("")

    def _folder_changed(self, _folder: str) -> None:
        for document in self.every:
            self._read(document)
        self._watch_files()

    def _read(self, document: TextDocument) -> None:
        path = Path(document.path)

        def work(_job: Job) -> tuple[TextDocument, bytes | None]:
            return document, self._monitor.take_change(path)

        self._runner.run(work, success=self._take_in, failure=self.failed.emit, queue=JobQueue.STORE)

    def _take_in(self, change: tuple[TextDocument, bytes | None]) -> None:
        document, data = change
        if data is None or document not in self.every:
            return
        try:
            outcome = document.external_change(data)
        except UserError as error:
            self.failed.emit(error)
            return
        if outcome.conflicts:
            self.conflicted.emit(MergeConflicts(document, tuple(outcome.conflicts)))

    def close(self) -> None:
        """Write unsaved documents and stop watching the files."""
        self.save()
        self._forget()


def _data(text: str) -> bytes:
    """A text as its file has it."""
    return text.encode("utf-8", "replace")
