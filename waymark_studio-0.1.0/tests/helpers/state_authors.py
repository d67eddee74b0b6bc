"""A project with two golden trajectories of a task, and the people who work on its essential states."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from collector.model.action import Action, Complete, Tap
from collector.model.task import Task
from collector.model.trajectory import State, TrajectoryHeader
from collector.states.defining import Defining
from collector.states.documents.proposal import ProposedState
from collector.states.proposing import Proposing
from collector.states.work_files.state_work import StateWork
from collector.store.project.project import Project
from tests.helpers.rule_room import SHOP, SIZE, home_screen, results_screen
from tests.helpers.steps import png, step

HOME, RESULTS, CART = home_screen(), results_screen(), results_screen(cart=1)
LIN = (HOME, RESULTS, RESULTS, CART)
SARA = (HOME, RESULTS, CART, CART)
SORT: Any = [{"type": "element_exists", "selector": "resource-id='shop:id/sort'"}]
CART_1: Any = [{"type": "element_text_equals", "selector": "resource-id='shop:id/cart'", "text": "Cart (1)"}]


def record(
    project: Project, task: str, name: str, who: str, screens: tuple[bytes, ...], x: int = 180
) -> Path:
    """Store a golden trajectory of these screens; ``x`` is where its taps go."""
    with project.new_trajectory(TrajectoryHeader(name, task, who=who)) as writer:
        for number, screen in enumerate(screens):
            action: Action = Complete() if number == len(screens) - 1 else Tap(x, 150 + 50 * number)
            state = State(package=SHOP, activity=".Main", size=SIZE)
            values = step(number, action, state=state, target=None)
            writer.append(values, png(SIZE.width, SIZE.height, 60), screen)
        writer.finish()
    return project.find(f"{task}/{name}")


def make_project(folder: Path, *tasks: str) -> Project:
    """Each task with a golden trajectory of lin and of sara: ``<task>-lin`` and ``<task>-sara``."""
    project = Project.create(folder, "Authors")
    names = tasks or ("buy",)
    project.save_tasks([Task(name, f"Do {name}", "Shop", SHOP) for name in names])
    for name in names:
        record(project, name, f"{name}-lin", "lin", LIN)
        record(project, name, f"{name}-sara", "sara", SARA, 60)
    return project


def results(**values: Any) -> ProposedState:
    """The first milestone: results are on the screen."""
    return ProposedState("", **{"sentence": "Results are shown", "conditions": SORT, "step": 1, **values})


def bought(**values: Any) -> ProposedState:
    """The second milestone: the poster is in the cart."""
    return ProposedState(
        "", **{"sentence": "The poster is in the cart", "conditions": CART_1, "after": ("1",), **values}
    )


def propose(work: StateWork, task: str, who: str, *states: ProposedState, sign: bool = True) -> Proposing:
    """Open a proposal with these states, on the golden trajectory of its operator."""
    proposing = Proposing(work, task, who)
    proposing.start(f"{task}-{who}")
    for state in states:
        proposing.add(state)
    if sign:
        proposing.sign()
    return proposing


def define(work: StateWork, task: str = "buy") -> Defining:
    """Both operators propose the same two states and agree on them."""
    for who in ("lin", "sara"):
        propose(work, task, who, results(step=None), bought())
    defining = Defining(work, task, "lin")
    defining.start()
    defining.settle_agreed()
    defining.finish()
    return defining
