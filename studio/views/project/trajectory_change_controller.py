"""Commands on whole trajectories: delete, rename, duplicate, show their folder, practise on them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.files.layout import TRASH
from collector.store.files.names import inside
from collector.store.project.project import Project
from collector.store.project.trajectory_changes import (
    TrajectoryChange,
    delete_trajectory,
    duplicate_trajectory,
    rename_trajectory,
)
from studio.views.desktop_toast import open_or_say
from studio.views.services import WindowServices
from studio.widgets.dialogs.dialog import Dialog


class TrajectoryChangeController(QObject):
    """Acts on the trajectory that is open in Record, or on the one selected in Project."""

    def __init__(self, services: WindowServices, selected: Callable[[], str], window: QWidget) -> None:
        """``selected`` returns the folder selected in Project; ``window`` is the parent of dialogs."""
        super().__init__(window)
        self._services, self._selected, self._window = services, selected, window
        for command, handler in (
            ("trajectory.delete", self.delete),
            ("trajectory.rename", self.rename),
            ("trajectory.duplicate", self.duplicate),
            ("trajectory.show-folder", self.show_folder),
            ("trajectory.practise", self.practise),
        ):
            services.commander.handle(command, handler)
        services.trajectories.changed.connect(self._changed)

    def _folder(self, folder: str) -> Path:
        project_library = self._services.project_library
        if project_library.project is None:
            raise UserError(_("No project is open"))
        if not folder and self._services.commander.scope == "record":
            folder = str(self._services.selection.stepped_folder or "")
        folder = folder or self._selected()
        if not folder:
            raise UserError(
                _("No trajectory is selected"), "", _("Select one in Project, or open it in Record")
            )
        path = Path(folder)
        return path if path.is_absolute() else inside(project_library.project.folder, folder)

    @Slot(str, str)
    def change(self, verb: str, folder: str) -> None:
        """Run ``delete``, ``rename``, ``duplicate``, ``show_folder``, ``practise`` or ``export``."""
        handlers = {
            "delete": self.delete,
            "rename": self.rename,
            "duplicate": self.duplicate,
            "show_folder": self.show_folder,
            "practise": self.practise,
            "export": self._export,
        }
        handlers[verb](folder)

    def _export(self, folder: str) -> None:
        self._services.run_command("project.export", trajectory=folder)

    def delete(self, folder: str = "") -> None:
        """Move the trajectory to the project's trash."""
        self._services.trajectories.change(self._folder(folder), delete_trajectory)

    def duplicate(self, folder: str = "") -> None:
        """Add a copy of the trajectory under a new id."""
        self._services.trajectories.change(self._folder(folder), duplicate_trajectory)

    def rename(self, folder: str = "", name: str = "") -> None:
        """Give the trajectory the id ``name``, or the one that the person types."""
        path = self._folder(folder)
        if name:
            self._rename(path, name)
            return
        dialog = _RenameDialog(path.name, self._window)
        dialog.accepted.connect(partial(self._rename_as_typed, path, dialog.field))
        dialog.open()

    def _rename_as_typed(self, path: Path, field: QLineEdit) -> None:
        name = field.text().strip()
        if name and name != path.name:
            self._rename(path, name)

    def _rename(self, path: Path, name: str) -> None:
        def change(project: Project, folder: Path) -> TrajectoryChange:
            return rename_trajectory(project, folder, name)

        self._services.trajectories.change(path, change)

    def show_folder(self, folder: str = "") -> None:
        """Open the folder of the trajectory in the system's file manager."""
        open_or_say(self._services, self._folder(folder))

    def practise(self, folder: str = "") -> None:
        """Start a virtual phone that plays the trajectory; ``folder`` may be several, one a line."""
        folders = [str(self._folder(line)) for line in folder.splitlines() or [""]]
        self._services.run_command("device.start-virtual", plays="\n".join(folders))

    @Slot(object)
    def _changed(self, change: TrajectoryChange) -> None:
        """Say what was done, and offer to undo it."""
        project_library, toasts = self._services.project_library, self._services.toasts
        if TRASH in change.after.parts:
            sentence, why = _("Trajectory {id} is deleted", id=change.id_before), _("Undo brings it back")
        elif TRASH in change.before.parts:
            sentence, why = _("A copy was added: {id}", id=change.id_after), ""
        else:
            sentence, why = _("The trajectory is called {id} now", id=change.id_after), ""
        toasts.show("ok", sentence, why, action=_("Undo"), act=project_library.history.undo, for_now=True)


class _RenameDialog(Dialog):
    """Asks for the new id of a trajectory."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(
            _("Rename trajectory"), _("Rename"), parent, sentence=_("The id names its folder, too")
        )
        self.field = QLineEdit(name)
        self.add_field(_("Id"), self.field)
        self.field.selectAll()
        self.field.setFocus()
