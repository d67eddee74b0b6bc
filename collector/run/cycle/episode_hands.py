"""The actions of an episode on its phone: checked, with the tap before a text, and never for too long."""

from __future__ import annotations

import threading

from collector.agents.agent import erased_by
from collector.agents.translators.dialect import FOCUS
from collector.device.errors import CallCancelled
from collector.model.action import Action, Tap, Type
from collector.model.episode import AgentTurn
from collector.recorder.screen_moment import ScreenMoment
from collector.replay.action_executor import ActionExecutor
from collector.run.cycle.operations import executable

MOST_ERASED = 1000
"""The most characters that one answer deletes."""
FOCUS_S = 0.3
"""Between the tap on a field and the text: a phone needs a moment to give it the focus."""


class EpisodeHands:
    """Executes actions. Blocking; raises DeviceError, ActionRefused, and CallCancelled once cancelled."""

    def __init__(self, executor: ActionExecutor, cancelled: threading.Event) -> None:
        self._executor, self._cancelled = executor, cancelled

    @staticmethod
    def executable(turn: AgentTurn, screen: ScreenMoment) -> Action:
        """The action of an answer as it can be executed; an Invalid when it cannot be."""
        return executable(turn.predicted, screen.screen)

    def do(self, action: Action, turn: AgentTurn | None, screen: ScreenMoment) -> Action:
        """Execute an action; the action as it was done, of an app that only had a name with its package."""
        focus = _focus_of(turn, screen) if isinstance(action, Type) else None
        if focus is not None:
            self._executor.do(focus, screen.screen)
            if self._cancelled.wait(FOCUS_S):
                raise CallCancelled("episode")
        erase = erased_by(turn) if turn is not None and isinstance(action, Type) else 0
        return self._executor.do(action, screen.screen, erase=min(erase, MOST_ERASED))


def _focus_of(turn: AgentTurn | None, screen: ScreenMoment) -> Tap | None:
    """The tap that goes before a text; None when the answer names no place, or one off the screen."""
    place = turn.extra.get(FOCUS) if turn is not None else None
    if not isinstance(place, (list, tuple)) or len(place) != 2:
        return None
    tap = executable(Tap(*place), screen.screen)
    return tap if isinstance(tap, Tap) else None
