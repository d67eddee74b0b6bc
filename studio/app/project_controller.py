"""Commands of projects: new, open, sample, close, import, export; dropped files; what the bars show."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog

from collector.model.i18n import _, ngettext
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from collector.store.files.layout import is_project
from collector.store.project.sample_project import sample_in
from collector.store.tasks.task_merge import TaskConflict
from studio.app.main_window.window import MainWindow
from studio.bridge import JobRunner
from studio.bridge.phones.devices import Devices
from studio.bridge.project_exchange import ProjectExchange
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.review.work_selection import WorkSelection
from studio.commands.commander import Commander
from studio.settings import Settings
from studio.views.exchange.controller import ExchangeController
from studio.views.project.new_project_dialog import NewProjectDialog
from studio.widgets.dialogs.file_dialog import dress_file_dialog
from studio.widgets.dropped_files import dropped_files
from studio.widgets.window_frame.status_bar import StatusItem

if TYPE_CHECKING:
    from collector.store.project.copies import BroughtIn

_MOST_RECENT = 10
_MOST_NAMED = 5
"""Things that a message names at most."""

IMPORTED_FILES = (
    "*.zip", "*.json", "*.jsonl", "*.ess", "*.yaml", "*.yml", "*.csv", "*.tsv", "*.txt",
    "*.xml", "*.uix", "*.png", "*.jpg", "*.jpeg", "*.webp", "*.mp4", "*.mkv", "*.webm", "*.mov", "*.3gp",
    "*.pkl.gz", "*.tfrecord*", "*-of-[0-9]*",
)  # fmt: skip
"""Names of single files that an import may read; the parts of a TFRecord end in ``-00000-of-00020``."""


class ProjectController(QObject):
    """Handles the project commands and dropped files. Remembers the projects that were open."""

    def __init__(
        self,
        commander: Commander,
        settings: Settings,
        tasks: JobRunner,
        project_library: ProjectLibrary,
        exchange: ProjectExchange,
        selection: WorkSelection,
        devices: Devices,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._devices = devices
        self._commander, self._settings = commander, settings
        self._tasks, self._project_library, self._exchange = tasks, project_library, exchange
        self._dialogs = ExchangeController(commander, project_library, exchange, selection, self)
        self._waiting_imports: list[Path] = []
        self._is_new, self._starts_phone = False, False
        """Whether the project that opens next was made in the dialog, and whether a phone starts with it."""
        for command, handler in (
            ("project.new", self.new),
            ("project.new-with-phone", self.new_with_phone),
            ("project.open", self.open),
            ("project.close", self.close),
            ("project.reload", self.reload),
            ("project.import", self.import_files),
            ("project.import-folder", self.import_folder),
            ("project.bring-in", self.bring_in),
            ("project.revoke-trust", self._distrust),
        ):
            commander.handle(command, handler)
        project_library.opened.connect(self._opened)
        project_library.failed.connect(self._not_opened)
        project_library.changed.connect(self._changed)
        exchange.brought_in.connect(self._brought_in)
        project_library.edits.conflicted.connect(self._report_conflicts)

    def attach(self, window: MainWindow) -> None:
        """Set the window for dialogs, toasts and drops. Commands are handled before the window is built."""
        self._window = window
        self._dialogs.attach(window, window.toasts)
        self._project_library.failed.connect(window.toasts.show_error)
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        self._show_facts(self._project_library.snapshot)

    def reopen(self) -> None:
        """Open the last project, if its folder still exists."""
        last = next(iter(self._settings["window.recent-projects"]), "")
        if self._settings["window.reopen-project"] and last and is_project(Path(last)):
            sample = sample_in(Path(last))
            if sample is not None:  # only whole, though a part of it is a project, too
                self._commander.run(sample.command, quiet="yes")
            else:
                self._project_library.open(Path(last))

    # -- commands ----------------------------------------------------------
    def new(self, path: str = "", name: str = "") -> None:
        """Create a project in ``path``, or where the person says."""
        if path:
            self._project_library.create(Path(path).expanduser(), name)
            return
        self._ask_for_project()

    def new_with_phone(self) -> None:
        """Start the virtual phone, and ask for the project meanwhile."""
        if self._commander.enabled("device.start-virtual"):
            self._commander.run("device.start-virtual")
        self._ask_for_project()

    def _ask_for_project(self, import_name: str = "") -> NewProjectDialog:
        offers_phone = not self._devices.entries and self._commander.enabled("device.start-virtual")
        dialog = NewProjectDialog(
            Path.home(), self._window, import_name=import_name, offers_phone=offers_phone
        )
        dialog.accepted_with.connect(self._create)
        dialog.rejected.connect(self._not_asked)
        self._commander.set_context(project__asked=True)
        dialog.open()
        return dialog

    @Slot(str, str)
    def _create(self, path: str, name: str) -> None:
        dialog = self.sender()
        assert isinstance(dialog, NewProjectDialog)
        self._is_new, self._starts_phone = True, dialog.starts_phone
        self._project_library.create(Path(path), name)

    @Slot()
    def _not_asked(self) -> None:
        self._commander.set_context(project__asked=False)

    def open(self, path: str = "") -> None:
        """Open the project in ``path``, or in the folder that the person chooses."""
        if path:
            self._open_folder(Path(path).expanduser())
            return
        dialog = QFileDialog(self._window, _("Open project"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._open_chosen)
        dialog.open()

    @Slot(str)
    def _open_chosen(self, path: str) -> None:
        self._open_folder(Path(path))

    def _open_folder(self, folder: Path) -> None:
        """Open a project; the one that is open is read again, and keeps what is shown and can be undone."""
        if self._project_library.is_open(folder):
            self._project_library.reload()
        else:
            self._project_library.open(folder)

    def close(self) -> None:
        """Close the project; the next start does not reopen it."""
        recent = self._settings["window.recent-projects"]
        snapshot = self._project_library.snapshot
        if snapshot is not None:
            self._settings.set("window.reopen-project", False)
            self._settings.set("window.recent-projects", _put_first(str(snapshot.folder), recent))
        self._project_library.close()

    def reload(self) -> None:
        """Read again what other programs may have changed; what was typed here stays."""
        self._project_library.reload()

    @Slot(object)
    def _report_conflicts(self, conflicts: tuple[TaskConflict, ...]) -> None:
        """Say that another program changed the same tasks, and offer to take its version."""
        names = ", ".join(conflict.task_id for conflict in conflicts)
        self._window.toasts.show(
            "warn", _("{tasks} changed on the disk, too", tasks=names), _("Your version is kept"),
            action=_("Use theirs"), act=partial(self._project_library.edits.use_theirs, conflicts),
        )  # fmt: skip

    def _distrust(self) -> None:
        self._project_library.distrust()

    # -- importing ---------------------------------------------------------
    def import_files(self, path: str = "") -> None:
        """Import ``path``, or the files and folders that the person chooses."""
        if path:
            self.open_or_import([Path(path).expanduser()], asks=False)
            return
        dialog = QFileDialog(self._window, _("Import files or a zip"))
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        known = _("Trajectories and tasks") + f" ({' '.join(IMPORTED_FILES)})"
        dialog.setNameFilters([known, _("All files") + " (*)"])
        dialog.setOption(QFileDialog.Option.HideNameFilterDetails)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dress_file_dialog(dialog)
        dialog.filesSelected.connect(self._import_chosen)
        dialog.open()

    def import_folder(self, path: str = "") -> None:
        """Import the folder ``path``, or the one that the person chooses."""
        if path:
            self.open_or_import([Path(path).expanduser()], asks=False)
            return
        dialog = QFileDialog(self._window, _("Import a folder"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dress_file_dialog(dialog)
        dialog.filesSelected.connect(self._import_chosen)
        dialog.open()

    def bring_in(self, path: str = "") -> None:
        """Bring in the copy of the project in ``path``, or in the folder that the person chooses."""
        if path:
            self._exchange.bring_in(Path(path).expanduser())
            return
        dialog = QFileDialog(self._window, _("Bring in a copy of the project"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dress_file_dialog(dialog)
        dialog.filesSelected.connect(self._copy_chosen)
        dialog.open()

    @Slot(list)
    def _copy_chosen(self, names: list[str]) -> None:
        self._exchange.bring_in(Path(names[0]))

    @Slot(object)
    def _brought_in(self, brought: BroughtIn) -> None:
        from collector.store.project.copies import brought_in_text  # loads what edits YAML

        if self._window is not None:
            kept = ", ".join(brought.kept[:_MOST_NAMED]) + (" …" if len(brought.kept) > _MOST_NAMED else "")
            detail = _("These differ, and stay as they were here: {names}", names=kept) if kept else ""
            self._window.toasts.show("warn" if kept else "ok", brought_in_text(brought), detail)

    @Slot(list)
    def _import_chosen(self, names: list[str]) -> None:
        self.open_or_import([Path(name) for name in names])

    def open_or_import(self, paths: list[Path], *, asks: bool = True) -> None:
        """Open a single project folder; import anything else, into a new project when none is open.

        With ``asks`` a dialog shows first what comes into the open project, and as which format it is read.
        """
        if len(paths) == 1 and is_project(paths[0]):
            self._open_folder(paths[0])
            return
        if self._project_library.project is None:
            self._waiting_imports = paths
            self._ask_for_project(paths[0].name).rejected.connect(self._drop_imports)
            return
        if asks:
            self._dialogs.ask_to_import(paths)
            return
        for path in paths:
            self._exchange.import_path(path)

    @Slot()
    def _drop_imports(self) -> None:
        self._waiting_imports = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QDragEnterEvent | QDropEvent):
            paths = dropped_files(event)
            if paths and event.type() in (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop):
                event.setDropAction(Qt.DropAction.CopyAction)
                event.accept()
                if event.type() == QEvent.Type.Drop:
                    self.open_or_import(paths)
                return True
        return super().eventFilter(watched, event)

    # -- status bar ------------------------------------------------------------
    @Slot(object)
    def _opened(self, snapshot: ProjectSnapshot | None) -> None:
        self._show_facts(snapshot)
        self._not_asked()
        if snapshot is None:
            return
        if snapshot.is_read_only:
            self._window.toasts.show("warn", _("The project is read-only"), _read_only_advice())
        self._settings.set("window.reopen-project", True)
        self._settings.set(
            "window.recent-projects",
            _put_first(str(snapshot.folder), self._settings["window.recent-projects"]),
        )
        paths, self._waiting_imports = self._waiting_imports, []
        for path in paths:
            self._exchange.import_path(path)
        is_new, self._is_new = self._is_new, False
        if is_new:
            self._begin_new(has_imports=bool(paths))

    @Slot()
    def _not_opened(self) -> None:
        self._is_new = False
        self._not_asked()

    def _begin_new(self, *, has_imports: bool) -> None:
        """Go on with a project that was just made: start the phone, and ask for the first task."""
        if self._starts_phone and self._commander.enabled("device.start-virtual"):
            self._commander.run("device.start-virtual")
        if not has_imports:
            self._commander.run("view.project")
            is_led = bool(self._commander.context.get("tour.running"))  # to a task that judges itself
            self._commander.run("task.add-built-in" if is_led else "task.new")

    @Slot(object)
    def _changed(self, snapshot: ProjectSnapshot) -> None:
        self._show_facts(snapshot)

    def _show_facts(self, snapshot: ProjectSnapshot | None) -> None:
        trusted = snapshot is not None and snapshot.trusted
        is_read_only = snapshot is not None and snapshot.is_read_only
        self._commander.set_context(project__open=snapshot is not None, project__trusted=trusted)
        self._commander.set_context(**{"project.read-only": is_read_only})
        self._window.menu.project.show_project(snapshot.name if snapshot else "")
        status = self._window.status
        tip = _("The shell commands of this project's anomalies that you looked at may run on a phone")
        trust = StatusItem(_("commands trusted"), "check", tip=tip, rank=3) if trusted else None
        status.set_item("trust", trust, right=True)
        status.set_item("read-only", _read_only_item() if is_read_only else None, right=True)
        if snapshot is None:
            status.set_item("project", StatusItem(_("no project")), right=True)
            status.set_item("index", None, right=True)
            return
        count = sum(snapshot.counts.values())
        text = ngettext("index ok, {count} trajectory", "index ok, {count} trajectories", count)
        if not snapshot.is_read:
            text = _("reading the project...")
        status.set_item("project", None, right=True)
        status.set_item("index", StatusItem(text, tip=str(snapshot.folder), rank=4), right=True)


def _read_only_item() -> StatusItem:
    return StatusItem(_("read-only"), "lock", "warn", tip=_read_only_advice())


def _read_only_advice() -> str:
    return _("This account may not write in its folder; change its permissions, or copy it and open the copy")


def _put_first(path: str, recent: list[str]) -> list[str]:
    return [path, *(other for other in recent if other != path)][:_MOST_RECENT]
