"""The recorded trajectories of one task, and what its essential states come to along them."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from collector.judge.evaluation.state_reach import StateReach, reach_of_states
from collector.model.geometry import Rect
from collector.model.i18n import _, ngettext
from collector.model.task import Task
from collector.model.trajectory import Step, TrajectoryHeader
from collector.model.tree import Node
from collector.rules.columns.corpus import Corpus, TrajectoryRef
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.explanation import reason
from collector.rules.evaluation.image_matching import ImageFiles
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import WAYMARK, Rule
from collector.rules.suggest.rule_proposals import RuleProposal, propose_success
from collector.rules.suggest.samples import Sample, Samples, samples_of
from collector.rules.suggest.suggestions import Suggestion, suggest_for_nodes, suggest_for_region
from collector.states.work_files.blindness import may_see_golden, may_see_names
from collector.states.work_files.state_work import StateWork
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.newest_answers import NewestAnswers
from studio.bridge.shown_state import ShownState, read_shown_state

_MOST_SAMPLED = 8
"""Trajectories whose screens suggestions are compared with, golden ones first."""


@dataclass(frozen=True, slots=True, eq=False)
class TaskTrajectory:
    """A recorded trajectory of the task."""

    stored: StoredTrajectory
    ref: TrajectoryRef
    """Its title is as in ``golden-1``."""

    @property
    def id(self) -> str:
        return self.stored.header.id

    @property
    def title(self) -> str:
        return self.ref.title

    @property
    def header(self) -> TrajectoryHeader:
        return self.stored.header

    @property
    def folder(self) -> Path:
        return self.stored.folder

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.stored.steps

    @property
    def is_golden(self) -> bool:
        return self.header.is_golden


@dataclass(frozen=True, slots=True, eq=False)
class LoadedTask:
    """What a task has recorded. The corpus is for one thread at a time."""

    task_id: str
    trajectories: tuple[TaskTrajectory, ...]
    hidden: tuple[str, ...]
    """Why golden trajectories of others are not shown yet, a sentence for each of them."""
    shows_names: bool
    """Whether the person may see who recorded the golden trajectories."""
    corpus: Corpus
    images: ImageFiles


@dataclass(frozen=True, slots=True)
class StateOnScreen:
    """What a state comes to on the screen on show."""

    state: Rule
    shown: ShownState
    proof: Proof


@dataclass(frozen=True, slots=True)
class StateAtStep:
    """What a state comes to at a step it was dropped on, and conditions that hold there and not before."""

    state: Rule
    index: int
    proof: Proof
    view: StateView
    proposals: tuple[RuleProposal, ...]


Reach = Mapping[str, Mapping[str, StateReach]]
"""By id of a trajectory, then by id of a state."""


class TaskRecordings(QObject):
    """Owns the recordings of the chosen task. Every answer arrives by signal on the GUI thread."""

    loaded = Signal(object)
    """The :class:`LoadedTask`, or None while there is none."""
    reached = Signal(object)
    """The :data:`Reach` of the states that were asked for."""
    shown = Signal(object)
    """A :class:`ShownState` that was asked for."""
    explained = Signal(object)
    """A :class:`StateOnScreen`."""
    suggested = Signal(object)
    """A list of :class:`Suggestion`."""
    tried = Signal(object)
    """A :class:`StateAtStep`."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._answers = NewestAnswers(runner, self)
        self._answers.failed.connect(self.failed)
        self._corpus_in_use = threading.Lock()
        self._task: LoadedTask | None = None
        self._samples: tuple[LoadedTask | None, list[Sample]] = (None, [])
        self.semantics = WAYMARK
        self._reach: Reach = {}

    @property
    def trajectories(self) -> tuple[TaskTrajectory, ...]:
        """Golden trajectories first; empty until they are read."""
        return self._task.trajectories if self._task is not None else ()

    # -- asking --------------------------------------------------------------
    @property
    def shows_names(self) -> bool:
        """Whether the person may see who recorded the golden trajectories."""
        return self._task is None or self._task.shows_names

    @property
    def hidden(self) -> tuple[str, ...]:
        """Why golden trajectories of others are not shown yet, a sentence for each of them."""
        return self._task.hidden if self._task is not None else ()

    def load(self, project: Project | None, task: Task | None, person: str) -> None:
        """Read the recordings of a task that ``person`` may see; ``loaded`` follows. None forgets them."""
        if project is None or task is None:
            self.close()
            self.loaded.emit(None)
            return
        self.semantics = project.semantics

        def work(_job: Job) -> LoadedTask:
            return _read_task(project, task, person)

        self._answers.ask("load", work, self._take)

    def reach(self, states: Sequence[Rule], trajectories: Sequence[TaskTrajectory]) -> None:
        """Find out where the states are reached along some trajectories; ``reached`` follows."""
        loaded = self._task
        if loaded is None:
            return
        wanted = [(item.id, loaded.trajectories.index(item)) for item in trajectories]

        def work(job: Job) -> Reach | None:
            found: dict[str, Mapping[str, StateReach]] = {}
            for trajectory_id, number in wanted:
                if job.cancelled:
                    return None
                with self._corpus_in_use:
                    views = (loaded.corpus.view(at) for at in loaded.corpus.positions_of(number))
                    steps = loaded.corpus.steps_of(number)
                    found[trajectory_id] = reach_of_states(
                        states, views, self.semantics, loaded.images, steps
                    )
            return found

        self._answers.ask("reach", work, self._take_reach)

    def show(self, trajectory: TaskTrajectory, index: int) -> None:
        """Read a screen of a trajectory; ``shown`` follows."""
        loaded, position = self._task, self._position(trajectory, index)
        if loaded is None or position is None:
            return
        before = self._reached_before(trajectory, index)

        def work(_job: Job) -> ShownState:
            with self._corpus_in_use:
                loaded.corpus.view(position).reached = before
                return read_shown_state(loaded.corpus, position)

        self._answers.ask("show", work, self.shown.emit)

    def explain(self, state: Rule, trajectory: TaskTrajectory, index: int) -> None:
        """Explain a state on a screen of a trajectory; ``explained`` follows."""
        loaded, position = self._task, self._position(trajectory, index)
        if loaded is None or position is None:
            return
        before = self._reached_before(trajectory, index)

        def work(_job: Job) -> StateOnScreen:
            with self._corpus_in_use:
                view = loaded.corpus.view(position)
                view.reached = before
                proof = evaluate(state, view, self.semantics, loaded.images)
                shown = read_shown_state(loaded.corpus, position)
                for clause in proof.leaves():  # what it comes nearest to is kept with the view
                    reason(clause, shown.view)
                return StateOnScreen(state, shown, proof)

        self._answers.ask("explain", work, self.explained.emit)

    def try_at(self, state: Rule, trajectory: TaskTrajectory, index: int) -> None:
        """Find out whether a state holds at a step, and what would make it hold there; ``tried`` follows.

        Conditions that hold at the step and on no screen before it are proposed, first those that hold where
        the other golden trajectories reach the state.
        """
        loaded, position = self._task, self._position(trajectory, index)
        if loaded is None or position is None:
            return
        before = self._reached_before(trajectory, index)
        elsewhere = {
            item.id: self._reach.get(item.id, {}).get(state.id)
            for item in loaded.trajectories
            if item.is_golden and item is not trajectory
        }

        def work(_job: Job) -> StateAtStep:
            with self._corpus_in_use:
                view = loaded.corpus.view(position)
                view.reached = before
                proof = evaluate(state, view, self.semantics, loaded.images)
                samples = self._samples_of(loaded)
                own = [item for item in samples if item.trajectory == trajectory.id and item.index <= index]
                ends = [
                    item
                    for item in samples
                    if (reach := elsewhere.get(item.trajectory)) is not None and reach.reached == item.index
                ]
                proposals = propose_success(own, state.id, ends) if own else []
                offered = tuple(_for_state(proposal, index, ends) for proposal in proposals)
                return StateAtStep(state, index, proof, view, offered)

        self._answers.ask("try", work, self.tried.emit)

    def suggest(
        self, view: StateView, nodes: Sequence[Node], trajectory: str = "", region: Rect | None = None
    ) -> None:
        """Suggest conditions for nodes, or for a region, of the screen ``view``; ``suggested`` follows."""
        loaded = self._task

        def work(_job: Job) -> list[Suggestion]:
            with self._corpus_in_use:
                everything = self._samples_of(loaded) if loaded is not None else []
                images = loaded.images if loaded is not None else None
                samples = Samples(view, everything, trajectory, images)
                if region is not None:
                    return suggest_for_region(region, nodes, samples)
                return suggest_for_nodes(nodes, samples)

        self._answers.ask("suggest", work, self.suggested.emit)

    def close(self) -> None:
        """Cancel all requests and forget what was read."""
        self._answers.forget()
        self._task, self._reach, self._samples = None, {}, (None, [])

    # -- answering -----------------------------------------------------------
    def _take(self, loaded: LoadedTask) -> None:
        self._task, self._reach = loaded, {}
        self.loaded.emit(loaded)

    def _take_reach(self, reach: Reach) -> None:
        self._reach = reach
        self.reached.emit(reach)

    def _position(self, trajectory: TaskTrajectory, index: int) -> int | None:
        if self._task is None or trajectory not in self._task.trajectories:
            return None
        positions = self._task.corpus.positions_of(self._task.trajectories.index(trajectory))
        return positions[index] if 0 <= index < len(positions) else None

    def _reached_before(self, trajectory: TaskTrajectory, index: int) -> frozenset[str]:
        """The states that are reached on a screen of a trajectory or before it, as far as that is known."""
        reach = self._reach.get(trajectory.id, {})
        return frozenset(
            name for name, where in reach.items() if where.reached is not None and where.reached <= index
        )

    def _samples_of(self, loaded: LoadedTask) -> list[Sample]:
        """The screens that suggestions are compared with, kept for the next request."""
        if self._samples[0] is not loaded:
            known = {item.id for item in loaded.trajectories[:_MOST_SAMPLED]}
            few = Corpus([item.stored for item in loaded.trajectories if item.id in known])
            self._samples = (loaded, samples_of(few))
        return self._samples[1]


