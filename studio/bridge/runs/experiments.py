"""The experiments of a project in the window: read and written behind it, edited with undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.editing.edit_stack import Call, Edit, EditStack
from collector.model.errors import UserError
from collector.model.message import _
from collector.store.files.layout import ProjectPaths
from collector.store.project.project import Project
from rule_editor.document.text.followed_edits import follow_edits
from rule_editor.document.text.text_document import TextDocument, read_text
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.newest_answers import NewestAnswers
from studio.bridge.rules.document_files import DocumentFiles
from studio.bridge.runs.experiment_reading import (
    ExperimentScene,
    LoadedExperiment,
    read_scene,
    read_stored_cells,
    read_text_of_experiment,
    starter_text,
)
from studio.bridge.while_alive import while_alive

if TYPE_CHECKING:
    from collector.run.progress import CellProgress


def difference(old: str, new: str) -> tuple[int, str, str]:
    """Where two texts differ first, and what each has there up to their common end."""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    end = 0
    while end < most - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return start, old[start : len(old) - end], new[start : len(new) - end]


@dataclass(frozen=True, slots=True, eq=False)
class _FileChange:
    """What makes, deletes or renames files; both calls return the experiment to follow then."""

    project: Project
    undo: Callable[[], str]
    redo: Callable[[], str]


@dataclass(frozen=True, slots=True)
class ExperimentsState:
    """The files that were read, as they are edited, and what can be undone in them."""

    project: Project | None
    documents: Mapping[str, TextDocument]
    history: EditStack


class Experiments(QObject):
    """Lists experiments and follows one of them. GUI thread only; files belong to other threads."""

    listed = Signal(object)
    """The experiment files of the project: name -> path."""
    loaded = Signal(object)
    """The :class:`LoadedExperiment` that is followed, read again after each edit."""
    wanted = Signal(str)
    """Name of the experiment that was made, or that an undo changed: it should be followed."""
    history_changed = Signal()
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._runner = runner
        self.history = EditStack()
        """Undo and redo over all experiments of the project."""
        self.history.changed.subscribe(lambda _event: self.history_changed.emit())
        self._answers = NewestAnswers(runner, self)
        self._answers.failed.connect(self.failed)
        self._files = DocumentFiles(runner, self)
        self._files.failed.connect(self.failed)
        self._files.changed.connect(self._document_changed)
        self._files.folder_changed.connect(self.list_files)
        self._project: Project | None = None
        self._documents: dict[str, TextDocument] = {}
        self._ends: dict[str, Callable[[], None]] = {}
        """What follows the edits of each document no more."""
        self._followed = ""
        self._scene: ExperimentScene | None = None
        self._earlier: tuple[str, tuple[CellProgress, ...]] | None = None
        self._is_undoing = False

    @property
    def document(self) -> TextDocument | None:
        """The file of the experiment that is followed; None until it was read."""
        return self._documents.get(self._followed)

    # -- opening -------------------------------------------------------------
    def open(self, project: Project | None) -> None:
        """Follow another project; ``listed`` follows. None closes it."""
        self.close()
        self._documents.clear()
        self.history.clear()
        self._project, self._followed = project, ""
        self._scene = self._earlier = None
        self.list_files()

    @Slot()
    def list_files(self) -> None:
        """List the experiments of the project; ``listed`` follows."""
        project = self._project
        if project is None:
            return

        def work(_job: Job) -> Mapping[str, Path]:
            return {path.stem: path for path in project.paths.experiments()}

        self._answers.ask("list", work, self._list, queue=JobQueue.STORE)

    def _list(self, files: Mapping[str, Path]) -> None:
        if self._project is None:
            return
        for name in [name for name, document in self._documents.items() if name not in files]:
            document = self._documents.pop(name)
            self._ends.pop(name)()
            document.saved_text = document.text  # its file was deleted: it is not written again
            self._files.forget(document.path)
            self.history.forget(document)
        example = next(iter(files.values()), None) or self._project.paths.experiment("x")
        self._files.watch_folder(example.parent)
        self.listed.emit(files)

    def follow(self, name: str) -> None:
        """Read an experiment and follow its edits; ``loaded`` follows. An empty name follows none."""
        self._followed, self._earlier = name, None
        project = self._project
        if project is None or not name:
            return
        if name in self._documents:
            self._evaluate()
            return
        path = project.paths.experiment(name)

        def work(_job: Job) -> tuple[Project, str, str]:
            return project, name, read_text(path)

        self._answers.ask("read", work, self._read, queue=JobQueue.STORE)

    def _read(self, result: tuple[Project, str, str]) -> None:
        project, name, text = result
        if project is self._project and name not in self._documents:
            self._hold(name, TextDocument(text, str(project.paths.experiment(name))))
        self._evaluate()

    def _hold(self, name: str, document: TextDocument) -> None:
        self._documents[name] = document
        self._ends[name] = follow_edits(document, self.history)
        self._files.follow(document)

    def reload(self) -> None:
        """Read again what other programs, and runs, may have changed."""
        self._scene = self._earlier = None
        self._files.reload()
        self.list_files()
        self._evaluate()

    def _evaluate(self) -> None:
        """Read the text of the experiment that is followed; ``loaded`` follows."""
        project, name, document = self._project, self._followed, self.document
        if project is None or document is None:
            return
        text, path, scene, earlier = document.text, Path(document.path), self._scene, self._earlier

        def work(_job: Job) -> LoadedExperiment:
            cells = earlier[1] if earlier is not None else read_stored_cells(project, name)
            return read_text_of_experiment(
                name, path, text, scene or read_scene(project), cells,
                has_output=project.paths.runner_output(name).exists(),
            )  # fmt: skip

        self._answers.ask("evaluate", work, self._take)

    def _take(self, loaded: LoadedExperiment) -> None:
        if loaded.name == self._followed:
            self._scene, self._earlier = loaded.scene, (loaded.name, loaded.earlier)
            self.loaded.emit(loaded)

    @Slot(object)
    def _document_changed(self, document: TextDocument) -> None:
        name = next((name for name, known in self._documents.items() if known is document), "")
        if name == self._followed:
            self._evaluate()
        elif self._is_undoing and name:
            self.wanted.emit(name)

    # -- editing -------------------------------------------------------------
    def edit(self, title: str, change: Callable[[str], str], merge_key: str = "") -> None:
        """Change the text of the experiment that is followed, as one step of the history.

        Edits with the same ``merge_key`` in a row are one step. Raises UserError and changes nothing when
        the text cannot take the change.
        """
        document = self.document
        if document is None:
            return
        start, before, after = difference(document.text, change(document.text))
        if before or after:
            document.replace(start, start + len(before), after, title, merge_key or None)

    def undo(self) -> None:
        """Take the newest edit back, of whichever experiment. Raises DocumentError."""
        self._play(self.history.undo)

    def redo(self) -> None:
        """Make the edit again that was taken back last. Raises DocumentError."""
        self._play(self.history.redo)

    def _play(self, change: Callable[[], None]) -> None:
        self._is_undoing = True
        try:
            change()
        finally:
            self._is_undoing = False

    def create(self, name: str, title: str, text: str = "") -> None:
        """Make an experiment; ``wanted`` follows, or ``failed`` when there is one of that name.

        Without a ``text`` it is one to begin with.
        """
        project = self._project
        if project is None:
            return
        written = text

        def make() -> str:
            nonlocal written
            written = written or starter_text(project)  # again the same, also in another language
            return _make(project, name, written)

        self._change_files(title, _FileChange(project, lambda: _remove(project, name, written), make))

    def delete(self, name: str) -> None:
        """Delete the file of an experiment; its runs stay. ``listed`` follows."""
        project, document = self._project, self._documents.get(name)
        if project is None or document is None:
            return
        text = document.text
        change = _FileChange(
            project, lambda: _make(project, name, text), lambda: _remove(project, name, text)
        )
        self._change_files(_("delete {name}", name=name), change)

    def rename(self, name: str, new_name: str) -> None:
        """Rename the file of an experiment; ``wanted`` follows."""
        project, document = self._project, self._documents.get(name)
        if project is None or document is None:
            return
        change = _FileChange(
            project, lambda: _move(project, new_name, name), lambda: _move(project, name, new_name)
        )
        self._change_files(_("rename {name}", name=name), change)

    def _change_files(self, title: str, change: _FileChange) -> None:
        edit = self._edit_of(title, change)
        assert edit.run is not None
        edit.run(change.redo, lambda: self.history.add(edit), lambda: None)

    def _edit_of(self, title: str, files: _FileChange) -> Edit:
        def run(change: Call, made: Call, refused: Call) -> None:
            def done(name: str) -> None:
                if files.project is self._project:
                    made()
                    self.list_files()
                    if name:
                        self.wanted.emit(name)

            def failed(error: Exception) -> None:
                refused()
                self.failed.emit(error)

            self._files.save()
            self._runner.run(
                lambda _job: change(), success=while_alive(self, done), failure=while_alive(self, failed),
                queue=JobQueue.STORE, saves=True,
            )  # fmt: skip

        return Edit(title, files.undo, files.redo, files, run)

    def save(self) -> None:
        """Write what was edited now, in the store's queue."""
        self._files.save()

    @property
    def paths(self) -> ProjectPaths | None:
        """The files of the project; None without one."""
        return self._project.paths if self._project is not None else None

    # -- life ------------------------------------------------------------------
    def keep_state(self) -> ExperimentsState:
        """What the experiments of the next window need to go on here; call :meth:`close` then."""
        return ExperimentsState(self._project, dict(self._documents), self.history)

    def take_state(self, state: ExperimentsState) -> None:
        """Go on where those of the window before were; another project has nothing of them."""
        if state.project is not self._project:
            return
        for name, document in state.documents.items():
            self._hold(name, document)

        def again(edit: Edit) -> Edit:
            change = edit.stands_on
            return self._edit_of(edit.title, change) if isinstance(change, _FileChange) else edit

        self.history.take_over(state.history, again)
        self._evaluate()

    def close(self) -> None:
        """Write what was edited, and read nothing any more."""
        self._answers.forget()
        self._files.close()
        for end in self._ends.values():
            end()
        self._ends.clear()


def _make(project: Project, name: str, text: str) -> str:
    from collector.run.experiment.files import new_experiment

    new_experiment(project, name, text)
    return name


def _remove(project: Project, name: str, text: str) -> str:
    """Delete an experiment that still has this text. Raises UserError when another program changed it."""
    project.require_writable()
    path = project.paths.experiment(name)
    if path.exists() and read_text(path) != text:
        raise UserError(
            _("{name} was changed since", name=project.paths.relative(path)),
            _("another program wrote it"),
            _("Delete it by hand; nothing was lost"),
        )
    path.unlink(missing_ok=True)
    return ""


def _move(project: Project, name: str, new_name: str) -> str:
    path = project.paths.experiment(name)
    _make(project, new_name, read_text(path))
    path.unlink()
    return new_name
