"""The judgements of the open trajectory, read behind the window, and the person's own, with undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal, Slot

from collector.judge.person_judge import judge_as_person
from collector.model.episode_text import verdict_text
from collector.model.i18n import _
from collector.model.judgement import TASK, Judgement, Subject
from collector.store import layout
from collector.store.judgements import add_judgements, read_judgements, remove_judgement
from collector.store.label_judgements import judgements_that_count
from collector.store.labels import read_all_labels
from studio.bridge import Job, JobRunner
from studio.bridge.jobs import JobQueue
from studio.views.undo_source import UndoSource

_PAUSE_MS = 100
"""Files that are written one after the other are read once."""
_Work = Callable[[Path], Judgement | None]
"""Changes the judgements in a folder; returns the one that was given, if any."""


@dataclass(frozen=True, slots=True)
class _Read:
    """What a job found in the folder."""

    folder: Path
    given: Judgement | None
    judgements: tuple[Judgement, ...]
    submitted: frozenset[str]
    problems: tuple[str, ...]
    watched: tuple[str, ...]
    """Folders in which another program may write judgements."""
    is_saved: bool
    """Whether the job wrote something."""


class TrajectoryJudgements(QObject):
    """Follows one trajectory. Files are read and written in the serial executor of ``runner``."""

    changed = Signal()
    history_changed = Signal()
    saved = Signal()
    """A verdict was written or taken back."""
    failed = Signal(object)
    """The error of a verdict that did not reach the disk."""

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._watch = QFileSystemWatcher(self)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._watch.directoryChanged.connect(self._folder_changed)
        self._pause.timeout.connect(self.read)
        self._folder: Path | None = None
        self._given: list[Judgement] = []
        self._taken_back: list[Judgement] = []
        self.judgements: tuple[Judgement, ...] = ()
        """Those that count: the newest of each judge on each subject, and people's labels as judgements."""
        self.submitted: frozenset[str] = frozenset()
        """People who submitted their labels of the trajectory."""
        self.problems: tuple[str, ...] = ()
        """One sentence for each line or file that cannot be read."""

    # -- reading -----------------------------------------------------------------
    def open(self, folder: Path | None) -> None:
        """Follow another trajectory; None follows nothing."""
        if folder == self._folder:  # its header changed: another program writes it
            self.read()
            return
        self._folder, self.judgements, self.problems = folder, (), ()
        self.submitted = frozenset()
        self._given, self._taken_back = [], []
        self._watch_folders(())
        self.changed.emit()
        self.history_changed.emit()
        self.read()

    @Slot()
    def read(self) -> None:
        """Read the judgements again: another program may have written some."""
        self._run(_change_nothing)

    def verdict_of(self, who: str) -> Judgement | None:
        """The verdict of a person on the task; None when there is none."""
        task = Subject(TASK)
        own = (judgement for judgement in self.judgements if judgement.judge == who)
        return next((judgement for judgement in own if judgement.subject == task), None)

    # -- the person's verdict ------------------------------------------------------
    def give(self, who: str, verdict: str, reason: str = "", reason_id: str = "") -> None:
        """Write the verdict of ``who`` on the task."""
        self._run(lambda folder: judge_as_person(folder, who, verdict, reason, reason_id), saves=True)

    @property
    def history(self) -> UndoSource | None:
        """The verdicts given since the trajectory was opened; None when there is none to undo or redo."""
        if not (self._given or self._taken_back):
            return None
        return UndoSource(_title(self._given), _title(self._taken_back), self.undo, self.redo)

    def undo(self) -> None:
        """Take the newest verdict back; the one before it counts again."""
        if self._given:
            judgement = self._given.pop()
            self._taken_back.append(judgement)
            self._run(lambda folder: remove_judgement(folder, judgement), saves=True)
            self.history_changed.emit()

    def redo(self) -> None:
        """Give the verdict again that was taken back last."""
        if self._taken_back:
            judgement = self._taken_back.pop()
            self._given.append(judgement)
            self._run(lambda folder: add_judgements(folder, [judgement]), saves=True)
            self.history_changed.emit()

    def _run(self, work: _Work, *, saves: bool = False) -> None:
        folder = self._folder
        if folder is None:
            return

        def job(_job: Job) -> _Read:
            given = work(folder)
            stored, people = read_judgements(folder), read_all_labels(folder)
            folders = (folder, folder / layout.JUDGEMENTS, folder / layout.ANNOTATIONS)
            watched = tuple(str(path) for path in folders if path.is_dir())
            counted = tuple(judgements_that_count(stored, people.values()).values())
            submitted = frozenset(who for who, labels in people.items() if labels.submitted)
            return _Read(folder, given, counted, submitted, stored.problems, watched, saves)

        self._runner.run(job, success=self._done, failure=self._failed, queue=JobQueue.STORE, saves=saves)

    @Slot(object)
    def _done(self, read: _Read) -> None:
        if read.is_saved:
            self.saved.emit()
        if read.folder != self._folder:
            return
        self._watch_folders(read.watched)
        if read.given is not None:
            self._given.append(read.given)
            self._taken_back.clear()
            self.history_changed.emit()
        now = (read.judgements, read.submitted, read.problems)
        if now != (self.judgements, self.submitted, self.problems):
            self.judgements, self.submitted, self.problems = now
            self.changed.emit()

    @Slot()
    def _folder_changed(self) -> None:
        self._pause.start()

    def _watch_folders(self, folders: Sequence[str]) -> None:
        before = set(self._watch.directories())
        if gone := before - set(folders):
            self._watch.removePaths(list(gone))
        if new := set(folders) - before:
            self._watch.addPaths(list(new))

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        """Forget the undo: it no longer says what is on the disk."""
        self._given, self._taken_back = [], []
        self.history_changed.emit()
        self.failed.emit(error)


def _change_nothing(_folder: Path) -> None:
    """Read alone."""


def _title(judgements: Sequence[Judgement]) -> str:
    """What undo or redo of the newest names; empty without one."""
    return _("verdict {verdict}", verdict=verdict_text(judgements[-1].verdict)) if judgements else ""
