"""The essential states that the person marked in the open trajectory: read, moved with the steps, changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.essential_state import EssentialState
from collector.model.message import _
from collector.model.task import Task
from collector.model.trajectory import Step
from collector.model.verdicts.judgement import UNNAMED
from collector.review.review_edit import ReviewEdit
from collector.review.reviewing import Reviewing
from collector.store.project.project import Project
from collector.store.trajectory.achieved_states import (
    AchievedState,
    move_with_screen,
    screens_of,
    state_names,
    with_state_ids,
)
from collector.store.trajectory.reviews.labels import Labels, read_labels
from studio.bridge import JobRunner
from studio.bridge.jobs import Job, JobQueue

_Act = Callable[[Reviewing, Path], ReviewEdit | None]


class AchievedStates(QObject):
    """Follows one trajectory. Files are read and written in the serial executor of ``runner``.

    ``project`` gives the open project. ``before_save`` is called before marks are written, in that executor:
    they name states, which have to be on the disk.
    """

    changed = Signal()
    saved = Signal(object)
    """The folder of a trajectory whose marks were written."""
    failed = Signal(object)

    def __init__(
        self, runner: JobRunner, project: Callable[[], Project | None], before_save: Callable[[], None],
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._runner, self._project, self._before_save = runner, project, before_save
        self._states: Mapping[str, EssentialState] = {}
        self._names: Mapping[str, str] = {}
        self._folder: Path | None = None
        self._who = ""
        self._marks: tuple[AchievedState, ...] = ()
        self._screens: tuple[str, ...] = ()

    @property
    def reached(self) -> tuple[AchievedState, ...]:
        """The marks whose step exists, by step."""
        return tuple(sorted((mark for mark in self._marks if mark.has_step), key=lambda mark: mark.step))

    def show_states(self, task: Task | None, states: Mapping[str, EssentialState]) -> None:
        """Name the marks by the essential states of their task, which is None when it is not known."""
        names = state_names(task, states) if task is not None else {}
        if (names, states) != (self._names, self._states):
            self._states, self._names = states, names
            self._marks = with_state_ids(self._marks, names)
            self.changed.emit()

    def open(self, folder: Path | None, who: str) -> None:
        """Follow the marks of ``who`` in another trajectory; None follows nothing."""
        self._folder, self._who = folder, who or UNNAMED
        self._marks, self._screens = (), ()
        self.changed.emit()
        self.reload()

    @Slot()
    def reload(self) -> None:
        """Read the marks again."""
        folder, name = self._folder, self._who
        if folder is not None:
            self._runner.run(
                lambda _job: (folder, read_labels(folder, name).reached),
                success=self._read,
                queue=JobQueue.STORE,
            )

    @Slot(object)
    def _read(self, result: tuple[Path, tuple[AchievedState, ...]]) -> None:
        folder, marks = result
        if folder == self._folder:
            moved = [move_with_screen(mark, self._screens, ()) for mark in marks]
            self._marks = with_state_ids(moved, self._names)
            self.changed.emit()

    def follow(self, steps: Sequence[Step]) -> None:
        """Move each mark with its screen to the steps as they are now."""
        before, self._screens = self._screens, screens_of(steps)
        shown, screens = self.reached, self._screens
        self._marks = tuple(move_with_screen(mark, screens, before) for mark in self._marks)
        if self.reached == shown:
            return
        known = {mark.name for mark in shown}
        back = tuple(mark for mark in self.reached if mark.name not in known)
        self._do(
            lambda reviewing, folder: reviewing.move_labels(
                folder, lambda labels: _moved(labels, screens, before, back)
            )
        )
        self.changed.emit()

    def toggle(self, step: int, state: str) -> None:
        """Mark a step as reaching ``state``, or remove that mark."""
        if self._folder is None:
            return
        others = tuple(mark for mark in self._marks if mark.state != state)
        is_marked = any((mark.step, mark.state) == (step, state) for mark in self._marks)
        screen = "".join(self._screens[step : step + 1])
        self._marks = others if is_marked else (*others, AchievedState(step, state, screen))
        self.changed.emit()

        def change(labels: Labels) -> Labels:
            return labels.without(state) if is_marked else labels.with_reached(state, step, screen)

        title = _("mark {state}", state=state)
        self._do(lambda reviewing, folder: reviewing.label(folder, title, change))

    def _do(self, act: _Act) -> None:
        folder, who, project = self._folder, self._who, self._project()
        if folder is None or project is None:
            return

        def work(_job: Job) -> Path:
            self._before_save()
            act(Reviewing(project, who), folder)
            return folder

        self._runner.run(
            work, success=self.saved.emit, failure=self._not_saved, queue=JobQueue.STORE, saves=True
        )

    @Slot(object)
    def _not_saved(self, error: Exception) -> None:
        """Say why, and show what the disk has."""
        self.failed.emit(error)
        self.reload()


def _moved(
    labels: Labels, screens: Sequence[str], before: Sequence[str], back: Sequence[AchievedState]
) -> Labels:
    """The labels of the disk at the steps of their screens, with the marks whose step came ``back``."""
    moved = (move_with_screen(mark, screens, before) for mark in labels.reached)
    kept = [mark for mark in moved if mark.has_step]
    known = {*(mark.name for mark in labels.reached), *labels.missed}
    return replace(labels, reached=(*kept, *(mark for mark in back if mark.name not in known)))
