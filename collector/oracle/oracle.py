"""The oracle: what to do next on a phone so that a target is reached. It looks behind the screen."""

from __future__ import annotations

from collector.model.action import Action, Key, OpenApp, Wait
from collector.model.app_data.collections import AppData
from collector.model.app_data.target import TaskTarget
from collector.oracle.answering_prompts import answer_of_prompt
from collector.oracle.carrying_out import WAIT_MS, next_action
from collector.oracle.moves import Move
from collector.oracle.plan import AppPlan, Plan, Planner
from collector.oracle.search import SearchLimit
from collector.virtual.system.phone import Phone

_MOST_ACTIONS, _MOST_PLANS = 12, 12
"""On the way to one move; and made anew in an episode."""
_PATIENCE, _KEYS, _LATE_MS, _HARMLESS = 5, 3, 3000, "volume_up"
"""Tries until something has to be on the screen: first keys, which change nothing, then waits."""


class Oracle:
    """Does one task on one phone. It asks the phone for the states of its apps, and searches from there."""

    def __init__(
        self, phone: Phone, target: TaskTarget, initial: AppData, limit: SearchLimit | None = None
    ) -> None:
        """``initial`` are the data of the apps before anything was done."""
        self._phone = phone
        limit = limit or SearchLimit()
        self._planner, self._shortest = Planner(target, initial, limit), limit.shortest
        self.at_least = 0
        """Actions that are needed at least, by the first plan."""
        self.plan: Plan | None = None
        """The last plan."""
        self.states = 0
        """Moments that were looked at in all."""
        self._plans = 0
        self._queue: list[tuple[AppPlan, Move | None]] = []
        self._tried = self._waited = 0
        self._last: tuple[AppPlan, Move | None] | None = None
        """The last move that was completed, and its app."""

    def next(self) -> Action | None:
        """The next action; None when all is done, or when nothing more can be done.

        Raises InapplicableTargetError when the target cannot be reached from the initial data.
        """
        if (answer := self._clear_front()) is not None:
            return answer
        self._check_last()
        if self.plan is None:
            self._make_plan()
        while self._queue:
            app, move = self._queue[0]
            if self._front_package() != app.package:
                return OpenApp(app.package)
            if move is None:
                self._queue.pop(0)
                continue
            action = self._towards(move)
            if action is not None:
                return action
            if self._waited > _PATIENCE:
                self._planner.avoid(self._phone, app, move)
            if not self._make_plan():
                return None
        return None

    def replan(self) -> None:
        """Forget the plan: the next one begins where the phone is then."""
        self.plan, self._last = None, None

    def _make_plan(self) -> bool:
        self._queue.clear()
        if self._plans >= _MOST_PLANS:
            return False
        self._plans += 1
        self._tried = self._waited = 0
        is_first = self._plans == 1
        self.plan = plan = self._planner.plan(self._phone, shortest=self._shortest if is_first else 0)
        if is_first:
            self.at_least = plan.at_least
        self.states += plan.states
        if plan.lacking is not None:
            return False
        for app in plan.apps:
            self._queue += [(app, None), *((app, move) for move in app.moves)]
        return bool(self._queue)

    def _towards(self, move: Move) -> Action | None:
        """The next action for a move; None when it cannot be done here."""
        found = next_action(self._phone, move)
        if found is None:
            self._waited += 1
            if self._waited > _PATIENCE:
                return None
            # What noise hides comes with the time, or after some inputs, which take their time as well.
            return Key(_HARMLESS) if self._waited <= _KEYS else Wait(_LATE_MS)
        self._tried += 1
        if self._tried > _MOST_ACTIONS:
            return None
        if found.completes:
            self._last = self._queue.pop(0)
            self._tried = self._waited = 0
        return found.action

    def _check_last(self) -> None:
        """Look whether the last move came to what the plan needs: else do it again, or plan anew.

        Something may go away under the finger, or come, so that another widget takes the touch.
        """
        if self._last is None or self.plan is None:
            return
        (app, move), self._last = self._last, None
        left = [other for plan, other in self._queue if plan is app and other is not None]
        if self._planner.leads_on(self._phone, app, left):
            return
        if move is not None and self._planner.leads_on(self._phone, app, [move, *left]):
            self._queue.insert(0, (app, move))
        else:
            self.replan()

    def _front_package(self) -> str:
        front = self._phone.focused
        return front.package if front is not None else ""

    def _clear_front(self) -> Action | None:
        """What closes a question of the system or a pop-up; None when an app is in front."""
        front = self._phone.front_window
        if front is None:
            return Wait(WAIT_MS)
        if front.kind == "prompt":
            return answer_of_prompt(self._phone, front)
        if front.kind in ("shade", "recents"):
            return Key("back")
        return None
