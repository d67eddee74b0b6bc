"""A small project with essential states and two golden trajectories, and somebody in the States workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from collector.model.action import Action, Complete, Tap
from collector.model.task import Task
from collector.model.trajectory import State, TrajectoryHeader
from collector.store.project.project import Project
from tests.helpers.rule_room import SHOP, SIZE, Room, home_screen, results_screen
from tests.helpers.steps import png, step

STATES_TEXT = """# kept
states:
  - id: results
    description: Results are shown
    conditions:
      - type: element_exists
        selector: resource-id='shop:id/sort'
  - id: bought   # kept too
    description: The poster is in the cart
    after: [results]
    conditions:
      - type: element_text_equals
        selector: resource-id='shop:id/cart'
        text: Cart (1)
  - id: liked
    description: The poster looks good
    optional: true
"""
SCREENS = (home_screen(), results_screen(), results_screen(), results_screen(cart=1))


def make_states_project(folder: Path) -> Project:
    """Task ``buy`` with three states and golden trajectories of lin and sara; ``look`` without anything."""
    project = Project.create(folder, "States")
    project.save_tasks(
        [Task("buy", "Buy a poster", "Shop", SHOP, essential_states=("results", "bought", "liked")),
         Task("look", "Look at posters", "Shop", SHOP)]
    )  # fmt: skip
    states = project.paths.rule_file("state")
    states.parent.mkdir(exist_ok=True)
    states.write_text(STATES_TEXT, encoding="utf-8")
    project.reload()
    record_golden(project, "buy", "buy-lin", "lin", SCREENS)
    record_golden(project, "buy", "buy-sara", "sara", (SCREENS[0], *SCREENS[2:]))
    return project


def record_golden(project: Project, task: str, name: str, who: str, screens: tuple[bytes, ...]) -> Path:
    """Store a golden trajectory of these screens; return its folder."""
    with project.new_trajectory(TrajectoryHeader(name, task, who=who)) as writer:
        for number, screen in enumerate(screens):
            action: Action = Complete() if number == len(screens) - 1 else Tap(180, 150)
            state = State(package=SHOP, activity=".Main", size=SIZE)
            writer.append(
                step(number, action, state=state, target=None), png(SIZE.width, SIZE.height, 60), screen
            )
        writer.finish()
    return project.find(name)


class StatesRoom(Room):
    """The States workspace of a built window, and how to wait for what it does."""

    @property
    def workspace(self) -> Any:
        return self.studio.window.workspace("states")

    def until_reached(self) -> None:
        """Wait until it is known where the states are reached."""
        self.until(lambda: self.session.reach and self.session.shown is not None)

    def folder_of(self, trajectory_id: str) -> Path:
        """The folder of a trajectory of the project."""
        return Project.open(self.folder).find(trajectory_id)