def _read_task(project: Project, task: Task, person: str) -> LoadedTask:
    work = StateWork(project).of_task(task.id)
    every = list(project.open_trajectories(task_id=task.id))
    permissions = [may_see_golden(work, person, item.header) for item in every]
    stored = [item for item, permission in zip(every, permissions, strict=True) if permission.is_allowed]
    # Golden trajectories first; the order within them, what is unfinished and runs stays.
    stored.sort(key=lambda item: (not item.header.is_golden, item.header.is_run))
    corpus = Corpus(stored, tasks=[task])
    trajectories = tuple(
        TaskTrajectory(item, ref) for item, ref in zip(stored, corpus.trajectories, strict=True)
    )
    hidden = tuple(permission.reason for permission in permissions if not permission.is_allowed)
    shows_names = may_see_names(work, person).is_allowed
    return LoadedTask(task.id, trajectories, hidden, shows_names, corpus, ImageFiles(project.folder))


def _for_state(proposal: RuleProposal, index: int, ends: Sequence[Sample]) -> RuleProposal:
    """A proposal with the reason why it fits a state that is reached at the screen ``index``."""
    reason = ngettext(
        "Holds at this step and not on the one screen before it",
        "Holds at this step and on none of the {count} screens before it",
        index,
    )
    if ends:
        held = sum(evaluate(proposal.rule, end.view).holds for end in ends)
        reason = _(
            "{reason}; also where {count} of {total} other golden trajectories reach the state",
            reason=reason, count=held, total=len(ends),
        )  # fmt: skip
    return replace(proposal, reason=reason)
