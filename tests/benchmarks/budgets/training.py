"""A step of the environment for training beside the same step through ADB, and the memory of its phones."""

from __future__ import annotations

import itertools
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

from collector.device.input.input_sinks import ShellInput
from collector.device.transport.adb_device import AdbDevice
from collector.device.trees.uiautomator_source import UiautomatorSource
from collector.device.video.pictures import ScreenshotPictures
from collector.environment.phone_environment import SIZE, PhoneEnvironment
from collector.environment.phone_vector import EpisodeStart, PhoneVector
from collector.model.action import Action
from collector.recorder.observer import Observer
from collector.replay.device_executor import device_executor
from tests.benchmarks.budgets.table import Budget, Row, share_of_memory, timed
from tests.helpers.training import random_actions
from tests.helpers.virtual import adb_server, virtual_process

_RIVAL = "the same actions through ADB: input, dump, screencap"
_STEPS, _STEPS_BY_ADB, _STEPS_OF_MEMORY = 600, 25, 400
_PHONES = 2
_FRAME_MS = 1000 / 60


def rows() -> Iterator[Row]:
    """Random actions over six apps, the same for both, each with its picture and its tree."""
    theirs = _through_adb()
    yield Row(
        f"training: a step with picture and tree, {SIZE}, CPU of one core", _in_process(time.process_time),
        Budget("median", _FRAME_MS), _RIVAL, theirs,
        note="the environment's time is simulated; through ADB gestures last as long as on a phone",
    )  # fmt: skip
    samples = _in_process(time.process_time)
    yield Row(
        f"training: all steps of an episode, {SIZE}, CPU of one core, mean", [sum(samples) / len(samples)],
        Budget("median", _FRAME_MS), note="at most a 60th of a second: at least 60 steps a second",
    )  # fmt: skip
    if sys.platform.startswith("linux"):
        yield Row(
            f"training: memory (PSS) of a phone of {_PHONES} after {_STEPS_OF_MEMORY} steps, {SIZE}",
            _memory(), Budget("max", 60, unit="MB"), unit="MB",
        )  # fmt: skip


def _in_process(clock: Callable[[], float]) -> list[float]:
    environment = PhoneEnvironment()
    environment.reset()
    actions = itertools.cycle(random_actions(1, _STEPS))
    samples = timed(lambda: environment.step(next(actions)), _STEPS, 30, clock)
    environment.close()
    return samples


def _through_adb() -> list[float]:
    never = threading.Event()
    screen = ("--size", str(SIZE), "--density", "213")
    with adb_server() as server, virtual_process(*screen) as (_process, address):
        server.connect(address)
        with mock.patch.dict(os.environ, server.environment):
            device = AdbDevice(address)
            executor = device_executor(device, ShellInput(device), never)
            observer = Observer(device, UiautomatorSource(device), never, ScreenshotPictures(device))
            actions: Iterator[Action] = itertools.cycle(random_actions(1, _STEPS))

            def step() -> None:
                executor.do(next(actions), SIZE)
                observer.look()

            return timed(step, _STEPS_BY_ADB, 60)


def _memory() -> list[float]:
    """Megabytes of each phone, each on a way of its own through the apps."""
    with PhoneVector(_PHONES) as phones:
        phones.reset([EpisodeStart(None, "", number) for number in range(_PHONES)])
        for actions in zip(*(random_actions(n, _STEPS_OF_MEMORY) for n in range(_PHONES)), strict=True):
            phones.step(actions)
        own = [share_of_memory(pid) for pid in phones.pids]
        # What forked them counts, too.
        return [megabytes + share_of_memory(_parent(phones.pids[0])) / _PHONES for megabytes in own]


def _parent(pid: int) -> int:
    """The id of the process that started a process; Linux only."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
