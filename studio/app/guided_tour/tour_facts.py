"""What has really happened of the guided tour, as the services say it. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from collector.model.task import Task
from collector.model.trajectory import FINISHED
from collector.model.verdicts.judgement import RULE, SUCCESS, TASK, Judgement
from collector.review.trajectory_reviews import read_reviews
from collector.store.project.project import Project
from collector.store.trajectory.reader import read_header


@dataclass(frozen=True, slots=True)
class JudgedRecording:
    """The newest finished recording of the tour's project, and what the rules say of it."""

    folder: Path
    judgement: Judgement | None

    @property
    def is_success(self) -> bool:
        """Whether the rules call the task done."""
        return self.judgement is not None and self.judgement.verdict == SUCCESS


@dataclass(frozen=True, slots=True)
class TourFacts:
    """The state of the window that the steps of the tour are about."""

    project: str = ""
    """Name of the tour's project, while it is open."""
    phone: bool = False
    """Whether the virtual phone is in use and live: the tour's task is about its apps."""
    own_phone: str = ""
    """Name of a phone of one's own that is in use; empty for none."""
    task: Task | None = None
    """The first task of the project that is judged without a person."""
    is_recording: bool = False
    steps: int = 0
    """Steps of the recording so far."""
    is_done: bool = False
    """Whether the rules call the task done on the screen of now."""
    recorded: JudgedRecording | None = None
    is_read: bool = False
    """Whether the person went on from the verdict."""


def judged_task(tasks: Sequence[Task]) -> Task | None:
    """The first task that says by a target or a success rule when it is done."""
    return next((task for task in tasks if task.target is not None or task.rule_key), None)


def newest_recording(project: Project) -> JudgedRecording | None:
    """The finished recording of a person that is the newest. Waits for the disk. Raises StoreError."""
    found = [(read_header(folder), folder) for folder in project.trajectory_folders()]
    finished = [
        (head.finished, folder) for head, folder in found if head.status == FINISHED and not head.is_run
    ]
    if not finished:
        return None
    folder = max(finished)[1]
    judgements = read_reviews(folder).judgements
    of_task = (item for item in judgements if item.kind == RULE and item.subject.kind == TASK)
    return JudgedRecording(folder, next(of_task, None))
