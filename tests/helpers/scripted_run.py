"""Runs without phones: workers that write episodes by the letter of a script, with faults when asked.

As a program it runs such an experiment in processes that kill themselves, see :func:`main`.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collector.model.action import Complete, Tap
from collector.model.episode import Episode, Outcome
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.task import Task
from collector.model.trajectory import State, Step, TrajectoryHeader
from collector.run.control.runner_file import RunnerActive
from collector.run.cycle.agent_files import AgentFiles
from collector.run.cycle.episode_plan import EpisodePlan
from collector.run.cycle.episode_project import EpisodeProject
from collector.run.cycle.steering.control import ControlCommand, Pause, Resume, ShowScreens, StopEpisode
from collector.run.events import (
    ActionPredicted,
    ControlChanged,
    EpisodeBegan,
    PhaseChanged,
    RunEvent,
    StepDone,
    WorkerChanged,
)
from collector.run.experiment.model import AgentEntry, Cell, Experiment, RunCondition
from collector.run.phones.phone_facts import PhoneFacts
from collector.run.runner.cell_queue import Backoff
from collector.run.runner.experiment_runner import ExperimentRunner, RunnerOptions
from collector.run.runner.stored_episodes import read_episodes
from collector.run.workers.worker import EpisodeJob, EpisodeResult, WorkerLost
from collector.store.catalogue.catalogue import Catalogue
from collector.store.files.disk import Disk
from collector.store.files.disk_writes import DISK_WRITES
from collector.store.project.project import Project
from collector.store.project.runs import begin_run
from collector.store.trajectory.fingerprint import FINGERPRINT
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.writer import TrajectoryWriter

EXPERIMENT = Experiment(
    "pilot", ("shop-1", "shop-2", "note-1"), (AgentEntry("golden", "golden"), AgentEntry("monkey", "monkey")),
    conditions=(RunCondition("baseline"),), seeds=(7,), retries=2,
)  # fmt: skip
CELLS = tuple(
    Cell(task, agent.id, "baseline", "tree", seed=7)
    for task in EXPERIMENT.tasks
    for agent in EXPERIMENT.agents
)
STATUSES = ("success", "failure", "uncompleted")
STEPS = 2
NO_BACKOFF = Backoff(0.0, 1.0, 0.0)
LOST, RAISE, UNUSABLE, HOPELESS, ENDPOINT = "lost", "raise", "unusable", "hopeless", "endpoint"
"""Faults of a script; any other text is a fault of the infrastructure that the episode survives."""


def make_project(folder: Path) -> Project:
    project = Project.create(folder / "project")
    project.save_tasks([Task(task, f"Do {task}") for task in EXPERIMENT.tasks])
    return project


@dataclass
class Script:
    """What happens on all workers; shared by them, and looked at by tests."""

    faults: dict[str, list[str]] = field(default_factory=dict)
    """By ``Cell.id``: what ends each attempt, before it succeeds."""
    open_faults: list[str] = field(default_factory=list)
    """What each opening of a worker fails with; empty texts let it pass."""
    before_step: Callable[[str, int], None] = lambda _cell, _step: None
    after_episode: Callable[[str], None] = lambda _cell: None
    ran: list[str] = field(default_factory=list)
    restarts: int = 0
    opened: int = 0
    closed: int = 0
    hold_ms: int = 0
    shows_screens: bool = False
    picture: bytes | None = None
    """The screenshot of every step."""


class ScriptedWorker:
    """Writes episodes whose actions depend on cell and seed alone."""

    def __init__(self, name: str, script: Script) -> None:
        self.name = name
        self.script = script
        self._emit: Callable[[RunEvent], None] = lambda _event: None
        self._changed = threading.Condition()
        self._paused = False
        self._stopped = False
        self._why = ""
        self._closed = False

    def open(self, emit: Callable[[RunEvent], None]) -> None:
        self._emit = emit
        self.script.opened += 1
        problem = self.script.open_faults.pop(0) if self.script.open_faults else ""
        if problem:
            raise UserError(problem)
        emit(WorkerChanged(worker=self.name, state="ready", phone="scripted"))

    def run(self, job: EpisodeJob) -> EpisodeResult:
        with self._changed:
            self._stopped = self._paused = False
        self.script.hold_ms = job.hold_ms
        cell = job.cell
        faults = self.script.faults.get(cell.id) or []
        fault = faults.pop(0) if faults else ""
        writer = begin_run(Project.open(job.project), self._header(job))
        trajectory = writer.header.id
        where: dict[str, Any] = {"worker": self.name, "cell": cell.id}
        self._emit(
            EpisodeBegan(**where, task=cell.task, agent=cell.agent, condition=cell.condition,
                         trajectory=trajectory, budget=STEPS, attempt=job.attempt)
        )  # fmt: skip
        draw = random.Random(cell.id)
        outcome = Outcome(draw.choice(STATUSES), "by the script")
        steps = 0
        try:
            for number in range(1, STEPS + 1):
                self._emit(PhaseChanged(**where, step=number, phase="think"))
                self.script.before_step(cell.id, number)
                if self._held(where):
                    outcome = Outcome(infrastructure=self._why, stopped=True)
                    break
                if fault and number == STEPS:
                    outcome = self._fault(fault)
                    break
                action = Tap(draw.randrange(100), draw.randrange(100)) if number < STEPS else Complete()
                self._emit(ActionPredicted(**where, step=number, caption=action.kind))
                state = State(size=Size(100, 100))
                writer.append(Step(number, number, "", state, action, None, ""), self.script.picture)
                writer.event("cycle", number, phase="decide", draw=draw.random())
                steps += 1
                self._emit(StepDone(**where, step=number))
            if fault not in (LOST, RAISE):
                writer.update_header(outcome=outcome)
                writer.finish()
                self.script.after_episode(cell.id)
        finally:
            # A process that is lost leaves its lock with the note of a writer.
            _die(writer) if fault == LOST else writer.close()
        self.script.ran.append(cell.id)
        return EpisodeResult(
            cell, trajectory, outcome, steps, 0.01, phone_is_usable=fault != UNUSABLE,
            phone_is_suspect=fault != ENDPOINT, may_help_to_retry=fault != HOPELESS,
        )  # fmt: skip

    def control(self, command: ControlCommand) -> None:
        with self._changed:
            if isinstance(command, ShowScreens):
                self.script.shows_screens = command.wanted
            elif isinstance(command, Pause):
                self._paused = True
            elif isinstance(command, Resume):
                self._paused = False
            elif isinstance(command, StopEpisode):
                self._stopped = True
                self._why = "The run was stopped" if command.with_run else "A person stopped the episode"
            self._changed.notify_all()

    def restart(self) -> None:
        self.script.restarts += 1
        self._emit(WorkerChanged(worker=self.name, state="ready", phone="scripted"))

    def close(self) -> None:
        if not self._closed:
            self.script.closed += 1
        self._closed = True
        self.control(StopEpisode())

    def _held(self, where: Mapping[str, str]) -> bool:
        """Wait while the episode is paused; whether it was stopped."""
        with self._changed:
            if self._paused and not self._stopped:
                self._emit(ControlChanged(**where, state="paused"))
                self._changed.wait_for(lambda: not self._paused or self._stopped)
                self._emit(ControlChanged(**where, state="running"))
            return self._stopped

    def _fault(self, fault: str) -> Outcome:
        if fault == LOST:
            raise WorkerLost("The worker process ended")
        if fault == RAISE:
            raise RuntimeError("a fault of ours")
        return Outcome(infrastructure=f"The phone is away: {fault}")

    def _header(self, job: EpisodeJob) -> TrajectoryHeader:
        cell = job.cell
        project = EpisodeProject.load(job.project)
        task = project.task(cell.task)
        files = AgentFiles(project.project).digests(job.experiment.agent(cell.agent), cell.task)
        plan = EpisodePlan.of(job.experiment, cell, task, files)
        episode = Episode(
            job.experiment.name, cell.key, cell.agent, condition=cell.condition, modality=cell.modality,
            seed=cell.seed, repeat=cell.repeat, attempt=job.attempt,
            extra={FINGERPRINT: project.fingerprint(plan, task)},
        )  # fmt: skip
        return TrajectoryHeader("", cell.task, episode=episode)


def _die(writer: TrajectoryWriter) -> None:
    """Leave a trajectory as its writer's process does when it is killed."""
    folder = writer.folder
    killed = Path(tempfile.mkdtemp()) / folder.name
    shutil.copytree(folder, killed)
    writer.close()
    shutil.rmtree(folder)
    shutil.move(killed, folder)
    killed.parent.rmdir()


