"""The kind ``scripted``: the actions of a YAML script, each where its node is now."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from collector.agents.agent import (
    ERASED,
    SCREENSHOT,
    SCREENSHOT_AND_TREE,
    TREE,
    Agent,
    AgentEpisode,
    Observation,
    answers_done,
)
from collector.agents.kinds import AgentKind
from collector.agents.script import AgentScript, NodePlace, ScriptedAction, ScriptPlace
from collector.agents.script_reader import DEFAULT, read_script, read_script_file
from collector.device.errors import CallCancelled
from collector.hierarchy.captions import caption
from collector.hierarchy.xpath.evaluation import TooManyStepsError
from collector.judge.evaluation.divergence import describe_foreground, foreground_activity
from collector.model.action import ACTIONS, Action, Complete, Impossible, Swipe, Wait
from collector.model.episode import AgentTurn
from collector.model.errors import UserError
from collector.model.geometry import Point, Size
from collector.model.i18n import N_, _
from collector.model.tree import Tree
from collector.model.usage import Usage
from collector.plugins.options import PluginOption
from collector.recorder.screen_moment import ScreenMoment
from collector.rules.evaluation.image_matching import ImageFiles
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.model import Group
from collector.rules.grammar.rule_files import read_text
from collector.store.project.project import Project

TASK_PLACE = "{task}"
_WAITS, _WAIT_MS = 4, 1000
_SWIPE_SHARE = 0.3
"""How far from the middle of the screen a swipe in a direction begins and ends, as a share of its side."""


class ScriptedAgent:
    """Does the actions of its script one after the other, and then says that the task is done."""

    def __init__(self, options: Mapping[str, Any], project: Project | None) -> None:
        self._options = options
        self._project = project
        self._images = ImageFiles(project.folder) if project is not None else None
        self._script = AgentScript(())
        self._scripts: dict[str, AgentScript] = {}
        self._next = self._waited = self._answered = self._before = 0
        self._view: StateView | None = None
        if bool(options["file"]) == bool(options["actions"]):
            raise UserError(
                _("A scripted agent needs a script"), "", _("Give it either the option file or actions")
            )
        if options["actions"]:
            self._scripts = {DEFAULT: read_script(options["actions"])}
        elif TASK_PLACE not in options["file"]:
            self._scripts = self._read(options["file"])

    def begin(self, episode: AgentEpisode) -> None:
        """Take the script of the task. Raises UserError when there is none."""
        task = episode.task.id
        if not self._scripts or TASK_PLACE in self._options["file"]:
            self._scripts = self._read(self._options["file"].replace(TASK_PLACE, task))
        script = self._scripts.get(task) or self._scripts.get(DEFAULT)
        if script is None:
            known = ", ".join(self._scripts)
            raise UserError(
                _("The script has no actions for the task {task}", task=task),
                "",
                _("It has: {known}", known=known),
            )
        self._script = script
        self._next = self._waited = self._answered = self._before = 0
        self._view = None

    def act(self, observation: Observation, cancel: threading.Event) -> AgentTurn:
        """The next action of the script. Raises CallCancelled, and UserError for an image that is missing."""
        if cancel.is_set():
            raise CallCancelled("scripted")
        began = time.monotonic()
        turn = self._answer(observation)
        return replace(turn, usage=Usage(time_ms=round((time.monotonic() - began) * 1000)))

    def close(self) -> None:
        """Nothing is open."""

    # -- one answer ----------------------------------------------------------
    def _answer(self, observation: Observation) -> AgentTurn:
        live, view = observation.screen, self._view_of(observation)
        done = answers_done(observation.history)
        if done < self._answered:
            self._next = self._before
        self._answered, self._before = done + 1, self._next
        actions = self._script.actions
        while self._next < len(actions) and not self._holds(actions[self._next].when, view):
            self._next += 1
        if self._next >= len(actions):
            return AgentTurn(_("The script is at its end"), predicted=Complete())
        scripted = actions[self._next]
        if not self._holds(scripted.wait_for, view):
            return self._wait(scripted, live, _("what it waits for is not here"))
        try:
            action = action_on(scripted, live.tree, live.screen)
        except TooManyStepsError as error:
            return self._wait(scripted, live, str(error))
        if action is None:
            names = [place.text for place in (scripted.at, scripted.to) if isinstance(place, NodePlace)]
            return self._wait(scripted, live, _("no node is {name}", name=" / ".join(names)))
        self._next += 1
        self._waited = 0
        thought = _("Action {number} of the script: {what}",
                    number=scripted.number, what=caption(action, live.tree))  # fmt: skip
        return AgentTurn(thought, predicted=action, extra={ERASED: scripted.erase} if scripted.erase else {})

    def _wait(self, scripted: ScriptedAction, live: ScreenMoment, why: str) -> AgentTurn:
        where = _("Action {number} of the script", number=scripted.number)
        if self._script.name:
            where = f"{self._script.name}:{scripted.place.line}"
        seen = describe_foreground(live)
        reason = _("{where}: {why}. {seen}", where=where, why=why, seen=seen)
        if self._waited < self._options["waits"]:
            self._waited += 1
            return AgentTurn(_("Wait. {why}", why=reason), predicted=Wait(self._options["wait_ms"]))
        return AgentTurn(reason, predicted=Impossible(reason))

    def _holds(self, group: Group | None, view: StateView) -> bool:
        return group is None or prove(group, view, self._images).holds

    def _view_of(self, observation: Observation) -> StateView:
        """The screen as conditions see it, with the one before."""
        live = observation.screen
        last = observation.history[-1].action if observation.history else None
        frame = live.frame
        view = StateView(
            live.tree, live.xml, live.package, foreground_activity(live), observation.step, last,
            apps=live.apps, picture=frame.rgb if frame is not None else lambda: None,
        )  # fmt: skip
        view.follow(self._view)
        self._view = view
        return view

    def _read(self, name: str) -> dict[str, AgentScript]:
        """The scripts of a file of the project. Raises UserError."""
        if self._project is None:
            raise UserError(
                _("The script {name} is a file of a project", name=name), "", _("Name the project")
            )
        root = self._project.folder.resolve()
        path = (root / Path(name)).resolve()
        if not path.is_relative_to(root):
            raise UserError(
                _("The script {name} lies outside the project", name=name), "", _("Copy it into the project")
            )
        try:
            return read_script_file(read_text(path), name)
        except RuleError as error:
            raise UserError(
                _("The script {name} cannot be read", name=name), error.why or error.what,
                _("Write it as a list of actions, see the guide to agents"),
            ) from None  # fmt: skip


def action_on(scripted: ScriptedAction, tree: Tree | None, screen: Size) -> Action | None:
    """The action on a screen; None when a node it names is not there. Raises TooManyStepsError."""
    values = dict(scripted.values)
    if scripted.direction:
        start, end = _through_the_middle(screen, scripted.direction)
        return Swipe(start.x, start.y, end.x, end.y, **values)
    at = _point(scripted.at, tree, screen)
    if scripted.to is not None:
        to = _point(scripted.to, tree, screen)
        if at is None or to is None:
            return None
        return ACTIONS[scripted.kind](**{"x1": at.x, "y1": at.y, "x2": to.x, "y2": to.y, **values})
    if scripted.kind == "scroll" and scripted.at is None:
        at = Point(screen.width // 2, screen.height // 2)
    if scripted.at is not None and at is None:
        return None
    if scripted.kind == "type":
        values["length"] = len(values["text"])
    return ACTIONS[scripted.kind](**({"x": at.x, "y": at.y} if at is not None else {}), **values)


def _point(place: ScriptPlace | None, tree: Tree | None, screen: Size) -> Point | None:
    if place is None:
        return None
    if not isinstance(place, NodePlace):
        return place.on(screen)
    node = place.find(tree, screen) if tree is not None else None
    return node.bounds.center if node is not None and node.bounds is not None else None


def _through_the_middle(screen: Size, direction: str) -> tuple[Point, Point]:
    """Where a finger that moves in ``direction`` begins and ends."""
    width, height = screen.width, screen.height
    across, down = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}[direction]
    dx, dy = round(across * _SWIPE_SHARE * width), round(down * _SWIPE_SHARE * height)
    x, y = width // 2, height // 2
    return Point(x - dx, y - dy), Point(x + dx, y + dy)


def create(options: Mapping[str, Any], project: Project | None) -> Agent:
    """A new agent of the kind."""
    return ScriptedAgent(options, project)


def _files(options: Mapping[str, Any], project: Project | None, task: str) -> tuple[Path, ...]:
    name = str(options.get("file") or "").replace(TASK_PLACE, task)
    return (project.folder / name,) if name and project is not None else ()


KIND = AgentKind(
    "scripted",
    N_("Script"),
    create,
    N_("Does the actions of a YAML script, by selectors or coordinates, with conditions of the rule grammar"),
    (
        PluginOption(
            "file", str, "",
            N_("The script, a file of the project; {task} stands for the id of the task"),
        ),
        PluginOption("actions", list, [], N_("The script itself, as a list of actions")),
        PluginOption("waits", int, _WAITS, N_("How many times to wait for a node or a condition"), least=0),
        PluginOption("wait_ms", int, _WAIT_MS, N_("Milliseconds of each wait"), least=0),
    ),
    (SCREENSHOT_AND_TREE, SCREENSHOT, TREE),
    files=_files,
)  # fmt: skip
