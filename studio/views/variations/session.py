"""The session of the tab Variations: what is listed, selected, ticked and edited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.editing.edit_stack import Edit, EditStack
from collector.model.errors import UserError
from collector.model.message import _
from collector.model.variation.phone_variation import DEFAULT, VARIATIONS
from collector.store.files.disk import Disk
from collector.variations.new_file import new_variation
from rule_editor.document.text.followed_edits import follow_edits
from rule_editor.document.variations.variation_document import VariationDocument
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.rules.document_files import DocumentFiles
from studio.bridge.variations.listing import ListedVariation, read_listing


@dataclass(frozen=True, slots=True, eq=False)
class _FileChange:
    """A file that was added or deleted: its text before and after, None for no file."""

    name: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class VariationSessionState:
    """What is selected and ticked, the files as they are edited, and what can be undone in them."""

    folder: Path | None
    name: str
    ticked: tuple[str, ...]
    documents: Mapping[str, VariationDocument]
    gone: Mapping[str, VariationDocument]
    history: EditStack


class VariationSession(QObject):
    """Holds the documents of the project's variations, and which variations are ticked."""

    listed = Signal()
    """Other variations, or other words about them."""
    selected = Signal()
    text_changed = Signal()
    """The selected text is another one."""
    ticked_changed = Signal()
    history_changed = Signal()
    failed = Signal(object)

    def __init__(self, library: ProjectLibrary, runner: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._library, self._runner = library, runner
        self.entries: tuple[ListedVariation, ...] = ()
        self.name = ""
        self.ticked: tuple[str, ...] = ()
        self.history = EditStack()
        self._documents: dict[str, VariationDocument] = {}
        self._ends: list[Callable[[], None]] = []
        """What follows the edits of documents no more."""
        self._files = DocumentFiles(runner, self)
        self._gone: dict[str, VariationDocument] = {}
        """Documents whose files were deleted here: undo brings them back with their edits."""
        self._select_next = ""
        self._readings = 0
        self._is_open = False
        self.history.changed.subscribe(lambda _event: self.history_changed.emit())
        self._files.changed.connect(self._document_changed)
        self._files.folder_changed.connect(self.reload)
        self._files.failed.connect(self.failed)
        library.opened.connect(self._open_project)

    # -- what is known -----------------------------------------------------------
    @property
    def folder(self) -> Path | None:
        """The folder of the project; None when no project is open."""
        return self._library.folder

    @property
    def language(self) -> str:
        """The language that most tasks of the project have their phones in; empty when none says it."""
        snapshot = self._library.snapshot
        tasks = snapshot.tasks if snapshot is not None else ()
        languages = Counter(task.language for task in tasks if task.language)
        return max(languages, key=languages.__getitem__, default="")

    @property
    def is_read_only(self) -> bool:
        """Whether nothing can be changed: the project is read-only, or none is open."""
        project = self._library.project
        return project is None or project.is_read_only

    @property
    def entry(self) -> ListedVariation | None:
        """The selected variation."""
        return next((entry for entry in self.entries if entry.name == self.name), None)

    @property
    def document(self) -> VariationDocument | None:
        """The document of the selected variation; of a built-in one its text, which nobody writes."""
        entry = self.entry
        if entry is None:
            return None
        if not entry.is_built_in and entry.name in self._documents:
            return self._documents[entry.name]
        return VariationDocument(entry.text or "", f"{entry.name}.yaml")

    @property
    def can_edit(self) -> bool:
        """Whether the selected variation is a file of the project that can be written."""
        entry = self.entry
        return entry is not None and entry.name in self._documents and not self.is_read_only

    @property
    def texts(self) -> dict[str, str]:
        """The texts of the project's variations as they are edited, by name."""
        return {name: document.text for name, document in self._documents.items()}

    @property
    def combination(self) -> str:
        """The variations that are ticked, or the selected one when none is."""
        return "+".join(sorted(self.ticked)) or self.name or DEFAULT

    # -- reading -------------------------------------------------------------------
    @Slot()
    def _open_project(self) -> None:
        self._files.save()
        self._files.forget_all()
        self._documents.clear()
        self._gone.clear()
        self.entries, self.name, self.ticked = (), "", ()
        self.selected.emit()
        if self._is_open:
            self.reload()

    def open(self) -> None:
        """Begin to read variations: the tab was opened."""
        if not self._is_open:
            self._is_open = True
            self.reload()

    @Slot()
    def reload(self) -> None:
        """List the variations again."""
        folder, texts = self.folder, self.texts
        self._readings += 1
        number = self._readings
        self._runner.run(lambda _job: (number, read_listing(folder, texts)), success=self._read)

    @Slot(object)
    def _read(self, listing: tuple[int, tuple[ListedVariation, ...]]) -> None:
        number, entries = listing
        if number != self._readings:
            return  # a newer listing follows
        self.entries = entries
        self._follow(entries)
        names = {entry.name for entry in entries}
        self.ticked = tuple(name for name in self.ticked if name in names)
        self.listed.emit()
        if self._select_next in names:
            wanted, self._select_next = self._select_next, ""
            self.select(wanted)
        elif self.name not in names:
            self.select(entries[0].name if entries else "")
        else:
            self.text_changed.emit()

    def _follow(self, entries: tuple[ListedVariation, ...]) -> None:
        """Have a document for each file of the project, and none for a file that is gone."""
        files = {entry.name: entry for entry in entries if not entry.is_built_in}
        own = {name: entry.text for name, entry in files.items() if entry.text is not None}
        for name in [name for name in self._documents if name not in own]:
            self._files.forget(self._documents.pop(name).path)
        for name, text in own.items():
            if name not in self._documents:
                document = self._gone.pop(name, None)
                if document is None or document.text != text:
                    document = VariationDocument(text, files[name].path)
                    self._ends.append(follow_edits(document, self.history))
                self._documents[name] = document
                self._files.follow(document)
        if self.folder is not None:
            self._files.watch_folder(self.folder / VARIATIONS)

    @Slot(object)
    def _document_changed(self, _document: object) -> None:
        self.text_changed.emit()
        self.reload()

    # -- choosing ------------------------------------------------------------------
    @Slot(str)
    def select(self, name: str) -> None:
        """Show a variation."""
        self.name = name
        self.selected.emit()

    @Slot(str, bool)
    def tick(self, name: str, on: bool) -> None:
        """Take a variation into the combination, or out of it."""
        others = tuple(ticked for ticked in self.ticked if ticked != name)
        self.ticked = (*others, name) if on else others
        self.ticked_changed.emit()

    @Slot()
    def untick_all(self) -> None:
        self.ticked = ()
        self.ticked_changed.emit()

    # -- editing -------------------------------------------------------------------
    def edit(self, change: Callable[[VariationDocument], object]) -> None:
        """Change the document of the selected variation; what it refuses is shown to the person."""
        document = self.document
        if document is None or not self.can_edit:
            return
        try:
            change(document)
        except UserError as error:
            self.failed.emit(error)
            self.text_changed.emit()

    @Slot()
    def add(self) -> None:
        """Add a file to the project that extends the selected variation, and select it."""
        if self.is_read_only or self.folder is None:
            return
        name, text = new_variation(self.name, {entry.name for entry in self.entries})
        self._put(name, text)
        self.history.add(self._edit_of(_("add {name}", name=name), _FileChange(name, None, text)))

    @Slot()
    def delete(self) -> None:
        """Delete the file of the selected variation; undo brings it back."""
        document, name = self.document, self.name
        if document is None or not self.can_edit:
            return
        text = document.text
        self._put(name, None)
        self.history.add(self._edit_of(_("delete {name}", name=name), _FileChange(name, text, None)))

    def _edit_of(self, title: str, change: _FileChange) -> Edit:
        name, before, after = change.name, change.before, change.after
        return Edit(title, lambda: self._put(name, before), lambda: self._put(name, after), change)

    def _put(self, name: str, text: str | None) -> None:
        """Write a file of the project, or remove it for None, behind the window."""
        folder = self.folder
        if folder is None:
            return
        path = folder / VARIATIONS / f"{name}.yaml"
        if text is None and (document := self._documents.pop(name, None)) is not None:
            document.saved_text = document.text  # what was typed last is not written any more
            self._files.forget(document.path)
            self._gone[name] = document
            self.entries = tuple(entry for entry in self.entries if entry.name != name)
            self.listed.emit()
        self._select_next = name if text is not None else ""

        def work(_job: Job) -> None:
            if text is None:
                path.unlink(missing_ok=True)
                return
            path.parent.mkdir(exist_ok=True)
            Disk().write(path, text.encode())

        self._runner.run(
            work, success=self._stored, failure=self.failed.emit, queue=JobQueue.STORE, saves=True,
        )  # fmt: skip

    @Slot(object)
    def _stored(self, _done: object) -> None:
        self.reload()

    def save(self) -> None:
        """Write what was edited."""
        self._files.save()

    # -- life ----------------------------------------------------------------------
    def keep_state(self) -> VariationSessionState:
        """What the session of the next window needs to go on here; call :meth:`close` then."""
        documents, gone = dict(self._documents), dict(self._gone)
        return VariationSessionState(self.folder, self.name, self.ticked, documents, gone, self.history)

    def take_state(self, state: VariationSessionState) -> None:
        """Go on where the session of the window before was; another project has nothing of it."""
        if state.folder != self.folder:
            return
        self.name, self.ticked = state.name, state.ticked
        self._documents, self._gone = dict(state.documents), dict(state.gone)
        for document in (*state.documents.values(), *state.gone.values()):
            self._ends.append(follow_edits(document, self.history))
        for document in state.documents.values():
            self._files.follow(document)

        def again(edit: Edit) -> Edit:
            change = edit.stands_on
            return self._edit_of(edit.title, change) if isinstance(change, _FileChange) else edit

        self.history.take_over(state.history, again)
        self.open()

    def close(self) -> None:
        """Write what was edited, and follow no document any more."""
        self._files.close()
        for end in self._ends:
            end()
        self._ends.clear()
