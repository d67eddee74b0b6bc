"""Whole episodes of the sample's golden agent on 1, 2 and 4 virtual phones, beside D-GARA's own loop."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from collector.agents.registry import agent_kinds
from collector.cli.run.phones import executor_of
from collector.hierarchy.parse import parse_tree
from collector.model.action import Action, Key, OpenApp, Swipe, Tap, Type
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.resources import asset
from collector.run.events import EpisodeBegan, EpisodeEnded, RunEvent
from collector.run.experiment.matrix import cells
from collector.run.experiment.model import AgentEntry, Experiment
from collector.run.runner.experiment_runner import ExperimentRunner
from collector.store.project.project import Project
from collector.virtual.fleet.phone_process import PhoneProcess
from collector.virtual.fleet.registry import running_phones
from tests.benchmarks.budgets.table import Budget, Row
from tests.helpers.virtual import AdbServer as PrivateServer
from tests.helpers.virtual import adb_server

TASKS = ("shop-11", "shop-13", "todo-01", "messenger-02", "settings-03", "home-01")
"""Tasks of the sample over five apps, whose golden trajectories hide no text."""
PHONES = (1, 2, 4)
EPISODE_MS = 1000
"""60 episodes a minute."""
_SEEDS = (1, 2)
_MEGABYTE = 1 << 20


def rows() -> Iterator[Row]:
    """Phones run before the first episode; agents and rules are loaded by the first of each worker."""
    with tempfile.TemporaryDirectory() as home, adb_server() as server:
        os.environ |= {**server.environment, "WAYMARK_HOME": home}
        shutil.copytree(asset("sample"), Path(home) / "sample")
        project = Project.open(Path(home) / "sample")
        rival = _dgara(project, server)
        for count in PHONES:
            timing = _Timing()
            _run(project, count, timing)
            what = f"golden episode, {count} virtual phone{'s' * (count > 1)}: wall time each"
            budget = Budget("median", EPISODE_MS) if count > 1 else None
            note = f"{60_000 / timing.each_ms:.0f} episodes a minute, {timing.done} episodes"
            yield Row(
                what, [timing.each_ms], budget, "D-GARA's loop by adb, one phone, its pauses left out",
                rival if count == 1 else (), note,
            )  # fmt: skip
            if timing.memory:
                yield Row(f"memory of a phone of {count} in a run", timing.memory, None, unit="MB")


class _Timing:
    """From the first episode that begins to the last one that ends."""

    def __init__(self) -> None:
        self.done = 0
        self.memory: list[float] = []
        self._began = self._ended = 0.0

    @property
    def each_ms(self) -> float:
        return (self._ended - self._began) * 1000 / max(1, self.done)

    def note(self, event: RunEvent) -> None:
        now = time.perf_counter()
        if isinstance(event, EpisodeBegan):
            self._began = self._began or now
        elif isinstance(event, EpisodeEnded):
            assert not event.infrastructure, event.infrastructure
            self._ended = now
            self.done += 1
            self.memory = [_memory_of(phone.pid) for phone in running_phones()]


def _memory_of(pid: int) -> float:
    """Megabytes of a process that no other shares; 0 where the system does not say."""
    if not sys.platform.startswith("linux"):
        return 0.0
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
    pss = next(line for line in lines if line.startswith("Pss:"))
    return int(pss.split()[1]) * 1024 / _MEGABYTE


def _run(project: Project, phones: int, timing: _Timing) -> None:
    experiment = Experiment(f"bench-{phones}", TASKS, (AgentEntry("golden", "golden"),), seeds=_SEEDS)
    executor = executor_of(experiment, f"virtual:{phones}", 0, "", project.folder)
    kinds = agent_kinds().kinds
    runner = ExperimentRunner(
        project, experiment, tuple(cells(experiment, kinds)), executor, listener=timing.note
    )
    summary = runner.run()
    assert not summary.not_run, summary.not_run


# -- the rival ---------------------------------------------------------------


def _dgara(project: Project, server: PrivateServer) -> list[float]:
    """D-GARA's Pipeline on the same tasks, given the right actions: milliseconds of each task.

    Per step as it does: dump and rule check, screenshot, dump, red grid on the picture, action, dump and
    validator, each by a call of the adb program. Its pauses, 3 s a step, are left out.
    """
    with PhoneProcess() as phone:
        address = phone.wait_ready()
        server.connect(address)
        times = []
        for task in TASKS:
            stored = next(
                stored
                for stored in project.open_trajectories(task_id=task)
                if not stored.header.is_run and not stored.header.id.startswith("lucas")
            )
            phone.reset(PhoneSetup(seed=1))
            begun = time.perf_counter()
            for step in stored.steps:
                if step.action is not None:
                    _dgara_step(server, address, step.action)
            times.append((time.perf_counter() - begun) * 1000)
        server.run("disconnect", address)
        return times


def _dgara_step(server: PrivateServer, address: str, action: Action) -> None:
    _dump(server, address)
    picture = server.run("-s", address, "exec-out", "screencap", "-p").stdout
    _dump(server, address)
    _grid(picture)
    for words in _input(action):
        server.run("-s", address, "shell", *words)
    _dump(server, address)


def _dump(server: PrivateServer, address: str) -> None:
    server.run("-s", address, "shell", "uiautomator", "dump", "--compressed", "/sdcard/window_dump.xml")
    parse_tree(server.run("-s", address, "exec-out", "cat", "/sdcard/window_dump.xml").stdout)


def _grid(picture: bytes) -> None:
    image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    height, width = image.shape[:2]
    for x in range(0, width, 100):
        cv2.line(image, (x, 0), (x, height), (0, 0, 255), 1)
    for y in range(0, height, 100):
        cv2.line(image, (0, y), (width, y), (0, 0, 255), 1)
    cv2.imencode(".png", image)


def _input(action: Action) -> list[list[str]]:
    """The `input` commands of an action, as D-GARA's tools give them."""
    match action:
        case Tap(x=x, y=y):
            return [["input", "tap", str(x), str(y)]]
        case Swipe(x1=x1, y1=y1, x2=x2, y2=y2):
            return [["input", "swipe", str(x1), str(y1), str(x2), str(y2), "300"]]
        case Type(text=text):
            return [["input", "text", text.replace(" ", "%s")]]
        case Key(key=key):
            return [["input", "keyevent", {"back": "4", "home": "3", "enter": "66"}.get(key, "4")]]
        case OpenApp(package=package):
            return [["monkey", "-p", package, "-c", "android.intent.category.LAUNCHER", "1"]]
        case _:
            return []
