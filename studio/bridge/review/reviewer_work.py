"""The work of the person as a reviewer: what is known of open trajectories, acts with undo, queues."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.comparison.steps.app_changes import AppChange, app_changes
from collector.judge.risk_moments import KnownRisks, RiskMoment
from collector.judge.target_events import TargetEvent, target_events
from collector.model.editing.edit_stack import Call, Edit, EditStack
from collector.model.verdicts.failure_reason import FailureReason
from collector.model.verdicts.judgement import REACHED, STATE, UNNAMED, Judgement
from collector.model.verdicts.review import ReviewBookmark
from collector.review.next_review import take_next
from collector.review.project_reviews import ProjectReviews, project_reviews
from collector.review.queue import ReviewOrder
from collector.review.queued_trajectories import QueuedTrajectory, queued_trajectories, queued_trajectory
from collector.review.review_edit import ReviewEdit
from collector.review.reviewing import Reviewing
from collector.review.trajectory_reviews import TrajectoryReviews
from collector.store.catalogue.catalogue import Catalogue
from collector.store.files.errors import Damaged
from collector.store.project.project import Project
from collector.store.trajectory.achieved_states import screens_of
from collector.store.trajectory.fingerprint import UNKNOWN
from collector.store.trajectory.planted_orders import order_replies, orders_of_episode
from collector.store.trajectory.reader import StoredTrajectory, read_first_app_data
from collector.store.trajectory.recorded_moments import NO_MOMENTS, RecordedMoments, moments_of
from collector.store.trajectory.reviews.label_judgements import judgements_that_count
from collector.store.trajectory.reviews.labels import read_all_labels
from collector.store.trajectory.reviews.review_records import placed_bookmarks
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.newest_answers import NewestAnswers
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.while_alive import call_back, while_alive

Act = Callable[[Reviewing], ReviewEdit | None]
"""What a person does; None when it changes nothing."""


@dataclass(frozen=True, slots=True)
class SideVerdicts:
    """What the person may know of one open trajectory."""

    judgements: tuple[Judgement, ...] = ()
    """Those that count: the newest of each judge on each subject, and people's labels as judgements."""
    moments: RecordedMoments = NO_MOMENTS
    """What happened between its steps."""
    reviews: TrajectoryReviews | None = None
    """None for a trajectory that nobody can review here: one outside of the project, or in a zip file."""
    bookmarks: Mapping[int, ReviewBookmark] = field(default_factory=dict)
    """The person's own, by step."""
    outcome: str = ""
    """The verdict of the run itself; empty for a golden trajectory, and while the person may not see it."""
    target: tuple[TargetEvent, ...] = ()
    """What became of the target of its task."""
    changes: tuple[AppChange, ...] = ()
    """What became other in the data of apps, by step."""
    risks: tuple[RiskMoment, ...] = ()
    """The moments at which its agent should have stopped or asked."""
    stale: tuple[str, ...] = ()
    """Parts of what made a run that are others now: ids of a stored episode's fingerprint."""
    misled: tuple[tuple[str, int], ...] = ()
    """Orders of the run's variation that the agent carried out, each with the step from 0."""

    def reached_at(self, state: str) -> int | None:
        """The first step at which any judge saw an essential state; None when none did."""
        steps = [
            judgement.subject.last or 0
            for judgement in self.judgements
            if (judgement.subject.kind, judgement.subject.state) == (STATE, state)
            and judgement.verdict == REACHED
        ]
        return min(steps, default=None)


