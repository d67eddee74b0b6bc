"""The essential states marked in the open trajectory: read, moved with the steps, changed and saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.judge.person_judge import UNNAMED
from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.model.trajectory import Step
from collector.store.achieved_states import (
    AchievedState,
    move_with_screen,
    read_achieved_states,
    screens_of,
    state_names,
    with_state_ids,
    write_achieved_states,
)
from studio.bridge import JobRunner
from studio.bridge.jobs import Job, JobQueue


class AchievedStates(QObject):
    """Follows one trajectory. Files are read and written in the serial executor of ``runner``.

    ``before_save`` is called there before marks are written: they name states, which have to be on the disk.
    """

    changed = Signal()
    saved = Signal(object)
    """The folder of a trajectory whose marks were written."""

    def __init__(
        self, runner: JobRunner, before_save: Callable[[], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runner, self._before_save = runner, before_save
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
                lambda _job: (folder, read_achieved_states(folder, name)),
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
        shown = self.reached
        self._marks = tuple(move_with_screen(mark, self._screens, before) for mark in self._marks)
        if self.reached != shown:
            self._save()
            self.changed.emit()

    def toggle(self, step: int, state: str) -> None:
        """Mark a step as reaching ``state``, or remove that mark."""
        if self._folder is None:
            return
        others = tuple(mark for mark in self._marks if mark.state != state)
        is_marked = any((mark.step, mark.state) == (step, state) for mark in self._marks)
        mark = AchievedState(step, state, "".join(self._screens[step : step + 1]))
        self._marks = others if is_marked else (*others, mark)
        self.changed.emit()
        self._save()

    def _save(self) -> None:
        folder, who, marks = self._folder, self._who, self.reached
        if folder is not None:

            def work(_job: Job) -> Path:
                self._before_save()
                write_achieved_states(folder, who, marks)
                return folder

            self._runner.run(work, success=self.saved.emit, queue=JobQueue.STORE, saves=True)
