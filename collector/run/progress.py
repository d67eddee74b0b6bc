"""The state of a run, followed from its events: cells, workers, pace and time left.

The bars of the command line and the window show the same :class:`RunProgress`.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from collector.model.i18n import _
from collector.model.message import from_json
from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED
from collector.run.events import (
    ActionPredicted,
    AnomalyChanged,
    ControlChanged,
    EpisodeBegan,
    EpisodeEnded,
    PhaseChanged,
    RunBegan,
    RunChanged,
    RunEnded,
    RunEvent,
    ScreenObserved,
    StatesReached,
    StepDone,
    UserAsked,
    WorkerChanged,
)
from collector.run.experiment.model import Cell, is_offline_cell
from collector.run.pace import RunPace

WAITING, RUNNING, FAULT, UNJUDGED, ANSWERED = "waiting", "running", "fault", "unjudged", "answered"
CELL_STATUSES = (SUCCESS, FAILURE, UNCOMPLETED, UNJUDGED, ANSWERED, FAULT, RUNNING, WAITING)
"""``fault``: every attempt was ended by the infrastructure. ``unjudged``: it ended and no rule judges it.
``answered``: its golden steps were asked offline, and nobody judges whether a task was done."""
FINISHED = frozenset({SUCCESS, FAILURE, UNCOMPLETED, UNJUDGED, ANSWERED})
"""Statuses of cells that a resumed run does not run again."""
LOST = "lost"
"""How a run ended whose runner is gone without a word, and the state of its workers then."""
_MOST_LOGGED, _MOST_LOGS = 2000, 300
"""Events of a cell, and cells whose events are kept, more than run at a time; others have theirs in files."""


def unjudged_status(cell_id: str) -> str:
    """The status of a cell that ended and has no outcome."""
    return ANSWERED if is_offline_cell(cell_id) else UNJUDGED


@dataclass(frozen=True, slots=True)
class CellProgress:
    """What is known of a cell: the attempt that runs, or how the last one ended."""

    id: str
    """``Cell.id``."""
    status: str = WAITING
    """One of :data:`CELL_STATUSES`."""
    trajectory: str = ""
    """Id of the newest attempt's run."""
    reason: str = ""
    early_stop: bool = False
    infrastructure: str = ""
    """The fault that ended the newest attempt."""
    attempt: int = 0
    worker: str = ""
    """Where it runs; empty when it does not."""
    steps: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    stale: tuple[str, ...] = ()
    """Parts of what made its episode that are others now: ids of a stored episode's fingerprint."""

    @property
    def is_finished(self) -> bool:
        """Whether it has an outcome."""
        return self.status in FINISHED


@dataclass(frozen=True, slots=True)
class WorkerProgress:
    """A worker, its phone, and the episode it runs. A later event replaces it whole."""

    name: str
    state: str = ""
    """As :class:`~collector.run.events.WorkerChanged`."""
    phone: str = ""
    serial: str = ""
    host: str = ""
    problem: str = ""
    cell: str = ""
    """``Cell.id`` of its episode; empty between two."""
    task: str = ""
    agent: str = ""
    condition: str = ""
    trajectory: str = ""
    instruction: str = ""
    budget: int = 0
    attempt: int = 0
    step: int = 0
    phase: str = ""
    picture: bytes = b""
    """The newest screen, a JPEG; empty before the first."""
    picture_number: int = 0
    """Counts the pictures."""
    width: int = 0
    """Of the screen, in the pixels of actions."""
    height: int = 0
    package: str = ""
    activity: str = ""
    dialog: tuple[int, int, int, int] | None = None
    """Bounds of the injected dialog on the screen: left, top, right, bottom."""
    thought: str = ""
    action: Mapping[str, Any] = field(default_factory=dict)
    """The predicted action as :func:`collector.model.action.action_to_dict`; empty once it was executed."""
    caption: str = ""
    """The predicted action in words, kept until the next prediction."""
    acts_at: float = 0.0
    """When the action is executed, in seconds since the epoch; 0 when nothing is predicted."""
    anomaly: str = ""
    """Id of the anomaly that was injected last in this episode."""
    transition: str = ""
    """Its newest transition."""
    anomaly_since: float = 0.0
    """When that was, in seconds since the epoch."""
    reached: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    control: str = ""
    """``running``, ``paused``, ``taken_over`` or ``stopping``; empty between two episodes."""
    person: str = ""
    """Who has taken over."""
    question: str = ""
    """What the agent asks its user while a person is to answer; empty when nothing is asked."""
    answer_by: float = 0.0
    """Until when a person may answer, in seconds since the epoch."""
    timings_ms: Mapping[str, int] = field(default_factory=dict)
    """Of the last step."""
    ended: EpisodeEnded | None = None
    """How its last episode ended; None while one runs."""

    @property
    def is_gone(self) -> bool:
        """Whether it runs nothing any more."""
        return self.state in ("gone", "closed", LOST)


