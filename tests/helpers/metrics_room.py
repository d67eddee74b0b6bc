"""A small project with runs whose numbers are counted by hand, and somebody in the Metrics workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from collector.model.episode import Episode, Outcome
from collector.model.task import Task
from collector.model.verdicts.judgement import RULE
from collector.store.project.project import Project
from tests.helpers.rule_room import SHOP, Room
from tests.helpers.run_files import says, write_run

BATTERY = "battery_low_double_en"
OUTCOMES = {
    ("able", ""): ("success", "success", "success", "failure"),
    ("able", BATTERY): ("success", "failure", "uncompleted", "failure"),
    ("weak", ""): ("success", "failure", "failure", "failure"),
    ("weak", BATTERY): ("failure", "failure", "failure", "failure"),
}
"""Agent and condition -> outcomes of buy with seeds 1 and 2, then of look with both."""


def make_metrics_project(folder: Path) -> Project:
    """Sixteen judged runs, and one that a fault of the machine ended. The judge ``strict`` fails them all."""
    project = Project.create(folder, "Numbers")
    project.save_tasks(
        [Task("buy", "Buy a poster", "Shop", SHOP), Task("look", "Look at posters", "Shop", SHOP)]
    )
    for (agent, condition), outcomes in OUTCOMES.items():
        for place, outcome in enumerate(outcomes):
            task, seed = ("buy", "look")[place // 2], 1 + place % 2
            episode = Episode(agent=agent, condition=condition, seed=seed)
            name = f"{agent}-{'b' if condition else 'n'}{seed}"
            write_run(project, name, episode, Outcome(outcome, reason=f"because {name}"), task=task,
                      judgements=says("strict", RULE, "failure"))  # fmt: skip
    fault = Outcome("", infrastructure="the phone went away")
    write_run(project, "weak-fault", Episode(agent="weak", seed=3), fault, task="buy")
    return project


class MetricsRoom(Room):
    """The Metrics workspace of a built window, and how to wait for what it does."""

    @property
    def workspace(self) -> Any:
        return self.studio.window.workspace("metrics")

    def until_counted(self) -> None:
        """Wait until the tables on show are those of what is chosen."""
        self.until(lambda: self.session.is_counted)

    def texts(self, title: str) -> list[str]:
        """A column of the pivot table by its title, in the order on show."""
        view = self.workspace.table.view
        place = [column.title for column in view.content.columns].index(title)
        return [view.numbers.index(row, place).data() for row in range(view.numbers.rowCount())]
