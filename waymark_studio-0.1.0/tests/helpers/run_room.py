"""A small project with an experiment, and somebody in the Run workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from collector.model.task import Task
from collector.store.project.project import Project
from tests.helpers.rule_room import SHOP, Room

EXPERIMENT_TEXT = """# What agents do when the battery is low
format: waymark-experiment
version: 1
tasks: [buy, look]   # both
agents:
  - golden
  - id: random
    kind: monkey
conditions:
  - baseline
  - id: battery
    anomaly: battery_low_double_en
    at: 2
seeds: [123, 7]
budget: 5
"""


def make_run_project(folder: Path) -> Project:
    """Tasks ``buy`` and ``look``, and the experiment ``exp-01`` of 16 episodes."""
    project = Project.create(folder, "Runs")
    project.save_tasks(
        [Task("buy", "Buy a poster", "Shop", SHOP), Task("look", "Look at posters", "Shop", SHOP)]
    )
    path = project.paths.experiment("exp-01")
    path.parent.mkdir(exist_ok=True)
    path.write_text(EXPERIMENT_TEXT, encoding="utf-8")
    return project


class RunRoom(Room):
    """The Run workspace of a built window, and how to wait for what it does."""

    @property
    def workspace(self) -> Any:
        return self.studio.window.workspace("run")

    @property
    def file(self) -> Path:
        """The file of the experiment ``exp-01``."""
        return self.folder / "experiments" / "exp-01.yaml"

    def until_read(self) -> None:
        """Wait until an experiment is in hand."""
        self.until(lambda: self.session.loaded is not None)