class RunProgress:
    """Follows a run. Not safe for several threads: feed it on the thread that reads it."""

    def __init__(self, clock: Callable[[], float] = time.time, *, keeps_cells: bool = True) -> None:
        """``clock`` gives seconds since the epoch, for events without a time and for the time left.

        With ``keeps_cells`` false cells that have their outcome are counted and forgotten, and no cell has a
        log: a terminal shows none, and follows a long run without growing.
        """
        self._clock, self._keeps_cells = clock, keeps_cells
        self.experiment = ""
        self.cells: dict[str, CellProgress] = {}
        """By ``Cell.id``, in the order of the plan; cells that no plan names follow as they begin."""
        self.workers: dict[str, WorkerProgress] = {}
        """By name, in the order they appear."""
        self.how = ""
        """Empty before a run, ``running``, or as :class:`~collector.run.events.RunEnded`."""
        self.state = ""
        """Of a run that goes on: ``running``, ``paused`` or ``stopping``."""
        self.reason = ""
        """Why it ended, or why it is paused though nobody asked for it."""
        self.retries = 0
        """Attempts that a fault ended and that are tried again, in this run."""
        self.ended_at = 0.0
        self._total = self._done = 0
        self._is_planned = False
        self._forgotten: Counter[str] = Counter()
        """Cells that are counted and not kept, by status."""
        self._counted: Counter[str] = Counter()
        """Cells by status, counted as they change: a large experiment has hundreds of thousands."""
        self._changed: set[str] = set()
        self._pace = RunPace()
        self._logs: dict[str, deque[RunEvent]] = {}
        self._paces: dict[str, tuple[int, float]] = {}
        """Agent -> steps and seconds of its finished episodes in this run."""

    # -- what is known -------------------------------------------------------
    @property
    def total(self) -> int:
        """Cells of the run."""
        return max(self._total, len(self.cells) + self._forgotten.total())

    @property
    def finished(self) -> int:
        """Cells that have an outcome, those of earlier runs included."""
        known = sum(self._counted[status] + self._forgotten[status] for status in FINISHED)
        return known if self._is_planned else min(self.total, known + self._done)

    @property
    def left(self) -> int:
        """Cells without an outcome."""
        return self.total - self.finished

    @property
    def counts(self) -> Mapping[str, int]:
        """Number of cells by status; every status is there."""
        elsewhere = self._forgotten + Counter(
            {WAITING: self.total - len(self.cells) - self._forgotten.total()}
        )
        return {status: self._counted[status] + elsewhere[status] for status in CELL_STATUSES}

    @property
    def is_running(self) -> bool:
        """Whether the runner works."""
        return self.how == RUNNING

    @property
    def episodes_a_minute(self) -> float:
        """Pace of the last five minutes of this run; 0 before the first episode ended."""
        return self._pace.episodes_a_minute(self.ended_at or self._clock())

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the last cell ends at the pace of now; None when it is not known or not running."""
        return self._pace.seconds_left(self.left, self._clock()) if self.is_running else None

    def step_seconds(self, agent: str) -> float | None:
        """Seconds a step of an agent took in this run; None before one of its episodes ended."""
        steps, seconds = self._paces.get(agent, (0, 0.0))
        return seconds / steps if steps else None

    def log_of(self, cell: str) -> tuple[RunEvent, ...]:
        """The events of a cell's newest attempt, without pictures, oldest first.

        Empty when none came, or when hundreds of cells began since.
        """
        return tuple(self._logs.get(cell, ()))

    def worker_of(self, cell: str) -> WorkerProgress | None:
        """The worker that runs a cell now."""
        return next((worker for worker in self.workers.values() if worker.cell == cell), None)

    def take_changed(self) -> frozenset[str]:
        """Ids of the cells that events changed since this was asked last."""
        changed = frozenset(self._changed)
        self._changed.clear()
        return changed

    # -- following -----------------------------------------------------------
    def plan(self, cells: Iterable[Cell], earlier: Iterable[CellProgress] = ()) -> None:
        """Take the cells of the matrix, and what is stored of them; what runs now stays as events said."""
        stored = {cell.id: cell for cell in earlier}
        planned: dict[str, CellProgress] = {}
        for cell in cells:
            live = self.cells.get(cell.id)
            is_newer = live is not None and live.status != WAITING
            planned[cell.id] = live if live and is_newer else stored.get(cell.id, CellProgress(cell.id))
        if self.is_running:
            planned |= {name: cell for name, cell in self.cells.items() if name not in planned}
        self.cells, self._is_planned = planned, True
        self._counted = Counter(cell.status for cell in planned.values())

    def apply(self, event: RunEvent) -> None:
        """Take an event of the runner. Events of kinds that it does not know are ignored."""
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            handler(self, event)
        cell = str(getattr(event, "cell", ""))
        if cell and self._keeps_cells:
            if isinstance(event, EpisodeBegan):
                self._logs.pop(cell, None)
            logged = replace(event, picture=b"") if isinstance(event, ScreenObserved) else event
            self._log_of(cell).append(logged)

    def _log_of(self, cell: str) -> deque[RunEvent]:
        """The log of a cell; a new one takes the place of the oldest, or memory would grow with the run."""
        if cell not in self._logs:
            if len(self._logs) >= _MOST_LOGS:
                del self._logs[next(iter(self._logs))]
            self._logs[cell] = deque(maxlen=_MOST_LOGGED)
        return self._logs[cell]

    def lose(self, problem: str) -> None:
        """The runner is gone without a word: nothing runs any more. ``problem`` says so on each worker."""
        if not self.is_running:
            return
        self.how, self.state, self.reason, self.ended_at = LOST, "", problem, self._clock()
        for worker in [worker for worker in self.workers.values() if not worker.is_gone]:
            self._leave_cell(worker.name)
            self._change_worker(worker.name, state=LOST, problem=problem, action={}, acts_at=0.0, dialog=None)

    def _time_of(self, event: RunEvent) -> float:
        try:
            return datetime.fromisoformat(event.time).timestamp()
        except ValueError:
            return self._clock()

    def _change_worker(self, name: str, **values: Any) -> None:
        self.workers[name] = replace(self.workers.get(name, WorkerProgress(name)), **values)

    def _change_cell(self, name: str, **values: Any) -> None:
        self._put_cell(replace(self.cells.get(name, CellProgress(name)), **values))

    def _put_cell(self, cell: CellProgress) -> None:
        before = self.cells.get(cell.id)
        if before is not None:
            self._counted[before.status] -= 1
        if cell.is_finished and not self._keeps_cells:
            self._forgotten[cell.status] += 1
            self.cells.pop(cell.id, None)
            return
        self._counted[cell.status] += 1
        self.cells[cell.id] = cell
        if cell != before and self._keeps_cells:
            self._changed.add(cell.id)

    def _run_began(self, event: RunBegan) -> None:
        self.experiment, self._total, self._done = event.experiment, event.total, event.done
        self.how, self.state, self.reason, self.retries = RUNNING, RUNNING, "", 0
        self.ended_at = 0.0
        self.workers.clear()
        self._pace = RunPace()
        self._forgotten.clear()
        self._paces.clear()
        # With nothing done, cells that were finished are run again, too.
        again = (RUNNING, FAULT) if event.done else CELL_STATUSES
        repeated = frozenset(event.again)
        for cell in [cell for cell in self.cells.values() if cell.status in again or cell.id in repeated]:
            self._put_cell(CellProgress(cell.id))

    def _run_changed(self, event: RunChanged) -> None:
        self.state, self.reason = event.state, event.reason

    def _worker_changed(self, event: WorkerChanged) -> None:
        known = {name: getattr(event, name) for name in ("phone", "serial", "host") if getattr(event, name)}
        self._change_worker(event.worker, state=event.state, problem=event.problem, **known)
        if event.state in ("gone", "closed"):
            self._leave_cell(event.worker)

    def _leave_cell(self, worker: str) -> None:
        """The episode of a worker ended without an event: its cell waits again."""
        cell = self.cells.get(self.workers[worker].cell)
        if cell is not None and cell.status == RUNNING:
            self._change_cell(cell.id, status=WAITING, worker="", steps=0)
        self._pace.leave(worker)
        self._change_worker(worker, cell="", phase="", control="", question="", answer_by=0.0)

    def _episode_began(self, event: EpisodeBegan) -> None:
        self._pace.begin(event.worker, self._time_of(event))
        before = self.workers.get(event.worker, WorkerProgress(event.worker))
        self.workers[event.worker] = WorkerProgress(
            event.worker,
            before.state,
            before.phone,
            before.serial,
            before.host,
            cell=event.cell,
            task=event.task,
            agent=event.agent,
            condition=event.condition,
            trajectory=event.trajectory,
            instruction=event.instruction,
            budget=event.budget,
            attempt=event.attempt,
            picture=before.picture,
            picture_number=before.picture_number,
            width=before.width,
            height=before.height,
            control=RUNNING,
        )
        self._change_cell(
            event.cell,
            status=RUNNING,
            trajectory=event.trajectory,
            attempt=event.attempt,
            worker=event.worker,
            infrastructure="",
            reason="",
            early_stop=False,
            steps=0,
            seconds=0.0,
            cost=0.0,
        )

    def _phase_changed(self, event: PhaseChanged) -> None:
        self._change_worker(event.worker, step=event.step, phase=event.phase)

    def _screen_observed(self, event: ScreenObserved) -> None:
        before = self.workers.get(event.worker, WorkerProgress(event.worker))
        picture: dict[str, Any] = {}
        if event.picture:
            picture = {"picture": event.picture, "picture_number": before.picture_number + 1}
        self._change_worker(
            event.worker,
            step=event.step,
            width=event.width or before.width,
            height=event.height or before.height,
            package=event.package,
            activity=event.activity,
            dialog=tuple(event.dialog) or None,
            **picture,
        )

    def _action_predicted(self, event: ActionPredicted) -> None:
        self._change_worker(
            event.worker,
            step=event.step,
            thought=event.thought,
            action=event.action,
            caption=from_json(event.caption, list(event.caption_parts) if event.caption_parts else None),
            acts_at=self._time_of(event) + event.executes_in_ms / 1000,
        )

    def _step_done(self, event: StepDone) -> None:
        self._change_worker(
            event.worker, step=event.step, action={}, acts_at=0.0, timings_ms=event.timings_ms
        )

    def _anomaly_changed(self, event: AnomalyChanged) -> None:
        self._change_worker(
            event.worker,
            anomaly=event.anomaly,
            transition=event.transition,
            anomaly_since=self._time_of(event),
        )

    def _states_reached(self, event: StatesReached) -> None:
        self._change_worker(event.worker, reached=event.reached, states=event.states)

    def _control_changed(self, event: ControlChanged) -> None:
        self._change_worker(event.worker, control=event.state, person=event.person)

    def _user_asked(self, event: UserAsked) -> None:
        question = (event.question or _("The agent asks for help")) if event.is_open else ""
        by = self._time_of(event) + event.within_s if question else 0.0
        self._change_worker(event.worker, question=question, answer_by=by)

    def _episode_ended(self, event: EpisodeEnded) -> None:
        worker = self.workers.get(event.worker, WorkerProgress(event.worker))
        if event.infrastructure:
            status = WAITING if event.will_retry or event.stopped else FAULT
            self.retries += event.will_retry
        else:
            status = event.status or unjudged_status(event.cell)
            steps, seconds = self._paces.get(worker.agent, (0, 0.0))
            self._paces[worker.agent] = steps + event.steps, seconds + event.seconds
        ended, is_finished = self._time_of(event), not event.infrastructure
        self._pace.end(event.worker, ended, event.seconds, is_finished=is_finished)
        self._change_cell(
            event.cell,
            status=status,
            trajectory=event.trajectory,
            reason=event.reason,
            early_stop=event.early_stop,
            infrastructure=event.infrastructure,
            worker="",
            steps=event.steps,
            seconds=event.seconds,
            cost=event.cost,
        )
        self._change_worker(
            event.worker, cell="", phase="", control="", action={}, acts_at=0.0, dialog=None, ended=event
        )

    def _run_ended(self, event: RunEnded) -> None:
        self.how, self.state, self.reason = event.how, "", event.reason
        self.ended_at = self._time_of(event)
        for name in self.workers:
            self._leave_cell(name)


_HANDLERS: dict[type[RunEvent], Callable[[RunProgress, Any], None]] = {
    RunBegan: RunProgress._run_began,
    RunChanged: RunProgress._run_changed,
    WorkerChanged: RunProgress._worker_changed,
    EpisodeBegan: RunProgress._episode_began,
    PhaseChanged: RunProgress._phase_changed,
    ScreenObserved: RunProgress._screen_observed,
    ActionPredicted: RunProgress._action_predicted,
    StepDone: RunProgress._step_done,
    AnomalyChanged: RunProgress._anomaly_changed,
    StatesReached: RunProgress._states_reached,
    ControlChanged: RunProgress._control_changed,
    UserAsked: RunProgress._user_asked,
    EpisodeEnded: RunProgress._episode_ended,
    RunEnded: RunProgress._run_ended,
}
