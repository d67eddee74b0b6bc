"""Open trajectories for Review and align them, behind the window."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.comparison.alignment.aligned import AlignedTrajectories, align_stored, side_by_side
from collector.comparison.alignment.reading import ScreenCache
from collector.comparison.alignment.trajectory_alignment import MOST
from collector.model.errors import UserError
from collector.store.catalogue.companions import companions_of
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.newest_answers import NewestAnswers
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.trajectories.project_trajectories import ProjectTrajectories


class AlignedTrajectoriesReader(QObject):
    """Of several requests the newest is answered. GUI thread only."""

    opened = Signal(object)
    """The :class:`AlignedTrajectories` by the numbers of their steps, as soon as the steps are read."""
    aligned = Signal(object)
    """The :class:`AlignedTrajectories` that were opened, aligned."""
    companions_found = Signal(object)
    """A trajectory behind what it is compared with, by the numbers of their steps."""
    failed = Signal(object)
    """Trajectories could not be opened, with this error."""
    alignment_failed = Signal(object)
    """Trajectories could not be aligned, with this error."""

    def __init__(
        self, runner: JobRunner, library: ProjectLibrary, trajectories: ProjectTrajectories, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._library, self._trajectories = library, trajectories
        self._screens = ScreenCache()
        self._answers = NewestAnswers(runner, self)
        self._answers.failed.connect(self.failed)
        self._alignments = NewestAnswers(runner, self)
        self._alignments.failed.connect(self.alignment_failed)

    def open(self, folders: Sequence[Path], *, with_companions: bool = False) -> None:
        """Read trajectories; with companions those before the first that it is compared with."""
        trajectories, project = self._trajectories, self._library.project

        def work(_job: Job) -> AlignedTrajectories:
            stored = [trajectories.open_visible(folder) for folder in folders]
            if with_companions and project is not None:
                stored = [*_companions(trajectories, project, stored), *stored]
            return side_by_side(stored[-MOST:])

        self._answers.ask("open", work, self._opened)

    def add_companions(self, stored: StoredTrajectory) -> None:
        """Look for what a trajectory is compared with; ``companions_found`` follows if there is anything.

        What is being opened meanwhile is still opened.
        """
        trajectories, project = self._trajectories, self._library.project

        def work(_job: Job) -> AlignedTrajectories | None:
            companions = _companions(trajectories, project, [stored]) if project is not None else []
            return side_by_side([*companions, stored]) if companions else None

        self._answers.ask("companions", work, self.companions_found.emit)

    @Slot(object)
    def _opened(self, beside: AlignedTrajectories) -> None:
        self.opened.emit(beside)
        self.align(beside.stored)

    def align(self, stored: Sequence[StoredTrajectory]) -> None:
        """Align trajectories; ``aligned`` or ``alignment_failed`` follows."""
        self._alignments.ask("align", lambda _job: align_stored(stored, self._screens), self.aligned.emit)

    def close(self) -> None:
        """Answer nothing any more."""
        self._answers.forget()
        self._alignments.forget()


def _companions(
    trajectories: ProjectTrajectories, project: Project, stored: Sequence[StoredTrajectory]
) -> list[StoredTrajectory]:
    """The golden trajectory and the baseline of the first one, as far as the person may see and read them."""
    known = {each.folder for each in stored}
    found = []
    for folder in companions_of(project, stored[0].header, stored[0].steps):
        if folder not in known:
            with suppress(UserError):
                found.append(trajectories.open_visible(folder))
    return found
