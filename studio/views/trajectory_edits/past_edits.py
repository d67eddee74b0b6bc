"""Undo and redo of what was edited before a trajectory was opened, as before a restart."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from studio.bridge.trajectories.trajectory_edits import ShownHistory, TrajectoryEdits
from studio.views.edited_place import EditedPlace
from studio.views.services import WindowServices
from studio.views.trajectory_edits.refused_edit import say_refused
from studio.views.undo_source import UndoSource

if TYPE_CHECKING:
    from collector.recording.edits.trajectory_edit import MadeEdit


class PastEdits(QObject):
    """Follows the stored trajectory that a workspace has open."""

    read = Signal()
    """What can be undone and redone is known: :attr:`source`."""

    def __init__(
        self, services: WindowServices, place: Callable[[], EditedPlace | None],
        show: Callable[[Path, int], object], parent: QObject,
    ) -> None:  # fmt: skip
        """``place`` is what is open; ``show`` opens a trajectory at a step."""
        super().__init__(parent)
        self._services, self._place, self._show = services, place, show
        self._edits = TrajectoryEdits(services.tasks, services.project_library, services.trajectories, self)
        self._titles = ("", "")
        self._folder = Path()
        """The trajectory that was open last."""
        self._is_newest = False
        """Whether the open trajectory was edited after all that the project can undo."""
        services.project_library.history_changed.connect(self._project_edited)

    @Slot()
    def _project_edited(self) -> None:
        self._is_newest = False

    def note_edit(self, folder: Path) -> None:
        """The steps of a trajectory were edited, if it is the one that was open; it is opened again."""
        self._is_newest = folder == self._folder

    @property
    def source(self) -> UndoSource:
        """The newest edits of the open trajectory, whenever they were made."""
        return UndoSource(
            *self._titles, partial(self._move, self._edits.undo), partial(self._move, self._edits.redo)
        )

    def or_newer(self, of_project: UndoSource) -> UndoSource:
        """The edits of the project, where it has any and the trajectory was not edited after them."""
        has_any = bool(of_project.undo_title or of_project.redo_title)
        return of_project if has_any and not self._is_newest else self.source

    def follow(self) -> None:
        """Read the edits of the trajectory that was opened."""
        self._titles = ("", "")
        place = self._place()
        if place is not None and place.folder != self._folder:
            self._folder, self._is_newest = place.folder, False
        if place is None or self._services.project_library.project is None:
            return

        def known(history: ShownHistory) -> None:
            now = self._place()
            if now is not None and now.folder == place.folder:
                self._titles = history.undo_title, history.redo_title
                self.read.emit()

        self._edits.history(place.folder, known, lambda _error: None)

    def _move(self, move: Callable[..., None]) -> None:
        place = self._place()
        if place is None:
            return

        def moved(made: MadeEdit) -> None:
            self._show(made.folders[0], place.step)

        def failed(error: Exception) -> None:
            say_refused(self._services, error, place.folder, lambda copy: self._show(copy, place.step))
            self._show(place.folder, place.step)

        move(place.folder, moved, failed)
