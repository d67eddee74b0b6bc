"""A worker: runs one episode at a time on its phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from collector.model.errors import UserError
from collector.run.cycle.episode_job import EpisodeJob, EpisodeResult
from collector.run.cycle.steering.control import ControlCommand
from collector.run.events import RunEvent
from collector.run.phones.phone_facts import PhoneFacts

__all__ = ["EpisodeJob", "EpisodeResult", "Executor", "Worker", "WorkerLost"]


class WorkerLost(UserError):  # noqa: N818 - a state, as DeviceOffline
    """The process or the machine of a worker ended while it was needed."""


class Worker(Protocol):
    """Runs episodes on one phone. ``run`` blocks; the other methods may be called from any thread.

    Raises WorkerLost from ``open`` and ``run`` when its process or its machine died.
    """

    name: str

    def open(self, emit: Callable[[RunEvent], None]) -> None:
        """Get the phone ready and emit WorkerChanged ``ready``. Raises UserError when there is none."""

    def run(self, job: EpisodeJob) -> EpisodeResult:
        """Run an episode. Faults of phone, disk and network are in the outcome and are not raised."""

    def control(self, command: ControlCommand) -> None:
        """Hand a command to the episode that runs; without one only ShowScreens has an effect."""

    def restart(self) -> None:
        """Restart the phone, or take another, and emit as ``open``. Raises UserError when that fails."""

    def close(self) -> None:
        """Stop the running episode, give the phone back, and end."""


class Executor(Protocol):
    """Makes the workers of a run: in this process, in processes of their own, or on other machines."""

    count: int
    """How many workers it can have at a time."""
    is_here: bool
    """Whether its workers run on this computer, with what is installed here."""

    def phones_known(self) -> tuple[PhoneFacts, ...]:
        """What its phones are like, see :meth:`~collector.run.phones.provider.PhoneProvider.known`."""

    def worker(self, number: int) -> Worker:
        """A new worker in the place ``number``, from 0; so a lost one is replaced. Raises UserError."""

    def close(self) -> None:
        """End what the executor started; its workers are closed before."""
