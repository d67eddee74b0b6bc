"""The votes of all judges on the trajectories of the project, read behind the window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from collector.judge.votes.project_votes import ProjectVotes, read_votes
from collector.review.reviewing import Reviewing
from collector.store.project.project import Project
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.newest_answers import NewestAnswers


class VoteReader(QObject):
    """Reads when it is asked to; ``votes`` is what was read last."""

    changed = Signal()
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._answers = NewestAnswers(runner, self)
        self._answers.failed.connect(self.failed)
        self.votes = ProjectVotes()
        self.hidden: frozenset[Path] = frozenset()
        """Trajectories of which the person may not see the votes of others."""

    def read(self, project: Project | None, who: str) -> None:
        """Read the votes of a project, as ``who`` may see them; ``changed`` follows. None forgets all."""
        if project is None:
            self._answers.forget()
            self._take((ProjectVotes(), frozenset()))
            return

        def work(job: Job) -> tuple[ProjectVotes, frozenset[Path]] | None:
            votes = read_votes(project, is_cancelled=lambda: job.cancelled)
            if job.cancelled:
                return None
            folders = (subject.folder for subject in votes.subjects if subject.folder is not None)
            return votes, Reviewing(project, who).hidden_among(folders)

        self._answers.ask("votes", work, self._take)

    def _take(self, read: tuple[ProjectVotes, frozenset[Path]]) -> None:
        self.votes, self.hidden = read
        self.changed.emit()

    def close(self) -> None:
        """Cancel what is being read."""
        self._answers.forget()
