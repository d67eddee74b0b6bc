"""Commands of projects: new, open, sample, close, import, undo; dropped files; what the bars show of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTime, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog

from collector.model.i18n import _, ngettext
from collector.store.layout import is_project
from collector.store.sample_project import open_sample_copy
from studio.app.window import MainWindow
from studio.bridge import Job, JobRunner
from studio.bridge.library import Library, Snapshot
from studio.commands.commander import Commander
from studio.settings import Settings
from studio.views.project.import_report_dialog import ImportReportDialog
from studio.views.project.new_project_dialog import NewProjectDialog
from studio.widgets.file_dialog import dress_file_dialog
from studio.widgets.status_bar import StatusItem

if TYPE_CHECKING:
    from collector.exchange.importing import ImportResult

_MOST_RECENT = 10


class ProjectController(QObject):
    """Handles the project commands and dropped files; remembers what was open."""

    def __init__(
        self, commander: Commander, settings: Settings, tasks: JobRunner, library: Library, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._commander, self._settings = commander, settings
        self._tasks, self._library = tasks, library
        self._pending: list[Path] = []
        for command, handler in (
            ("project.new", self.new),
            ("project.open", self.open),
            ("project.open-sample", self.open_sample),
            ("project.close", self.close),
            ("project.import", self.import_files),
            ("project.revoke-trust", self._distrust),
            ("edit.undo", self._undo),
            ("edit.redo", self._redo),
        ):
            commander.handle(command, handler)

    def attach(self, window: MainWindow) -> None:
        """Where dialogs, toasts and drops belong; commands are handled before the window asks for them."""
        self._window = window
        library = self._library
        library.opened.connect(self._opened)
        library.changed.connect(self._changed)
        library.imported.connect(self._imported)
        library.failed.connect(window.toasts.show_error)
        library.saved.connect(self._saved)
        library.history_changed.connect(self._history_changed)
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        self._show_facts(None)

    def reopen(self) -> None:
        """Open what was open last, when it is still there."""
        last = next(iter(self._settings["window.recent-projects"]), "")
        if self._settings["window.reopen-project"] and last and is_project(Path(last)):
            self._library.open(Path(last))

    # -- commands ----------------------------------------------------------
    def new(self, path: str = "", name: str = "") -> None:
        """Make a project; without a path, ask for it."""
        if path:
            self._library.create(Path(path).expanduser(), name)
            return
        dialog = NewProjectDialog(Path.home(), self._window)
        dialog.accepted_with.connect(self._create)
        dialog.open()

    @Slot(str, str)
    def _create(self, path: str, name: str) -> None:
        self._library.create(Path(path), name)

    def open(self, path: str = "") -> None:
        """Open a project; without a path, ask for its folder."""
        if path:
            self._library.open(Path(path).expanduser())
            return
        dialog = QFileDialog(self._window, _("Open project"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._open_chosen)
        dialog.open()

    @Slot(str)
    def _open_chosen(self, path: str) -> None:
        self._library.open(Path(path))

    def open_sample(self) -> None:
        """Open the person's copy of the sample, made when there is none."""

        def work(_job: Job) -> Path:
            return open_sample_copy()

        self._tasks.run(work, success=self._library.open, failure=self._window.toasts.show_error)

    def close(self) -> None:
        """Close the project; it is not opened again by itself."""
        recent = self._settings["window.recent-projects"]
        snapshot = self._library.snapshot
        if snapshot is not None:
            self._settings.set("window.reopen-project", False)
            self._settings.set("window.recent-projects", _first(str(snapshot.folder), recent))
        self._library.close()

    def _distrust(self) -> None:
        self._library.distrust()

    def _undo(self) -> None:
        self._library.undo()

    def _redo(self) -> None:
        self._library.redo()

    # -- importing ---------------------------------------------------------
    def import_files(self, path: str = "") -> None:
        """Import a path; without one, ask for a file or folder."""
        if path:
            self.take([Path(path).expanduser()])
            return
        dialog = QFileDialog(self._window, _("Import a folder, zip or file"))
        # Qt's own dialog alone can choose folders and files alike.
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        known = "(*.zip *.json *.jsonl *.yaml *.xml *.png)"
        dialog.setNameFilters([_("Trajectories and tasks") + f" {known}", _("All files") + " (*)"])
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dress_file_dialog(dialog)
        dialog.filesSelected.connect(self._take_chosen)
        dialog.open()

    @Slot(list)
    def _take_chosen(self, names: list[str]) -> None:
        self.take([Path(name) for name in names])

    def take(self, paths: list[Path]) -> None:
        """Import paths, or open the one that is a project; with no project open, offer to make one first."""
        if len(paths) == 1 and is_project(paths[0]):
            self._library.open(paths[0])
            return
        if self._library.project is None:
            self._pending = paths
            dialog = NewProjectDialog(Path.home(), self._window, import_name=paths[0].name)
            dialog.accepted_with.connect(self._create)
            dialog.rejected.connect(self._forget_pending)
            dialog.open()
            return
        for path in paths:
            self._library.import_path(path)

    @Slot()
    def _forget_pending(self) -> None:
        self._pending = []

    @Slot(object)
    def _imported(self, done: ImportResult) -> None:
        ImportReportDialog(done, self._window).open()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QDragEnterEvent | QDropEvent):
            paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
            if paths and event.type() in (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop):
                event.setDropAction(Qt.DropAction.CopyAction)
                event.accept()
                if event.type() == QEvent.Type.Drop:
                    self.take(paths)
                return True
        return super().eventFilter(watched, event)

    # -- what is shown -----------------------------------------------------
    @Slot(object)
    def _opened(self, snapshot: Snapshot | None) -> None:
        self._show_facts(snapshot)
        if snapshot is None:
            return
        self._settings.set("window.reopen-project", True)
        self._settings.set(
            "window.recent-projects", _first(str(snapshot.folder), self._settings["window.recent-projects"])
        )
        pending, self._pending = self._pending, []
        for one in pending:
            self._library.import_path(one)

    @Slot(object)
    def _changed(self, snapshot: Snapshot) -> None:
        self._show_facts(snapshot)

    def _show_facts(self, snapshot: Snapshot | None) -> None:
        trusted = snapshot is not None and snapshot.trusted
        self._commander.set_context(project__open=snapshot is not None, project__trusted=trusted)
        self._window.menu.project.show_project(snapshot.name if snapshot else "")
        status = self._window.status
        tip = _("The shell commands of this project's anomalies that you looked at may run on a phone")
        trust = StatusItem(_("commands trusted"), "check", tip=tip) if trusted else None
        status.set_item("trust", trust, right=True)
        if snapshot is None:
            status.set_item("project", StatusItem(_("no project")), right=True)
            for key in ("index", "saved"):
                status.set_item(key, None, right=True)
            return
        count = sum(snapshot.counts.values())
        text = ngettext("index ok, {count} trajectory", "index ok, {count} trajectories", count)
        status.set_item("project", None, right=True)
        status.set_item("index", StatusItem(text, tip=str(snapshot.folder)), right=True)

    @Slot()
    def _saved(self) -> None:
        text = _("saved {time}", time=QTime.currentTime().toString("HH:mm:ss"))
        self._window.status.set_item("saved", StatusItem(text, "done"), right=True)

    @Slot()
    def _history_changed(self) -> None:
        history = self._library.history
        undo, redo = history.undo_title, history.redo_title
        self._commander.retitle("edit.undo", _("Undo {edit}", edit=undo) if undo else "")
        self._commander.retitle("edit.redo", _("Redo {edit}", edit=redo) if redo else "")
        self._commander.set_context(undo__possible=bool(undo), redo__possible=bool(redo))


def _first(path: str, recent: list[str]) -> list[str]:
    return [path, *(one for one in recent if one != path)][:_MOST_RECENT]
