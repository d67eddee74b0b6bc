"""Ask an endpoint once, with a small picture of a screen, to see whether an agent can work with it."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

from collector.agents.agent import SCREENSHOT_AND_TREE, AgentEpisode, Observation
from collector.agents.openai.chat_agent import ChatAgent
from collector.agents.openai.chat_options import read_options
from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.parse import parse_tree
from collector.model.episode import AgentTurn
from collector.model.geometry import Size
from collector.model.task import Task
from collector.recorder.screen_moment import ScreenMoment
from collector.store.project.project import Project

_SIZE = Size(360, 640)
_BUTTON = (80, 280, 280, 360)
_INSTRUCTION = "Tap the blue button OK"
_XML = (
    '<hierarchy rotation="0"><node index="0" text="OK" resource-id="waymark:id/ok" package="waymark" '
    'class="android.widget.Button" clickable="true" enabled="true" bounds="[80,280][280,360]"/></hierarchy>'
)


def check_endpoint(
    options: Mapping[str, Any], project: Project | None = None, cancel: threading.Event | None = None
) -> AgentTurn:
    """Show the model of an agent ``openai`` a screen with one button. Raises UserError and CallCancelled."""
    agent = ChatAgent(read_options(options, project))
    try:
        task = Task("check", _INSTRUCTION, app="Waymark", package="waymark")
        agent.begin(AgentEpisode(task, SCREENSHOT_AND_TREE, budget=1))
        return agent.act(Observation(1, _screen()), cancel or threading.Event())
    finally:
        agent.close()


def is_on_the_button(turn: AgentTurn) -> bool:
    """Whether the model tapped the only button there is."""
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