class ScriptedExecutor:
    """Scripted workers; a replaced one has another name."""

    is_here = True

    def __init__(self, count: int, script: Script | None = None) -> None:
        self.count = count
        self.script = script or Script()
        self.is_closed = False
        self.phones: tuple[PhoneFacts, ...] = ()

    def phones_known(self) -> tuple[PhoneFacts, ...]:
        return self.phones

    def worker(self, number: int) -> ScriptedWorker:
        return ScriptedWorker(f"worker {number + 1}", self.script)

    def close(self) -> None:
        self.is_closed = True


def make_runner(
    project: Project, workers: int = 1, script: Script | None = None, *, experiment: Experiment = EXPERIMENT,
    cells: Sequence[Cell] = CELLS, listener: Callable[[RunEvent], None] = lambda _event: None,
    **options: object,
) -> ExperimentRunner:  # fmt: skip
    return ExperimentRunner(
        project, experiment, cells, ScriptedExecutor(workers, script),
        RunnerOptions(**{"backoff": NO_BACKOFF, **options}),  # type: ignore[arg-type]
        listener=listener,
    )  # fmt: skip


def outcomes(project: Project) -> dict[str, tuple[object, ...]]:
    """By cell: status, actions and draws of its one finished episode. Fails when a cell has two."""
    finished: dict[str, tuple[object, ...]] = {}
    for episode in read_episodes(project, EXPERIMENT.name):
        assert episode.outcome is not None, f"{episode.folder.name} was left without an outcome"
        if not episode.is_finished:
            continue
        assert episode.cell not in finished, f"{episode.cell} was run twice"
        stored = open_trajectory(episode.folder)
        draws = [
            json.loads(line)["draw"]
            for line in (episode.folder / "events.jsonl").read_text().splitlines()
            if '"draw"' in line
        ]
        finished[episode.cell] = (
            episode.outcome.status, tuple(step.action for step in stored.steps), tuple(draws),
        )  # fmt: skip
    return finished


