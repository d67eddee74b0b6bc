"""The rule files of a project as documents: read and written in the background, watched for other writers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal, Slot

from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.model import Anomaly, AnomalyLibrary
from collector.located_yaml.entry_merge import MergeConflict, merge
from collector.model.editing.edit_stack import EditStack
from collector.model.errors import UserError
from collector.rules.grammar.model import STATE, Rule
from collector.store.files.disk import Disk
from collector.store.files.file_monitor import FileMonitor
from collector.store.files.layout import ProjectPaths
from rule_editor.document.anomalies.anomaly_document import AnomalyDocument
from rule_editor.document.entries.file_kinds import ANOMALY
from rule_editor.document.project.loading import LoadedDocuments, in_order_of_kind, load_documents
from rule_editor.document.project.rule_files import RuleFiles
from rule_editor.document.rules.rule_document import RuleDocument
from rule_editor.document.text.followed_edits import follow_edits
from rule_editor.document.text.text_document import DocumentChange, TextDocument, changed_data, decode
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.rules.document_files import taken_change
from studio.bridge.standing_errors import StandingErrors

SAVE_AFTER_MS = 100
"""Counted from the first edit that is not written, so that typing is on the disk within 200 ms."""
RETRY_MS = 3000


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


@dataclass(frozen=True, slots=True)
class FinishedWrite:
    """A document was written, or is still to be written because of a ``problem``.

    ``theirs`` is what another program had written since the text ``before``.
    """

    document: TextDocument
    before: str
    theirs: bytes | None = None
    problem: Exception | None = None


class RuleDocuments(QObject):
    """Owns the documents. They belong to the GUI thread, their files to the store's thread."""

    opened = Signal()
    """Other documents were opened, or all were closed."""
    files_changed = Signal()
    """The project has other rule files than before, because another program or an import wrote them."""
    changed = Signal(object)
    """A :class:`DocumentChanged`."""
    saved = Signal()
    history_changed = Signal()
    """What undo and redo would do is something else now."""
    conflicted = Signal(object)
    """The :class:`MergeConflicts` of one document."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self.rule_files: tuple[RuleDocument, ...] = ()
        """All rule files, by kind; of one kind first the file that new rules go to."""
        self.anomalies: AnomalyDocument | None = None
        """The project's library of anomalies; empty text when it has no file. None outside a project."""
        self.proposal: RuleDocument | None = None
        """The open proposal of the person at work, whose states no rule file holds yet; None without one."""
        self._proposal_path: Path | None = None
        self._builtin = AnomalyLibrary()
        self._project: ProjectPaths | None = None
        """The files of the project; None while files outside a project are open, or none."""
        self._opening = 0
        self._writes: Counter[TextDocument] = Counter()
        """The number of writes of each document that are not finished."""
        self._ends: list[Callable[[], None]] = []
        """What follows the documents no more: they go at once then, 7,000 objects of each rule file."""
        self._errors = StandingErrors(runner, self.failed.emit)
        self.history = EditStack()
        """Undo and redo over all documents, and over what is changed with them."""
        self.history.changed.subscribe(lambda _event: self.history_changed.emit())
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
        paths = ProjectPaths(folder) if folder is not None else None
        self._open(paths, ())

    def follow_project(self, folder: Path | None) -> None:
        """As :meth:`open_project`, unless its files are open, or are being opened, already."""
        is_open = folder is not None and self._project is not None and self._project.folder == folder
        if not is_open:
            self.open_project(folder)

    def open_files(self, paths: Sequence[Path]) -> None:
        """Open rule files outside a project; their kinds are read from their texts."""
        self._open(None, tuple(paths))

    def open_proposal(self, path: Path | None) -> None:
        """Edit the states of a proposal beside the rule files; None closes it. ``files_changed`` follows."""
        if path == self._proposal_path:
            return
        self._close_proposal()
        self._proposal_path = path
        if path is None:
            self.files_changed.emit()
            return

        def work(_job: Job) -> tuple[Path, LoadedDocuments]:
            return path, load_documents([(path, STATE)] if path.exists() else [], None)

        self._runner.run(work, success=self._proposal_loaded, failure=self.failed.emit, queue=JobQueue.STORE)

    @property
    def is_proposal_awaited(self) -> bool:
        """Whether a proposal is being opened; ``files_changed`` follows."""
        return self._proposal_path is not None and self.proposal is None

    def _close_proposal(self) -> None:
        document, self.proposal, self._proposal_path = self.proposal, None, None
        if document is not None:
            if document.dirty and document.text != document.saved_text:
                self._write(document)
            self.history.forget(document)
            self._watch.removePath(document.path)

    def _proposal_loaded(self, result: tuple[Path, LoadedDocuments]) -> None:
        path, loaded = result
        if path != self._proposal_path:
            return
        self._note_read(loaded)
        self.proposal = next(iter(loaded.rules), None)
        if self.proposal is not None:
            self._follow(self.proposal)
            self._watch_files()
        else:
            self._proposal_path = None
        self.files_changed.emit()

    def _open(self, project: ProjectPaths | None, files: tuple[Path, ...]) -> None:
        self.save()
        self._opening += 1
        number = self._opening
        self._forget()
        self._project = project

        def work(_job: Job) -> tuple[int, LoadedDocuments, AnomalyLibrary]:
            listed = project.editable_rule_files() if project is not None else [(file, "") for file in files]
            library = project.library if project is not None else None
            return number, load_documents(listed, library), builtin_library()

        if project is None and not files:
            self.opened.emit()
            return
        self._runner.run(work, success=self._load_later, failure=self.failed.emit, queue=JobQueue.STORE)

    def _load_later(self, result: tuple[int, LoadedDocuments, AnomalyLibrary]) -> None:
        """Fill the window in a turn of its own: it built its panels in this one, and paints them first."""
        QTimer.singleShot(0, self, partial(self._loaded, result))

    def _loaded(self, result: tuple[int, LoadedDocuments, AnomalyLibrary]) -> None:
        number, loaded, builtin = result
        if number != self._opening:
            return
        self.rule_files, self.anomalies, self._builtin = loaded.rules, loaded.anomalies, builtin
        for document in self.every:
            self._follow(document)
        self._watch_files()
        self.opened.emit()
        self._note_read(loaded)

    def _note_read(self, loaded: LoadedDocuments) -> None:
        """Say which files cannot be read, and no more of those that can be again."""
        read = [*loaded.rules, *([loaded.anomalies] if loaded.anomalies is not None else [])]
        self._errors.end(*(document.path for document in read))
        for path, problem in loaded.problems.items():
            self._errors.begin(path, problem)
            if Path(path).exists() and path not in self._watch.files():
                self._watch.addPath(path)

    def _follow(self, document: TextDocument) -> None:
        self._ends += (
            follow_edits(document, self.history),  # it follows an edit before the window hears of it
            document.changed.subscribe(self._change_handler(document)),
        )
        self._monitor.note_read(Path(document.path), _data(document.text))

    def _forget(self) -> None:
        if watched := [*self._watch.files(), *self._watch.directories()]:
            self._watch.removePaths(watched)
        self.rule_files, self.anomalies, self._builtin = (), None, AnomalyLibrary()
        self.proposal = self._proposal_path = None
        self.history.clear()
        for end in self._ends:
            end()
        self._ends.clear()
        self._errors.end_others(())
        self._project = None

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
        """All documents, the library of anomalies and the open proposal last."""
        others = (self.anomalies, self.proposal)
        return (*self.rule_files, *(document for document in others if document is not None))

    @property
    def documents(self) -> dict[str, RuleDocument]:
        """By kind of rule the file that new rules go to."""
        by_kind: dict[str, RuleDocument] = {}
        for document in self.rule_files:
            by_kind.setdefault(document.kind, document)
        return by_kind

    def of_kind(self, kind: str) -> tuple[RuleDocument, ...]:
        """All rule files of a kind."""
        return tuple(document for document in self.rule_files if document.kind == kind)

    def file(self, path: str) -> RuleDocument | None:
        """The rule file at ``path``."""
        return next((document for document in self.rule_files if document.path == path), None)

    def holder(self, kind: str, rule_id: str) -> RuleDocument | None:
        """The first file of a kind that has an entry ``rule_id``, one that cannot be read included."""
        return next((file for file in self.of_kind(kind) if rule_id in file.parsed.by_key), None)

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
        return tuple(rule for document in self.rule_files for rule in document.rules)

    def rules_of(self, kind: str) -> tuple[Rule, ...]:
        """All rules of a kind."""
        return tuple(rule for document in self.of_kind(kind) for rule in document.rules)

    def rule(self, kind: str, rule_id: str) -> Rule | None:
        """A rule by its kind and id; of several with one id that of the first file."""
        rules = (document.rule(rule_id) for document in self.of_kind(kind))
        return next((rule for rule in rules if rule is not None), None)

    @property
    def dirty(self) -> bool:
        """Whether something is not written yet."""
        return self._writes.total() > 0 or any(document.dirty for document in self.every)

    # -- renaming ------------------------------------------------------------
    def rename(self, document: RuleDocument, rule_id: str, new_id: str) -> None:
        """Rename a rule of ``document`` in every document that names it, as one edit. Raises DocumentError.

        Of several rules with one id only this one is renamed: nobody knows which of them is meant.
        """
        if sum(rule.id == rule_id for rule in self.rules_of(document.kind)) != 1:
            document.rename(rule_id, new_id)
            return
        RuleFiles.of(self.rule_files).rename(rule_id, new_id, document.kind)

    def rename_anomaly(self, anomaly_id: str, new_id: str) -> None:
        """Rename an anomaly, also in the rules that inject it, as one edit. Raises DocumentError."""
        if self.anomalies is None:
            return
        RuleFiles.of(self.rule_files, self.anomalies).rename(anomaly_id, new_id, ANOMALY)

    def _change_handler(self, document: TextDocument) -> Callable[[DocumentChange], None]:
        def on_change(change: DocumentChange) -> None:
            is_due = self._saving.isActive() and self._saving.interval() == SAVE_AFTER_MS
            if document.dirty and not is_due:
                self._saving.start(SAVE_AFTER_MS)
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
        before, document.saved_text = document.saved_text, text

        def work(_job: Job) -> FinishedWrite:
            try:
                theirs = changed_data(path, _data(before))
                merged = text if theirs is None else merge(before, text, decode(theirs, str(path))).text
                data = _data(merged)
                self._monitor.note_written(path, data)
                Disk().make_folder(path.parent)
                Disk().write(path.resolve() if path.is_symlink() else path, data)
            except (OSError, UserError) as error:
                document.saved_text = before  # it is still to be written
                self._monitor.note_read(path, _data(before))
                return FinishedWrite(document, before, problem=error)
            return FinishedWrite(document, before, theirs)

        self._writes[document] += 1
        self._runner.run(
            work, success=self._written, failure=self.failed.emit, queue=JobQueue.STORE, saves=True
        )

    def _written(self, write: FinishedWrite) -> None:
        self._writes[write.document] -= 1
        if not self._writes[write.document]:
            del self._writes[write.document]
        about = f"saving {write.document.path}"
        if write.problem is not None:
            self._saving.start(RETRY_MS)
            self._errors.begin(about, write.problem)
            return
        self._errors.end(about)
        self._watch_files()
        if write.theirs is not None and not self._writes[write.document]:
            write.document.saved_text = write.before  # what both were made from
            self._take_in((write.document, write.theirs))
        self.saved.emit()

    # -- changes from outside ------------------------------------------------
    def _file_changed(self, path: str) -> None:
        document = next((document for document in self.every if document.path == path), None)
        if document is not None:
            self._read(document)
        else:  # it could not be read before
            self._list_files()

    @Slot()
    def reload(self) -> None:
        """Read again what another program may have changed, and merge it."""
        self._folder_changed("")

    def _folder_changed(self, _folder: str) -> None:
        for document in self.every:
            self._read(document)
        self._list_files()
        self._watch_files()

    def _list_files(self) -> None:
        """Open the rule files that the project has now beside those that are open."""
        project, number = self._project, self._opening
        if project is None:
            return
        known = {document.path for document in self.rule_files}
        library = project.library if self.anomalies is None else None

        def work(_job: Job) -> tuple[int, set[str], LoadedDocuments]:
            listed = project.editable_rule_files()
            new = [(path, kind) for path, kind in listed if str(path) not in known]
            return number, {str(path) for path, _kind in listed}, load_documents(new, library)

        self._runner.run(work, success=self._listed, failure=self.failed.emit, queue=JobQueue.STORE)

    def _listed(self, result: tuple[int, set[str], LoadedDocuments]) -> None:
        number, listed, loaded = result
        if number != self._opening:
            return
        gone = [file for file in self.rule_files if file.path not in listed and not file.dirty]
        new = [file for file in loaded.rules if self.file(file.path) is None]
        library = loaded.anomalies if self.anomalies is None else None
        for document in [*new, *([library] if library is not None else [])]:
            self._follow(document)
        for document in gone:
            self.history.forget(document)
        self._note_read(loaded)
        if new or gone or library is not None:
            self.anomalies = self.anomalies or library
            kept = [file for file in self.rule_files if file not in gone]
            self.rule_files = in_order_of_kind([*kept, *new])
            self._watch_files()
            self.files_changed.emit()

    def _read(self, document: TextDocument) -> None:
        path, again = Path(document.path), self._errors.stands(document.path)

        def work(_job: Job) -> tuple[TextDocument, bytes | UserError | None]:
            return document, taken_change(self._monitor, path, again)

        self._runner.run(work, success=self._take_in, failure=self.failed.emit, queue=JobQueue.STORE)

    def _take_in(self, change: tuple[TextDocument, bytes | UserError | None]) -> None:
        document, data = change
        if data is None or document not in self.every or self._writes[document]:
            return  # a write merges what is on the disk itself
        try:
            if isinstance(data, UserError):
                raise data
            outcome = document.external_change(data)
        except UserError as error:
            self._errors.begin(document.path, error)
            return
        self._errors.end(document.path)
        if outcome.conflicts:
            self.conflicted.emit(MergeConflicts(document, tuple(outcome.conflicts)))

    def close(self) -> None:
        """Write unsaved documents and stop watching the files."""
        self.save()
        self._forget()


def _data(text: str) -> bytes:
    """A text as its file has it."""
    return text.encode("utf-8", "replace")
