"""The agent ``oracle``: does any task that has a target on a virtual phone, by a search over a twin of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Any

from collector.agents.agent import AgentEpisode, Observation
from collector.agents.dialog_policy import DialogPolicy
from collector.agents.screen_dialogs import ScreenDialog, find_dialog
from collector.device.errors import CallCancelled
from collector.model.action import Action, Answer, Complete, Impossible, Key, OpenApp, Tap, Wait
from collector.model.episode import AgentTurn
from collector.model.errors import UserError
from collector.model.expected_answer import REGEX
from collector.model.i18n import _
from collector.model.tree import Tree
from collector.model.usage import Usage
from collector.model.variation.phone_variation import DEFAULT
from collector.oracle.oracle import Oracle
from collector.oracle.search import SearchLimit
from collector.oracle.twin_phone import TwinOptions, TwinPhone, twin_of
from collector.recorder.screen_moment import ScreenMoment
from collector.store.project.project import Project
from collector.targets.expected_data import InapplicableTargetError
from collector.variations.registry import Variations

_HOME = "com.waymark.launcher"
_WAIT_MS = 1000
_MOST_REPEATS, _MOST_ANSWERS, _MOST_HOMES = 2, 4, 3
_SEEDS = 10
"""Seeds that are tried beside that of the episode."""


class OracleAgent:
    """Keeps a twin of the phone, searches there, and does on both what it found."""

    def __init__(self, options: Mapping[str, Any], project: Project | None) -> None:
        self._policy = DialogPolicy(options["policy"], project)
        self._limit = SearchLimit(options["states"])
        self._most = options["recoveries"]
        self._project = project
        self._episode: AgentEpisode | None = None
        self._twin: TwinPhone | None = None
        self._oracle: Oracle | None = None
        self._last: tuple[ScreenMoment, Action] | None = None
        """The last screen and what was done there."""
        self._answers: dict[tuple[str, ...], int] = {}
        self._repeats = self._lost = self._recoveries = self._homes = 0
        self._has_answered = False

    def begin(self, episode: AgentEpisode) -> None:
        """Begin an episode. Raises UserError for a task without a target."""
        if episode.task.target is None:
            raise UserError(
                _("The task {id} has no target", id=episode.task.id),
                _("the oracle searches for what the target of a task says"),
            )
        self.close()
        self._episode, self._oracle, self._last = episode, None, None
        self._answers = {}
        self._repeats = self._lost = self._recoveries = self._homes = 0
        self._has_answered = False

    def act(self, observation: Observation, cancel: threading.Event) -> AgentTurn:
        """The next action of the search, or one that leads back to it. Raises CallCancelled."""
        if cancel.is_set():
            raise CallCancelled("oracle")
        began = time.monotonic()
        thought, action = self._answer(observation.screen)
        usage = Usage(time_ms=round((time.monotonic() - began) * 1000))
        return AgentTurn(thought, predicted=action, usage=usage)

    def close(self) -> None:
        """Switch the twin off."""
        if self._twin is not None:
            self._twin.close()
            self._twin = None

    # ---- one answer -----------------------------------------------------------------------------

    def _answer(self, live: ScreenMoment) -> tuple[str, Action]:
        tree = live.tree
        if tree is None:
            return self._recovered(_("The screen cannot be read"), Wait(_WAIT_MS))
        dialog = find_dialog(tree) if self._twin is None or find_dialog(self._twin.tree) is None else None
        if dialog is not None and (answer := self._to_dialog(dialog, tree)) is not None:
            return answer
        if self._twin is None:
            if live.package != _HOME and self._homes < _MOST_HOMES:
                self._homes += 1
                return self._recovered(_("Begin at the home screen"), Key("home"))
            if (problem := self._start(live)) is not None:
                return problem, Impossible(problem)
        twin = self._twin
        assert twin is not None
        if twin.is_on(live):
            self._lost = 0
            return self._next(live, tree, twin)
        return self._find_back(live, twin)

    def _start(self, live: ScreenMoment) -> str | None:
        """Make the twin; why there is none, in a sentence."""
        episode = self._episode
        assert episode is not None
        folder = self._project.folder if self._project is not None else None
        seeds = tuple(dict.fromkeys((episode.seed, *range(1, _SEEDS + 1))))
        locales = tuple(dict.fromkeys(filter(None, (episode.language, "en-US", "zh-CN"))))
        variation = Variations(folder).resolve(episode.variation or DEFAULT)
        self._twin = twin_of(live, TwinOptions(seeds, locales, variation))
        if self._twin is None:
            return _("This is no virtual phone in its first state: its apps keep something else")
        target = episode.task.target
        assert target is not None
        self._oracle = Oracle(self._twin.phone, target, self._twin.stepped.app_data(), self._limit)
        return None

    def _next(self, live: ScreenMoment, tree: Tree, twin: TwinPhone) -> tuple[str, Action]:
        oracle = self._oracle
        assert oracle is not None
        try:
            action = oracle.next()
        except InapplicableTargetError as error:
            return str(error), Impossible(str(error))
        if action is None:
            return self._end(oracle)
        there = twin.on_screen(action, tree)
        if there is None:
            oracle.replan()
            return self._find_back(live, twin)
        twin.do(action)
        self._last, self._repeats = (live, there), 0
        return _("The next action that the search found"), there

    def _end(self, oracle: Oracle) -> tuple[str, Action]:
        episode, plan = self._episode, oracle.plan
        assert episode is not None
        if plan is not None and plan.lacking is not None:
            problem = _("No way was found within {count} states", count=oracle.states)
            return problem, Impossible(problem)
        expected = episode.task.expected_answer
        if expected is not None and expected.rule != REGEX and not self._has_answered:
            self._has_answered = True
            return _("Say what the task expects"), Answer(" ".join(expected.texts[:1]))
        return _("Everything is as the target says"), Complete()

    # ---- what the twin does not show ------------------------------------------------------------

    def _to_dialog(self, dialog: ScreenDialog, tree: Tree) -> tuple[str, Action] | None:
        """An answer to a dialog that interrupts the task; None when each was tried."""
        choices, tried = self._policy.choices(dialog, tree), self._answers.get(dialog.words, 0)
        if tried >= min(_MOST_ANSWERS, len(choices)):
            return None
        self._answers[dialog.words] = tried + 1
        name, node = choices[tried]
        action: Action = Key("back")
        if node is not None and node.bounds is not None:
            action = Tap(node.bounds.center.x, node.bounds.center.y)
        why = _("The dialog '{title}' is answered: {answer}", title=dialog.title, answer=name)
        return self._recovered(why, action)

    def _find_back(self, live: ScreenMoment, twin: TwinPhone) -> tuple[str, Action]:
        """A screen that is not the twin's: do the last action again, wait, open the app, begin it anew."""
        if self._last is not None and self._last[0].is_same(live) and self._repeats < _MOST_REPEATS:
            self._repeats += 1
            return self._recovered(_("The last action changed nothing"), self._last[1])
        self._lost += 1
        if self._lost <= 2:
            return self._recovered(_("The screen may still change"), Wait(_WAIT_MS))
        home, package = twin.package == _HOME, twin.package
        if self._lost == 3 and live.package != package:
            return self._recovered(
                _("{name} is in front", name=live.package or "?"), Key("home") if home else OpenApp(package)
            )
        if self._lost % 2:
            return self._recovered(_("Begin at the home screen"), Key("home"))
        if home or self._oracle is None:
            return self._recovered(_("The screen may still change"), Wait(_WAIT_MS))
        # Its process may have ended on the phone, and its screens with it.
        twin.restart(package)
        self._oracle.replan()
        return self._recovered(_("{name} is opened again", name=package), OpenApp(package))

    def _recovered(self, why: str, action: Action) -> tuple[str, Action]:
        """A move of recovery, of which there are not endless ones."""
        self._recoveries += 1
        if self._recoveries > self._most:
            return why, Impossible(why)
        thought = _("Recovery {number} of {most}: {why}", number=self._recoveries, most=self._most, why=why)
        return thought, action
