"""What an agent would be shown on the screens of a stored trajectory, without a phone."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Iterable

from collector.agents.agent import Agent, Observation, PastStep
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.parse import parse_tree
from collector.model.episode import AgentTurn
from collector.model.geometry import Size
from collector.model.trajectory import Step
from collector.recorder.screen_moment import ScreenMoment
from collector.store.trajectory.reader import StoredTrajectory
from tests.helpers.dumps import hierarchy

PHONE = Size(480, 1064)


def screen_of(stored: StoredTrajectory, step: Step) -> ScreenMoment:
    """The screen a step was recorded on."""
    state = step.state
    return moment(stored.tree(step) or b"", state.package, state.activity, state.size)


def screens_of(stored: StoredTrajectory) -> list[ScreenMoment]:
    """The screens of all steps, in order."""
    return [screen_of(stored, step) for step in stored.steps]


def made_screen(*roots: str, package: str = "com.example.shop", activity: str = ".Main") -> ScreenMoment:
    """A screen of nodes of :func:`tests.helpers.dumps.node`."""
    return moment(hierarchy(*roots).encode(), package, activity, Size(1080, 2400))


def moment(xml: bytes, package: str, activity: str, size: Size) -> ScreenMoment:
    """A screen with its dump."""
    tree = parse_tree(xml) if xml else None
    snapshot = TreeSnapshot(xml, tree, 0, 0, "fake", package, activity)
    return ScreenMoment(0, dt.datetime.now(dt.UTC), None, snapshot, package, activity, size)


def answers(agent: Agent, screens: Iterable[ScreenMoment]) -> list[AgentTurn]:
    """The agent's answers to screens that come one after the other, whatever it answers."""
    history: list[PastStep] = []
    turns = []
    for number, screen in enumerate(screens, start=1):
        turn = agent.act(Observation(number, screen, tuple(history)), threading.Event())
        assert turn.predicted is not None
        history.append(PastStep(turn.predicted, turn))
        turns.append(turn)
    return turns
