"""A worker: runs one episode at a time on its phone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from collector.model.episode import Outcome
from collector.model.errors import UserError
from collector.run.cycle.control import ControlCommand
from collector.run.events import RunEvent
from collector.run.experiment.model import Cell, Experiment


class WorkerLost(UserError):  # noqa: N818 - a state, as DeviceOffline
    """The process or the machine of a worker ended while it was needed."""


@dataclass(frozen=True, slots=True)
class EpisodeJob:
    """An episode to run. Can be pickled."""

    project: Path
    experiment: Experiment
    cell: Cell
    attempt: int = 0
    hold_ms: int = 0
    """Wait before each action, so that people who watch see where it will be."""


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """An episode that ended. Can be pickled. With ``outcome.infrastructure`` it may be tried again."""

    cell: Cell
    trajectory: str
    """Id of the run in the project; empty when none could be begun."""
    outcome: Outcome
    steps: int = 0
    seconds: float = 0.0
    phone_is_usable: bool = True
    """Whether the phone can take the next episode without a restart."""


class Worker(Protocol):
    """Runs episodes on one phone. ``run`` blocks; the other methods may be called from any thread.

    Raises WorkerLost from ``open`` and ``run`` when its process or its machine died.
    """

    name: str

    def open(self, emit: Callable[[RunEvent], None]) -> None:
        """Get the phone ready. Raises UserError when there is none."""

    def run(self, job: EpisodeJob) -> EpisodeResult:
        """Run an episode. Faults of phone, disk and network are in the outcome and are not raised."""

    def control(self, command: ControlCommand) -> None:
        """Hand a command to the episode that runs; without one only ShowScreens has an effect."""

    def restart(self) -> None:
        """Restart the phone, or take another. Raises UserError when that fails."""

    def close(self) -> None:
        """Stop the running episode, give the phone back, and end."""


class Executor(Protocol):
    """Makes the workers of a run: in this process, in processes of their own, or on other machines."""

    count: int
    """How many workers it can have at a time."""

    def worker(self, number: int) -> Worker:
        """A new worker in the place ``number``, from 0; so a lost one is replaced. Raises UserError."""

    def close(self) -> None:
        """End what the executor started; its workers are closed before."""
