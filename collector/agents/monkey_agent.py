"""The kind ``monkey``: random actions, the same ones for the same seed on the same screens."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from collector.agents.agent import SCREENSHOT, SCREENSHOT_AND_TREE, TREE, Agent, AgentEpisode, Observation
from collector.agents.kinds import AgentKind
from collector.device.errors import CallCancelled
from collector.hierarchy.captions import caption, focused_field
from collector.located_yaml.nearest_word import nearest
from collector.model.action import Action, Key, LongPress, OpenApp, Swipe, Tap, Type
from collector.model.episode import AgentTurn
from collector.model.errors import UserError
from collector.model.geometry import Point, Rect
from collector.model.i18n import N_, _
from collector.model.tree import Node
from collector.model.usage import Usage
from collector.plugins.options import PluginOption
from collector.recorder.screen_moment import ScreenMoment
from collector.replay.target_search import is_shown
from collector.store.project.project import Project

WEIGHTS: Mapping[str, float] = {
    "tap": 60, "scroll": 15, "type": 12, "long_press": 4, "back": 6, "enter": 3, "home": 0, "recents": 0,
}  # fmt: skip
"""How often each kind of action is chosen where it is possible, by default."""
TEXTS = ("hello", "42", "Anna Berg", "test@example.com")
_STAY = 2
"""Steps in another app before the task's is opened."""
_PLACES = 8
"""Across and down, of a screen without a tree: places to touch."""
_MOST_ALIKE = 3
_KEYS = ("back", "enter", "home", "recents")


class MonkeyAgent:
    """Acts at random on what can be clicked, scrolled or typed into. It never says that it is done."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        _check_weights(options["weights"])
        self._weights = {**WEIGHTS, **options["weights"]}
        self._texts = _texts_of(options["texts"] or TEXTS, "texts")
        self._declared = _texts_of(options["packages"], "packages")
        self._stay = options["stay"]
        self._packages: tuple[str, ...] = ()
        self._seed = ""
        self._away = 0
        self._has_begun = False

    def begin(self, episode: AgentEpisode) -> None:
        """Begin with the seed of the episode."""
        task = episode.task
        self._packages = self._declared or ((task.package,) if task.package else ())
        self._seed = f"{episode.seed}/{task.id}"
        self._away = 0
        self._has_begun = False

    def act(self, observation: Observation, cancel: threading.Event) -> AgentTurn:
        """A random action, or the task's app opened again after a while in another. Raises CallCancelled."""
        if cancel.is_set():
            raise CallCancelled("monkey")
        began = time.monotonic()
        action = self._homeward(observation.screen) or self._random(observation)
        thought = _("At random: {what}", what=caption(action, observation.tree))
        return AgentTurn(
            thought, predicted=action, usage=Usage(time_ms=round((time.monotonic() - began) * 1000))
        )

    def close(self) -> None:
        """Nothing is open."""

    # -- choices -------------------------------------------------------------
    def _homeward(self, live: ScreenMoment) -> Action | None:
        """Open the app of the task when it is not in front: at once at the beginning, later after a while."""
        began, self._has_begun = self._has_begun, True
        if not self._packages or not live.package or live.package in self._packages:
            self._away = 0
            return None
        self._away += 1
        if began and self._away <= self._stay:
            return None
        self._away = 0
        return OpenApp(self._packages[0])

    def _random(self, observation: Observation) -> Action:
        """The step's own generator decides, so that an earlier step more or less changes nothing here."""
        chance = random.Random(f"{self._seed}/{observation.step}")
        past = [step.action for step in observation.history[-_MOST_ALIKE:]]
        worn_out = past[0] if len(past) == _MOST_ALIKE and len(set(past)) == 1 else None
        choices = self._choices(observation.screen)
        weights = [self._weights[kind] for kind, _make in choices]
        action: Action = Key("back")
        for _try in range(_PLACES):
            if any(weights):
                action = chance.choices(choices, weights)[0][1](chance)
            if action != worn_out:
                break
        return action

    def _choices(self, live: ScreenMoment) -> list[tuple[str, Callable[[random.Random], Action]]]:
        """The kinds of actions that are possible on a screen, each with what makes one."""
        choices: list[tuple[str, Callable[[random.Random], Action]]] = [
            (name, partial(_key, name)) for name in _KEYS
        ]
        if live.tree is None:
            places = _places(Rect(0, 0, live.screen.width, live.screen.height))
            choices.append(("tap", lambda chance: _tap(chance.choice(places))))
            choices.append(("long_press", lambda chance: _long_press(chance.choice(places))))
            choices.append(("scroll", lambda chance: _swipe(places, chance)))
            choices.append(("type", self._type))
            return choices
        nodes = [node for node in live.tree if is_shown(node, live.screen) and node.flag("enabled")]
        clicked = [node for node in nodes if node.clickable]
        held = [node for node in nodes if node.flag("long-clickable")]
        scrolled = [node for node in nodes if node.flag("scrollable")]
        if clicked:
            choices.append(("tap", lambda chance: _tap(_middle(chance.choice(clicked)))))
        if held:
            choices.append(("long_press", lambda chance: _long_press(_middle(chance.choice(held)))))
        if scrolled:
            choices.append(("scroll", lambda chance: _swipe(_places(_box(chance.choice(scrolled))), chance)))
        field = focused_field(live.tree)
        if field is not None and ("EditText" in field.class_name or field.password):
            choices.append(("type", self._type))
        return choices

    def _type(self, chance: random.Random) -> Action:
        text = chance.choice(self._texts)
        return Type(text, len(text))