class ReviewerWork(QObject):
    """Acts run one after the other in the queue of the store. GUI thread only."""

    sides_changed = Signal()
    """:attr:`sides` are others."""
    acted = Signal(object)
    """The :class:`ReviewEdit` of an act that is on the disk."""
    history_changed = Signal()
    taken = Signal(object)
    """The :class:`QueuedTrajectory` that is next in the queue; None when nothing is left."""
    waiting_changed = Signal()
    """:attr:`waiting` are others."""
    progress_changed = Signal()
    """:attr:`progress` is another."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, library: ProjectLibrary, parent: QObject) -> None:
        super().__init__(parent)
        self._runner, self._library = runner, library
        self._answers = NewestAnswers(runner, self)
        self._answers.failed.connect(self.failed)
        self._reviewing: Reviewing | None = None
        """Belongs to the jobs: it is built by the first."""
        self.history = EditStack()
        """The acts of the person that can be undone."""
        self.history.changed.subscribe(lambda _event: self.history_changed.emit())
        self._stored: tuple[StoredTrajectory, ...] = ()
        self.sides: tuple[SideVerdicts, ...] = ()
        self.waiting: tuple[QueuedTrajectory, ...] = ()
        """The first that wait in the queue that was asked for last."""
        self.progress: ProjectReviews | None = None
        """The statuses of the project and its queues; None until they were read."""

    # -- who works -----------------------------------------------------------
    @property
    def person(self) -> str:
        """Who reviews."""
        return self._library.person or UNNAMED

    @property
    def reasons(self) -> tuple[FailureReason, ...]:
        """The reasons of the project."""
        project = self._library.project
        return tuple(project.reasons) if project is not None else ()

    def forget(self) -> None:
        """Another project is open, or another person works: nothing can be undone any more."""
        self._answers.forget()
        self._reviewing = None
        self.history.clear()
        self.progress, self.waiting = None, ()
        self.progress_changed.emit()

    def _worker(self) -> Callable[[], Reviewing]:
        """Build or reuse the value that reviews, for a job."""
        project, person = self._library.project, self.person

        def reviewing() -> Reviewing:
            known = self._reviewing
            if known is None or known.project is not project or known.who != person:
                assert isinstance(project, Project)
                known = self._reviewing = Reviewing(project, person)
            return known

        return reviewing

    # -- what is known -------------------------------------------------------
    def read(self, stored: Sequence[StoredTrajectory]) -> None:
        """Follow other trajectories; until they are read there is nothing of those that were not open."""
        known = {each.folder: side for each, side in zip(self._stored, self.sides, strict=False)}
        self._stored = tuple(stored)
        self.sides = tuple(known.get(each.folder, SideVerdicts()) for each in stored)
        self.sides_changed.emit()
        self.read_again()

    @Slot()
    def read_again(self) -> None:
        """Read the files again, and keep what is shown until then."""
        stored, reviewing = self._stored, self._worker()
        is_open = self._library.project is not None
        if not stored:
            return

        def work(_job: Job) -> tuple[SideVerdicts, ...]:
            return tuple(_side(each, reviewing() if is_open else None) for each in stored)

        self._answers.ask("sides", work, self._sides_read, queue=JobQueue.STORE)

    @Slot(object)
    def _sides_read(self, sides: tuple[SideVerdicts, ...]) -> None:
        if sides != self.sides:
            self.sides = sides
            self.sides_changed.emit()

    def read_progress(self) -> None:
        """Count the queues again."""
        if self._library.project is not None:
            reviewing = self._worker()
            self._answers.ask(
                "progress", lambda _job: project_reviews(reviewing()), self._progress_read,
                queue=JobQueue.INDEX,
            )  # fmt: skip

    @Slot(object)
    def _progress_read(self, progress: ProjectReviews) -> None:
        self.progress = progress
        self.progress_changed.emit()

    def read_waiting(self, queue: str, order: ReviewOrder, count: int) -> None:
        """Read the first ``count`` trajectories that wait in a queue, by its name."""
        reviewing = self._worker()

        def work(_job: Job) -> tuple[QueuedTrajectory, ...]:
            person = reviewing()
            return tuple(queued_trajectories(person, person.queues.queue(queue), order, count))

        self._answers.ask("waiting", work, self._waiting_read, queue=JobQueue.INDEX)

    @Slot(object)
    def _waiting_read(self, waiting: tuple[QueuedTrajectory, ...]) -> None:
        self.waiting = waiting
        self.waiting_changed.emit()

    # -- acts ----------------------------------------------------------------
    def act(self, act: Act, refused: Callable[[], object] | None = None) -> None:
        """Do something as the reviewer; ``acted`` follows, or a call of ``refused`` and ``failed``."""
        reviewing = self._worker()

        def failed(error: Exception) -> None:
            if refused is not None:
                call_back(refused)
            self.failed.emit(error)

        self._runner.run(
            lambda _job: act(reviewing()), success=self._acted, failure=while_alive(self, failed),
            queue=JobQueue.STORE, saves=True,
        )  # fmt: skip

    @Slot(object)
    def _acted(self, act: ReviewEdit | None) -> None:
        if act is not None:
            self.history.add(self._edit_of(act))
            self._changed(act)

    def take_history(self, history: EditStack) -> None:
        """Go on with what could be undone in the window before."""

        def again(edit: Edit) -> Edit:
            assert isinstance(edit.stands_on, ReviewEdit)
            return self._edit_of(edit.stands_on)

        self.history.take_over(history, again)

    def _edit_of(self, act: ReviewEdit) -> Edit:
        def run(change: Call, made: Call, refused: Call) -> None:
            def done(_nothing: object) -> None:
                made()
                self._changed(act)

            def failed(error: Exception) -> None:
                refused()
                self.failed.emit(error)

            self._runner.run(
                lambda _job: change(), success=while_alive(self, done), failure=while_alive(self, failed),
                queue=JobQueue.STORE, saves=True,
            )  # fmt: skip

        return Edit(act.title, act.undo, act.redo, act, run)

    def _changed(self, act: ReviewEdit) -> None:
        self.read_again()
        self.acted.emit(act)

    # -- queues --------------------------------------------------------------
    def take_next(
        self, queue: str, order: ReviewOrder, after: Path | None = None, wanted: Path | None = None
    ) -> None:  # fmt: skip
        """Take the next trajectory of a queue by its name, ``wanted`` first; ``taken`` follows.

        Nothing is written before all earlier acts are.
        """
        reviewing = self._worker()

        def work(_job: Job) -> tuple[QueuedTrajectory | None]:
            person = reviewing()
            chosen = person.queues.queue(queue)
            folder = take_next(person, chosen, after, order=order, wanted=wanted)
            if folder is None or order is ReviewOrder.NAME:
                return (QueuedTrajectory(folder) if folder is not None else None,)
            return (queued_trajectory(person, chosen, folder),)

        self._runner.run(work, success=self._next_taken, failure=self.failed.emit, queue=JobQueue.STORE)

    @Slot(object)
    def _next_taken(self, answer: tuple[QueuedTrajectory | None]) -> None:
        self.taken.emit(answer[0])

    def close(self) -> None:
        """Answer nothing any more; acts are still written."""
        self._answers.forget()


def _side(stored: StoredTrajectory, reviewing: Reviewing | None) -> SideVerdicts:
    moments = moments_of(stored.events(), stored.steps)
    changes = _changes(stored)
    if reviewing is None or stored.archive is not None:
        counted = judgements_that_count(stored.judgements(), read_all_labels(stored.files).values())
        outcome = stored.header.outcome
        said = outcome.status if outcome is not None else ""
        target, misled = target_events(counted.values()), _obeyed_orders(stored)
        return SideVerdicts(
            tuple(counted.values()),
            moments,
            outcome=said,
            target=target,
            changes=changes,
            risks=_risks(stored, None, counted.values()),
            misled=misled,
        )
    reviews = reviewing.of(stored.folder)
    own = reviews.work_of(reviewing.who).record
    bookmarks = placed_bookmarks(own.bookmarks, screens_of(stored.steps))
    stale = _stale_parts(stored, reviewing.project) if stored.header.is_run else ()
    target, misled = target_events(reviews.judgements), _obeyed_orders(stored)
    return SideVerdicts(
        reviews.judgements,
        moments,
        reviews,
        bookmarks,
        reviews.outcome,
        target,
        changes,
        _risks(stored, reviewing.project, reviews.judgements),
        stale,
        misled,
    )


def _risks(
    stored: StoredTrajectory, project: Project | None, judgements: Iterable[Judgement]
) -> tuple[RiskMoment, ...]:
    if not stored.header.is_run:
        return ()
    return KnownRisks.of(project).moments(stored.trajectory, stored.interruptions(), judgements)


def _changes(stored: StoredTrajectory) -> tuple[AppChange, ...]:
    try:
        return tuple(app_changes(read_first_app_data(stored.files), stored.steps))
    except Damaged:  # the check of the project says it
        return ()


def _obeyed_orders(stored: StoredTrajectory) -> tuple[tuple[str, int], ...]:
    orders = orders_of_episode(stored.header.episode)
    replies = order_replies(orders, stored.steps, stored.tree) if orders else ()
    return tuple((reply.order.id, reply.obeyed_at) for reply in replies if reply.obeyed_at is not None)


def _stale_parts(stored: StoredTrajectory, project: Project) -> tuple[str, ...]:
    """What of a run is another now, as the library noted it with the last look at the files."""
    try:
        folder = stored.folder.resolve().relative_to(project.folder.resolve()).as_posix()
    except ValueError:  # of another project
        return ()
    with Catalogue(project) as catalogue:
        return tuple(part for part in catalogue.staleness().of(folder) if part != UNKNOWN)
