"""What a judge by models asked about a trajectory, read behind the window from the kept answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from studio.bridge.jobs import Job, JobRunner
from studio.bridge.newest_answers import NewestAnswers
from studio.bridge.pictures import image_or_null

if TYPE_CHECKING:
    from collector.model_judges.asked_questions import AskedQuestion
    from collector.store.project.project import Project


@dataclass(frozen=True, slots=True)
class AskedTrajectory:
    """The questions about one trajectory that were answered."""

    folder: Path
    judge: str
    questions: tuple[AskedQuestion, ...] = ()
    is_hidden: bool = False
    """Whether the person has to submit an own review first."""


@dataclass(frozen=True, slots=True, eq=False)
class SentQuestion:
    """One question as it was sent."""

    asked: AskedQuestion
    words: str
    pictures: tuple[QImage, ...]


class AskedWindows(QObject):
    """Reads when it is asked to. GUI thread only."""

    changed = Signal()
    """:attr:`asked` is another."""
    composed = Signal(object)
    """A :class:`SentQuestion`."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._answers = NewestAnswers(runner, self)
        self._answers.failed.connect(self.failed)
        self.asked: AskedTrajectory | None = None
        """What was read last; None while nothing is chosen."""

    def read(self, project: Project | None, folder: Path | None, judge: str, who: str) -> None:
        """Read what a judge asked about a trajectory, as ``who`` may see it; ``changed`` follows."""
        if project is None or folder is None or not judge:
            self._answers.forget()
            self._take(None)
            return

        if self.asked is not None and (self.asked.folder, self.asked.judge) != (folder, judge):
            self._take(None)

        def work(job: Job) -> AskedTrajectory:
            return _read(project, folder, judge, who, job)

        self._answers.ask("questions", work, self._take)

    def _take(self, asked: AskedTrajectory | None) -> None:
        self.asked = asked
        self.changed.emit()

    def compose(self, asked: AskedQuestion) -> None:
        """Compose a question as it was sent; ``composed`` follows."""

        def work(_job: Job) -> SentQuestion:
            from collector.model_judges.asked_questions import sent_parts

            parts = sent_parts(asked.question)
            return SentQuestion(asked, parts.words, tuple(map(image_or_null, parts.pictures)))

        self._answers.ask("compose", work, self.composed.emit)


def _read(project: Project, folder: Path, name: str, who: str, job: Job) -> AskedTrajectory:
    from collector.model_judges.asked_questions import asked_questions
    from collector.model_judges.judge_files import named_model_judge
    from collector.project_rules.project_rules import ProjectRules
    from collector.review.reviewing import Reviewing

    if who.strip() and folder in Reviewing(project, who).hidden_among([folder]):
        return AskedTrajectory(folder, name, is_hidden=True)
    judge = named_model_judge(name, project, sends=False)
    questions = asked_questions(ProjectRules(project), folder, judge, lambda: job.cancelled)
    return AskedTrajectory(folder, name, tuple(questions))