def _box(node: Node) -> Rect:
    assert node.bounds is not None
    return node.bounds


def _middle(node: Node) -> Point:
    return _box(node).center


def _places(box: Rect) -> list[Point]:
    """Places spread over a box, without its edges, row by row."""
    step = 2 * _PLACES
    odd = range(1, step, 2)
    return [
        Point(box.left + box.width * across // step, box.top + box.height * down // step)
        for down in odd
        for across in odd
    ]


def _key(name: str, _chance: random.Random) -> Action:
    return Key(name)


def _tap(place: Point) -> Action:
    return Tap(place.x, place.y)


def _long_press(place: Point) -> Action:
    return LongPress(place.x, place.y)


def _swipe(places: Sequence[Point], chance: random.Random) -> Action:
    """Through the middle of the places, up or down more often than to the sides."""
    quarter = _PLACES // 4
    near, far = quarter, _PLACES - 1 - quarter
    column = [places[row * _PLACES + _PLACES // 2] for row in (far, near)]
    row = [places[_PLACES * (_PLACES // 2) + at] for at in (far, near)]
    start, end = chance.choices((column, column[::-1], row, row[::-1]), (4, 2, 1, 1))[0]
    return Swipe(start.x, start.y, end.x, end.y)


def _check_weights(weights: Mapping[Any, Any]) -> None:
    """Raise UserError for a weight of no kind of action, or that is no number from 0 up."""
    for name, weight in weights.items():
        if name not in WEIGHTS:
            near = nearest(str(name), WEIGHTS)
            raise UserError(
                _("There is no weight for {name}", name=name),
                "",
                _("Write {word}", word=near) if near else _("Use: {known}", known=", ".join(WEIGHTS)),
            )
        is_number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
        if not is_number or not 0 <= weight < float("inf"):
            raise UserError(_("The weight of {name} is a number from 0 up", name=name))
    if weights and not any({**WEIGHTS, **weights}.values()):
        raise UserError(_("Every weight is 0, so nothing can be chosen"))


def _texts_of(values: Sequence[Any], name: str) -> tuple[str, ...]:
    if not all(isinstance(value, str) and value for value in values):
        raise UserError(_("{name} is a list of texts", name=name))
    return tuple(values)


def create(options: Mapping[str, Any], project: Project | None) -> Agent:
    """A new agent of the kind."""
    del project
    return MonkeyAgent(options)


KIND = AgentKind(
    "monkey",
    N_("Monkey"),
    create,
    N_("Acts at random on what can be clicked, scrolled or typed into; the seed decides"),
    (
        PluginOption(
            "weights", dict, {},
            N_("How often each kind of action is chosen: tap, scroll, type, long_press, back, enter, home, "
               "recents"),
        ),
        PluginOption(
            "packages", list, [],
            N_("Apps it may act in, the first one is opened again; the task's app by default"),
        ),
        PluginOption(
            "stay", int, _STAY, N_("Steps in any other app before the first one is opened again"), least=0
        ),
        PluginOption("texts", list, list(TEXTS), N_("Texts it types")),
    ),
    (SCREENSHOT_AND_TREE, SCREENSHOT, TREE),
)  # fmt: skip
