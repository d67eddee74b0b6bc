"""The kind ``golden``: repeat a golden trajectory, each step only on the screen it was recorded on."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from collector.agents.agent import (
    ERASED,
    SCREENSHOT_AND_TREE,
    TREE,
    Agent,
    AgentEpisode,
    Observation,
)
from collector.agents.golden_choice import golden_trajectories
from collector.agents.golden_path import GoldenPath
from collector.agents.golden_texts import check_texts, texts_of
from collector.agents.kinds import AgentKind, AgentOption
from collector.device.errors import CallCancelled
from collector.judge.divergence import Divergence
from collector.model.action import Action, Complete, Impossible, Key, OpenApp, Wait
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.episode import AgentTurn
from collector.model.errors import UserError
from collector.model.i18n import N_, _
from collector.model.usage import Usage
from collector.recorder.screen_moment import ScreenMoment
from collector.replay.guard import ReadyStep
from collector.store.project import Project

REPLAYED_STEP, FOLLOWED = "replayed_step", "followed"
"""Keys of ``AgentTurn.extra``: index of the golden step that an action repeats, and id of its trajectory."""
WAITS, WAIT_MS = 3, 700


class GoldenAgent:
    """Follows one golden trajectory of the task; another screen than the recorded one ends the episode."""

    def __init__(self, options: Mapping[str, Any], project: Project | None) -> None:
        if project is None:
            raise UserError(_("Golden trajectories are kept in a project"), "", _("Name one with --project"))
        check_texts(options["texts"])
        self._project = project
        self._options = options
        self.secrets: tuple[str, ...] = ()
        self._paths: list[GoldenPath] = []
        self._next = 0
        self._waited = 0
        self._is_set_up = False

    # -- Agent ---------------------------------------------------------------
    def begin(self, episode: AgentEpisode) -> None:
        """Choose the trajectories that may be followed. Raises UserError when there is none."""
        task, options = episode.task, self._options
        stored = golden_trajectories(
            self._project, task.id, name=options["trajectory"], who=options["who"], seed=episode.seed
        )
        secrets: set[str] = set()
        self._paths = []
        problem: UserError | None = None
        for golden in stored:
            try:
                texts = texts_of(options["texts"], task.id, golden.steps)
            except UserError as error:
                problem = problem or error
                continue
            path = GoldenPath(golden, task, texts)
            if len(path):
                self._paths.append(path)
                secrets.update(texts.values())
        if not self._paths:
            raise problem or UserError(_("The golden trajectory of {task} does nothing", task=task.id))
        self.secrets = tuple(sorted(secrets))
        self._next = self._waited = 0
        self._is_set_up = False

    def act(self, observation: Observation, cancel: threading.Event) -> AgentTurn:
        """The next golden step, when the screen is its own. Raises CallCancelled."""
        if cancel.is_set():
            raise CallCancelled("golden")
        began = time.monotonic()
        turn = self._answer(observation)
        return replace(turn, usage=Usage(time_ms=round((time.monotonic() - began) * 1000)))

    def close(self) -> None:
        """Nothing is open."""

    # -- one answer ----------------------------------------------------------
    def _answer(self, observation: Observation) -> AgentTurn:
        live = observation.screen
        ready = self._ready(live)
        if isinstance(ready, ReadyStep):
            return self._step(ready)
        if ready is None:
            return AgentTurn(_("Every step was done"), predicted=Complete())
        return self._set_up(live) or self._wait(ready)

    def _ready(self, live: ScreenMoment) -> ReadyStep | Divergence | None:
        """The next step, or how the screen differs; None at the end. The first step chooses the path."""
        path = self._paths[0]
        if self._next >= len(path):
            return path.check_end(live)
        sight = path.check(self._next, live)
        if isinstance(sight, ReadyStep) or self._next:
            return sight
        for other in self._paths[1:]:
            first = other.check(0, live)
            if isinstance(first, ReadyStep):
                self._paths.remove(other)
                self._paths.insert(0, other)
                return first
        return sight

    def _step(self, ready: ReadyStep) -> AgentTurn:
        """The action of a step, and go on to the next."""
        path, match = self._paths[0], ready.match
        thought = _("Step {number} of {trajectory}: {what}",
                    number=ready.step.index, trajectory=path.id, what=ready.step.description)  # fmt: skip
        if match is not None and (match.moved or match.reworded):
            thought += " " + _("(found elsewhere, by {selector})", selector=match.selector)
        extra: dict[str, Any] = {FOLLOWED: path.id, REPLAYED_STEP: ready.step.index}
        if erased := int(ready.step.extra.get("erased") or 0):
            extra[ERASED] = erased
        self._next += 1
        self._waited = 0
        return AgentTurn(thought, predicted=path.action_of(ready), extra=extra)

    def _set_up(self, live: ScreenMoment) -> AgentTurn | None:
        """Once, before the first step: go where the recording began. None when that is no help."""
        path = self._paths[0]
        if self._next or self._is_set_up or live.package in ("", COMPANION_PACKAGE):
            return None
        start = path.steps[0].state.package
        action: Action
        if start == path.app != live.package:
            action = OpenApp(path.app)
        elif start and start != path.app == live.package:
            action = Key("home")
        else:
            return None
        self._is_set_up = True
        return AgentTurn(_("Go where {trajectory} began", trajectory=path.id), predicted=action)

    def _wait(self, divergence: Divergence) -> AgentTurn:
        """Wait a few times for the screen, then say that the task cannot be done."""
        if self._waited < self._options["waits"]:
            self._waited += 1
            return AgentTurn(
                _("Wait for the screen. {why}", why=divergence), predicted=Wait(self._options["wait_ms"])
            )
        return AgentTurn(
            _("This is not the recorded screen. {why}", why=divergence),
            predicted=Impossible(str(divergence)),
        )


def create(options: Mapping[str, Any], project: Project | None) -> Agent:
    """A new agent of the kind."""
    return GoldenAgent(options, project)


OPTIONS = (
    AgentOption(
        "trajectory", str, "",
        N_("Id of the trajectory to follow; {task} stands for the id of the task, as in {task}-lin"),
    ),
    AgentOption("who", str, "", N_("Follow the trajectories of this person only")),
    AgentOption(
        "texts", dict, {},
        N_("Texts that were redacted, by task: {task: [TEXT, ...]} in order, or {task: {step: TEXT}}; "
           "env:NAME is read from the environment"),
    ),
    AgentOption("waits", int, WAITS, N_("How many times to wait for the screen of a step")),
    AgentOption("wait_ms", int, WAIT_MS, N_("Milliseconds of each wait")),
)  # fmt: skip
"""Options of agents that follow golden trajectories."""
KIND = AgentKind(
    "golden",
    N_("Golden replay"),
    create,
    N_("Repeats a golden trajectory of the task, each step only on the screen it was recorded on"),
    OPTIONS,
    (SCREENSHOT_AND_TREE, TREE),
    step_s=0.8,
)
