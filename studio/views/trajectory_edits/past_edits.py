"""Undo and redo of what was edited before a trajectory was opened, as before a restart."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from studio.bridge.trajectories.trajectory_edits import ShownHistory, TrajectoryEdits
from studio.bridge.while_alive import while_alive
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
        self._made: dt.datetime | None = None
        """When the edit was made that can be undone."""
        self._is_reading = False
        """Whether nobody knows yet what can be undone in the open trajectory."""
        self._moved_last = False
        """Whether an edit of the trajectory was undone or redone after all of the project's."""
        services.project_library.history_changed.connect(self._project_edited)

    @Slot()
    def _project_edited(self) -> None:
        self._moved_last = False

    @property
    def source(self) -> UndoSource:
        """The newest edits of the open trajectory, whenever they were made."""
        return UndoSource(
            *self._titles, partial(self._move, self._edits.undo), partial(self._move, self._edits.redo),
            made=self._made,
        )  # fmt: skip

    def with_those_of(self, of_project: UndoSource) -> UndoSource:
        """The edits of the trajectory and of its project: undo takes the newest of both back.

        While those of the trajectory are read, nothing can be undone: an older one of the project would be.
        """
        own = self.source
        if self._is_reading:
            return own
        # Of a journal that does not say when, nothing was made since the project was opened.
        is_own = own.made is not None and (of_project.made is None or own.made > of_project.made)
        undoes = own if own.undo_title and (is_own or not of_project.undo_title) else of_project
        redoes = own if own.redo_title and (self._moved_last or not of_project.redo_title) else of_project
        return replace(
            of_project, undo_title=undoes.undo_title, undo=undoes.undo, redo_title=redoes.redo_title,
            redo=redoes.redo, made=undoes.made,
        )  # fmt: skip

    def follow(self) -> None:
        """Read the edits of the trajectory that was opened."""
        self._titles, self._made, self._is_reading = ("", ""), None, False
        place = self._place()
        if place is not None and place.folder != self._folder:
            self._folder, self._moved_last = place.folder, False
        if place is None or self._services.project_library.project is None:
            return

        def known(history: ShownHistory | None) -> None:
            now = self._place()
            if now is None or now.folder != place.folder:
                return
            self._is_reading = False
            if history is not None:
                self._titles, self._made = (history.undo_title, history.redo_title), history.made
            self.read.emit()

        self._is_reading = True
        self._edits.history(
            place.folder, while_alive(self, known), while_alive(self, lambda _error: known(None))
        )

    def _move(self, move: Callable[..., None]) -> None:
        place = self._place()
        if place is None:
            return

        def moved(made: MadeEdit) -> None:
            self._show(made.folders[0], place.step)

        def failed(error: Exception) -> None:
            say_refused(self._services, error, place.folder, lambda copy: self._show(copy, place.step))
            self._show(place.folder, place.step)

        self._moved_last = True
        move(place.folder, while_alive(self, moved), while_alive(self, failed))
