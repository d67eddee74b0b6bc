"""The actions of an episode on its phone: checked, with the tap before a text, and never for too long."""

from __future__ import annotations

import threading
from collections.abc import Callable

from collector.agents.agent import erased_by, tool_of
from collector.device.errors import CallCancelled
from collector.hierarchy.password_fields import field_at
from collector.model.action import Action, Tap, Type
from collector.model.episode import AgentTurn
from collector.model.tree import Node
from collector.recorder.observer import Observer
from collector.recorder.passwords.password_keys import password_character
from collector.recorder.passwords.text_destination import TextDestination, destination_on, is_shown
from collector.recorder.screen_moment import ScreenMoment
from collector.replay.action_executor import ActionExecutor
from collector.run.cycle.operations import executable

MOST_ERASED = 1000
"""The most characters that one answer deletes."""
FOCUS_S = 0.3
"""Between the tap on a field and the text: a phone needs a moment to give it the focus."""
Hide = Callable[[str, TextDestination], None]
"""Called with a text that is to be hidden; of a password before it is typed."""


class ActionRunner:
    """Executes actions. Blocking; raises DeviceError, ActionRefused, and CallCancelled once cancelled."""

    def __init__(
        self, executor: ActionExecutor, observer: Observer, cancelled: threading.Event, hide: Hide
    ) -> None:
        self._executor, self._observer, self._cancelled = executor, observer, cancelled
        self.hide = hide
        self.hides_text = False
        """Whether the text that the last action typed is hidden, also when it failed."""

    @staticmethod
    def executable(turn: AgentTurn, screen: ScreenMoment) -> Action:
        """The action of an answer as it can be executed; an Invalid when it cannot be."""
        return executable(turn.predicted, screen.screen)

    def do(self, action: Action, turn: AgentTurn | None, screen: ScreenMoment) -> Action:
        """Execute an action; the action as it was done, of an app that only had a name with its package."""
        self.hides_text = False
        if isinstance(action, Type):
            self._type(action, turn, screen)
            return action
        if character := password_character(action, screen):
            self._hide_typed(character, TextDestination.PASSWORD)
        return self._executor.do(action, screen.screen, tool=tool_of(turn) if turn is not None else "")

    def _type(self, action: Type, turn: AgentTurn | None, seen: ScreenMoment) -> None:
        """Tap the field and type; the field that takes the text decides whether it is hidden.

        The tree is read again only after a tap, and after a text whose field is not known.
        """
        now, destination = seen, TextDestination.PLAIN
        focus = _focus_of(turn, seen)
        if focus is not None:
            self._executor.do(focus, seen.screen)
            if self._cancelled.wait(FOCUS_S):
                raise CallCancelled("episode")
        if action.text:
            now = self._observer.with_new_tree(seen) if focus is not None else seen
            destination = destination_on(action.text, now, _field_of(focus, seen))
        if destination is TextDestination.PASSWORD:
            self._hide_typed(action.text, destination)
        is_known = destination is not TextDestination.UNKNOWN
        erase = erased_by(turn) if turn is not None else 0
        try:
            self._executor.do(action, seen.screen, erase=min(erase, MOST_ERASED))
            is_known = is_known or self._is_shown(action.text, now)
        finally:
            if not is_known:
                self._hide_typed(action.text, destination)

    def _is_shown(self, text: str, before: ScreenMoment) -> bool:
        return is_shown(text, before.tree, self._observer.with_new_tree(before).tree)

    def _hide_typed(self, text: str, destination: TextDestination) -> None:
        self.hides_text = True
        self.hide(text, destination)


def _field_of(tapped: Tap | None, seen: ScreenMoment) -> Node | None:
    return field_at(seen.tree, tapped.point) if tapped is not None and seen.tree is not None else None


def _focus_of(turn: AgentTurn | None, screen: ScreenMoment) -> Tap | None:
    """The tap that goes before a text; None when the answer names no place, or one off the screen."""
    place = turn.focus if turn is not None else None
    tap = executable(Tap(place.x, place.y), screen.screen) if place is not None else None
    return tap if isinstance(tap, Tap) else None
