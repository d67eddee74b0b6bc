"""The votes of all judges on the trajectories of the project, read behind the window."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from collector.judge.project_votes import ProjectVotes, read_votes
from collector.store.project import Project
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

    def read(self, project: Project | None) -> None:
        """Read the votes of a project; ``changed`` follows. None forgets what was read."""
        if project is None:
            self._answers.forget()
            self._take(ProjectVotes())
            return

        def work(job: Job) -> ProjectVotes | None:
            votes = read_votes(project, is_cancelled=lambda: job.cancelled)
            return None if job.cancelled else votes

        self._answers.ask("votes", work, self._take)

    def _take(self, votes: ProjectVotes) -> None:
        self.votes = votes
        self.changed.emit()

    def close(self) -> None:
        """Cancel what is being read."""
        self._answers.forget()
