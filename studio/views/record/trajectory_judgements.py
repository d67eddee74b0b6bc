"""The judgements of the open trajectory, read behind the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal, Slot

from collector.model.verdicts.judgement import Judgement
from collector.review.trajectory_reviews import TrajectoryReviews, read_reviews
from collector.store.files import layout
from studio.bridge import Job, JobRunner
from studio.bridge.jobs import JobQueue

_PAUSE_MS = 100
"""Files that are written one after the other are read once."""
ReviewReader = Callable[[Path], TrajectoryReviews]
"""What a person may see of the reviews of a trajectory; called in the serial executor."""


@dataclass(frozen=True, slots=True)
class _Read:
    """What a job found in the folder."""

    folder: Path
    judgements: tuple[Judgement, ...]
    problems: tuple[str, ...]
    watched: tuple[str, ...]
    """Folders in which another program may write judgements."""


class TrajectoryJudgements(QObject):
    """Follows one trajectory. Files are read in the serial executor of ``runner``."""

    changed = Signal()
    failed = Signal(object)

    def __init__(
        self,
        runner: JobRunner,
        parent: QObject | None = None,
        reader: Callable[[], ReviewReader] = lambda: read_reviews,
    ) -> None:
        """``reader`` says, in the GUI thread, how the person who looks now reads reviews."""
        super().__init__(parent)
        self._runner, self._reader = runner, reader
        self._watch = QFileSystemWatcher(self)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._watch.directoryChanged.connect(self._folder_changed)
        self._pause.timeout.connect(self.read)
        self._folder: Path | None = None
        self.judgements: tuple[Judgement, ...] = ()
        """Those that count: the newest of each judge on each subject, and people's labels as judgements."""
        self.problems: tuple[str, ...] = ()
        """One sentence for each line or file that cannot be read."""

    # -- reading -----------------------------------------------------------------
    def open(self, folder: Path | None) -> None:
        """Follow another trajectory; None follows nothing."""
        if folder == self._folder:  # its header changed: another program writes it
            self.read()
            return
        self._folder, self.judgements, self.problems = folder, (), ()
        self._watch_folders(())
        self._pause.stop()
        self.changed.emit()
        self.read()

    @Slot()
    def read(self) -> None:
        """Read the judgements again: another program may have written some."""
        folder, read = self._folder, self._reader()
        if folder is None:
            return

        def job(_job: Job) -> _Read:
            seen = read(folder)
            folders = (folder, folder / layout.JUDGEMENTS, folder / layout.ANNOTATIONS)
            watched = tuple(str(path) for path in folders if path.is_dir())
            return _Read(folder, seen.judgements, seen.problems, watched)

        self._runner.run(job, success=self._done, failure=self.failed.emit, queue=JobQueue.STORE)

    @Slot(object)
    def _done(self, read: _Read) -> None:
        if read.folder != self._folder:
            return
        self._watch_folders(read.watched)
        if (read.judgements, read.problems) != (self.judgements, self.problems):
            self.judgements, self.problems = read.judgements, read.problems
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
