"""Run experiments on a virtual phone in this process, without adb between."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from collector.agents.agent import Agent
from collector.device.input.input_sinks import ShellInput
from collector.device.trees.uiautomator_source import UiautomatorSource
from collector.device.video.pictures import ScreenshotPictures
from collector.replay.phone import ReplayPhone
from collector.run.cycle.episode import run_episode
from collector.run.cycle.episode_job import EpisodeJob, EpisodeResult
from collector.run.cycle.steering.control import ControlCommand
from collector.run.cycle.steering.episode_control import EpisodeControl
from collector.run.events import RunEvent, WorkerChanged
from collector.run.phones.phone_facts import PhoneFacts
from tests.helpers.shell_device import shell_device


@contextlib.contextmanager
def local_phone(*apps: str) -> Iterator[ReplayPhone]:
    """A phone with the launcher and the named apps."""
    with shell_device("launcher", *apps) as device:
        yield ReplayPhone(device, UiautomatorSource(device), ShellInput(device), ScreenshotPictures(device))


class LocalPhoneWorker:
    """A worker on a phone and with an agent that belong to the test."""

    name = "worker-1"

    def __init__(self, phone: ReplayPhone, agent: Agent) -> None:
        self._phone, self._agent = phone, agent
        self._emit: Callable[[RunEvent], None] = lambda _event: None
        self._control = EpisodeControl()

    def open(self, emit: Callable[[RunEvent], None]) -> None:
        self._emit = emit
        emit(WorkerChanged(worker=self.name, state="ready", phone="local"))

    def run(self, job: EpisodeJob) -> EpisodeResult:
        return run_episode(job, self._phone, self._agent, self._emit, self._control, worker=self.name)

    def control(self, command: ControlCommand) -> None:
        self._control.send(command)

    def restart(self) -> None: ...

    def close(self) -> None: ...


class LocalPhoneExecutor:
    """An executor of one such worker."""

    count = 1
    is_here = False
    """Its agent is not made of what the experiment declares."""

    def __init__(self, phone: ReplayPhone, agent: Agent) -> None:
        self._phone, self._agent = phone, agent

    def phones_known(self) -> tuple[PhoneFacts, ...]:
        return ()

    def worker(self, number: int) -> LocalPhoneWorker:
        return LocalPhoneWorker(self._phone, self._agent)

    def close(self) -> None: ...