def flush_nothing(replace: Callable[[type, str, object], None] = setattr) -> None:
    """Let no write wait for the medium: a killed process loses nothing that the system has."""
    for name in ("_sync", "_sync_folder"):
        replace(Disk, name, lambda _disk, _path: None)


def kill_at(count: int) -> Callable[[object], None]:
    """A listener that kills this process when it is called for the ``count``-th time."""
    calls = iter(range(1, count + 1))

    def listen(_event: object) -> None:
        if next(calls, count) == count:
            os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(60)

    return listen


def main(folder: Path, points: Sequence[str]) -> int:
    """Run the experiment of each project ``folder/POINT`` until it kills itself at that point.

    A point is ``event-N`` or ``write-N``: the N-th event of the run, or the N-th write to the disk.
    Each run is a process of its own, forked here before any thread was started.
    """
    flush_nothing()
    with tempfile.TemporaryDirectory() as place:
        Catalogue(make_project(Path(place))).close()  # what it imports late, each process would import again
    for point in points:
        child = os.fork()
        if child:
            _pid, status = os.waitpid(child, 0)
            print(point, os.waitstatus_to_exitcode(status), flush=True)  # noqa: T201
            continue
        kind, _dash, count = point.partition("-")
        listener = kill_at(int(count))
        if kind == "write":
            DISK_WRITES.subscribe(listener)
        try:
            project = Project.open(folder / point / "project")
            make_runner(project, 2, listener=listener if kind == "event" else lambda _event: None).run()
        except RunnerActive:
            os._exit(3)
        os._exit(0)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
