"""Ask an agent once, with a small picture of a screen, to see whether it can answer."""

from __future__ import annotations

import datetime as dt
import threading

import numpy as np

from collector.agents.agent import SCREENSHOT_AND_TREE, Agent, AgentEpisode, Observation, seen_by
from collector.agents.agent_trial import with_clear_errors
from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.parse import parse_tree
from collector.model.episode import AgentTurn
from collector.model.geometry import Size
from collector.model.task import Task
from collector.recorder.screen_moment import ScreenMoment

_SIZE = Size(360, 640)
_BUTTON = (80, 280, 280, 360)
_INSTRUCTION = "Tap the blue button OK"
_XML = (
    '<hierarchy rotation="0"><node index="0" text="OK" resource-id="waymark:id/ok" package="waymark" '
    'class="android.widget.Button" clickable="true" enabled="true" bounds="[80,280][280,360]"/></hierarchy>'
)


def check_agent(
    agent: Agent, modality: str = SCREENSHOT_AND_TREE, cancel: threading.Event | None = None
) -> AgentTurn:
    """Show an agent a screen with one button, and close it. Raises UserError and CallCancelled."""
    try:
        task = Task("check", _INSTRUCTION, app="Waymark", package="waymark")
        with_clear_errors(lambda: agent.begin(AgentEpisode(task, modality, budget=1)))
        observation = Observation(1, seen_by(_screen(), modality))
        return with_clear_errors(lambda: agent.act(observation, cancel or threading.Event()))
    finally:
        agent.close()


def is_on_the_button(turn: AgentTurn) -> bool:
    """Whether the agent tapped the only button there is."""
    point = turn.predicted.point if turn.predicted is not None else None
    left, top, right, bottom = _BUTTON
    return point is not None and left <= point.x < right and top <= point.y < bottom


def _screen() -> ScreenMoment:
    pixels = np.full((_SIZE.height, _SIZE.width, 3), 245, np.uint8)
    left, top, right, bottom = _BUTTON
    pixels[top:bottom, left:right] = (30, 90, 220)
    xml = _XML.encode()
    tree = parse_tree(xml)
    return ScreenMoment(
        0, dt.datetime.now(dt.UTC), Frame(pixels, sequence=1, received_ns=0),
        TreeSnapshot(xml, tree, 0, 0, "waymark"), "waymark", "", _SIZE,
    )  # fmt: skip
