"""What the cycle of an episode costs a step, without agent and device: deciding, validating and recording.

The phone is in memory and shows recorded screens of the sample, already parsed; the agent answers at once.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from collector.device.frame import Frame, ScreenshotFrame
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.parse import parse_tree
from collector.model.action import Tap
from collector.model.resources import asset
from collector.recorder import observer
from collector.replay import action_executor
from collector.run.cycle.episode import run_episode
from collector.run.cycle.episode_job import EpisodeJob
from collector.run.experiment.model import AgentEntry, Cell, Experiment, RunCondition
from collector.store.project.project import Project
from tests.benchmarks.budgets.table import Budget, Row
from tests.helpers.cycle_phone import SCREEN, CyclePhone
from tests.helpers.cycle_room import SHOP, ListAgent

TASK, STEPS, EPISODES = "todo-01", 20, 8


@dataclass
class RecordedPhone(CyclePhone):
    """Shows recorded screens, another one after each touch."""

    trees: list[TreeSnapshot] = field(default_factory=list)
    pictures: list[bytes] = field(default_factory=list)

    def snapshot(self, cancel: threading.Event) -> TreeSnapshot:
        return self.trees[self.calls % len(self.trees)]

    def picture(self, cancel: threading.Event) -> Frame:
        encoded = self.pictures[self.calls % len(self.pictures)]
        return ScreenshotFrame(encoded, sequence=self.calls, received_ns=time.monotonic_ns())


def rows() -> Iterator[Row]:
    """CPU of the whole process, the writing thread included."""
    observer.PAUSE_S = 0.0
    action_executor.TAP_MS = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "sample"
        shutil.copytree(asset("sample"), folder)
        phone = _phone(Project.open(folder))
        conditions = (RunCondition("rules", rules=()),)
        experiment = Experiment(
            "bench", (TASK,), (AgentEntry("list", "list"),), conditions, budget=STEPS, early_stop=0
        )
        samples = []
        for number in range(EPISODES + 1):
            agent = ListAgent([Tap(SCREEN.width // 2, 10)])
            job = EpisodeJob(folder, experiment, Cell(TASK, "list", "rules", "screenshot+tree"), number)
            began = time.process_time()
            result = run_episode(job, phone.phone, agent, lambda _event: None)
            if result.steps != STEPS:
                raise RuntimeError(str(result))
            samples.append(1000 * (time.process_time() - began) / STEPS)
        note = f"{STEPS} steps an episode, reset, judgement and outcome included"
        yield Row(
            "cycle of a step without agent and device, CPU", samples[1:], Budget("median", 20), note=note
        )


def _phone(project: Project) -> RecordedPhone:
    golden = next(item for item in project.open_trajectories() if item.header.task_id == TASK)
    phone = RecordedPhone(SHOP)
    for step in golden.steps:
        xml, picture = golden.tree(step), golden.screenshot(step)
        if xml and picture and picture.startswith(b"\x89PNG"):
            now, state = time.monotonic_ns(), step.state
            tree = parse_tree(xml)
            phone.trees.append(TreeSnapshot(xml, tree, now, now, "bench", state.package, state.activity))
            phone.pictures.append(picture)
    return phone
