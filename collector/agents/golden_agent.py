"""The kind ``golden``: repeat a golden trajectory, each step only on the screen it was recorded on."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from collector.agents.agent import SCREENSHOT_AND_TREE, TREE, Agent, AgentEpisode, Observation
from collector.agents.golden_follower import FOLLOWER_OPTIONS, GoldenFollower
from collector.agents.kinds import AgentKind
from collector.agents.screen_dialogs import find_dialog
from collector.device.errors import CallCancelled
from collector.judge.evaluation.divergence import Divergence
from collector.model.action import Complete, Impossible, Wait
from collector.model.episode import AgentTurn
from collector.model.i18n import N_, _
from collector.model.usage import Usage
from collector.plugins.options import PluginOption
from collector.replay.guard import ReadyStep
from collector.store.project.project import Project

_WAITS, _WAIT_MS = 4, 1000


class GoldenAgent:
    """Follows one golden trajectory of the task; another screen than the recorded one ends the episode."""

    def __init__(self, options: Mapping[str, Any], project: Project | None) -> None:
        self._follower = GoldenFollower(options, project)
        self._waits, self._wait_ms = options["waits"], options["wait_ms"]
        self._waited = 0

    @property
    def secrets(self) -> tuple[str, ...]:
        return self._follower.secrets

    def begin(self, episode: AgentEpisode) -> None:
        """Choose the trajectories that may be followed. Raises UserError when there is none."""
        self._follower.begin(episode)
        self._waited = 0

    def act(self, observation: Observation, cancel: threading.Event) -> AgentTurn:
        """The next golden step, when the screen is its own. Raises CallCancelled."""
        if cancel.is_set():
            raise CallCancelled("golden")
        began = time.monotonic()
        turn = self._answer(observation)
        return replace(turn, usage=Usage(time_ms=round((time.monotonic() - began) * 1000)))

    def close(self) -> None:
        """Nothing is open."""

    def _answer(self, observation: Observation) -> AgentTurn:
        live, sight = observation.screen, self._follower.look(observation)
        if isinstance(sight, ReadyStep):
            self._waited = 0
            return self._follower.do(sight)
        if sight is None:
            return AgentTurn(_("Every step was done"), predicted=Complete())
        dialog = find_dialog(live.tree) if live.tree is not None else None
        if dialog is None and (turn := self._follower.set_up(live)) is not None:
            return turn
        # A dialog does not go away by itself: one look again is enough to be sure of it.
        return self._wait(sight, self._waits if dialog is None else min(1, self._waits))

    def _wait(self, divergence: Divergence, most: int) -> AgentTurn:
        """Wait a few times for the screen, then say that the task cannot be done."""
        if self._waited < most:
            self._waited += 1
            thought = _("Wait for the recorded screen. {why}", why=divergence)
            return AgentTurn(thought, predicted=Wait(self._wait_ms))
        thought = _("This is not the recorded screen. {why}", why=divergence)
        return AgentTurn(thought, predicted=Impossible(str(divergence)))


def create(options: Mapping[str, Any], project: Project | None) -> Agent:
    """A new agent of the kind."""
    return GoldenAgent(options, project)


KIND = AgentKind(
    "golden",
    N_("Golden replay"),
    create,
    N_("Repeats a golden trajectory of the task, each step only on the screen it was recorded on"),
    (
        *FOLLOWER_OPTIONS,
        PluginOption(
            "waits",
            int,
            _WAITS,
            N_("How many times to wait for the screen of a step; once when a dialog is in front"),
            least=0,
        ),
        PluginOption("wait_ms", int, _WAIT_MS, N_("Milliseconds of each wait"), least=0),
    ),
    (SCREENSHOT_AND_TREE, TREE),
)
