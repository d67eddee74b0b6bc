"""Inject an anomaly during a replay and answer its dialog on the screen."""

from __future__ import annotations

import time
from dataclasses import dataclass

from collector.anomalies.dialogs.answer_button import answer_node
from collector.anomalies.dialogs.dialog_monitor import wait_until_over
from collector.anomalies.injected_anomaly import InjectedAnomaly, InjectionStage
from collector.anomalies.injector import InjectionRequest, Injector
from collector.device.errors import DumpFailed
from collector.hierarchy.errors import HierarchyError
from collector.model.action import Key, Tap
from collector.model.anomaly_terms import DISMISS
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.tree import Node
from collector.recorder.screen_moment import ScreenMoment
from collector.replay.replay import Replay

_BUTTON_S = 15.0
"""Longest wait for a button: a dialog with a progress bar shows it late."""
_OVER_S = 4.0
_TRIES = 3
_LOOK_AGAIN_S = 0.2


class DialogNotAnswered(UserError):  # noqa: N818 - a state of the dialog
    """The dialog stayed open after every try."""


@dataclass(frozen=True, slots=True)
class AnomalyAnswerer:
    """Injects into the phone of one replay, and presses the buttons of the dialog."""

    injector: Injector
    replay: Replay

    def inject_and_answer(self, request: InjectionRequest, answer: str) -> InjectedAnomaly:
        """Inject, and give ``answer`` to a dialog: a name of rules, or ``dismiss`` for BACK.

        Raises AnomalyError for what cannot be injected, Unanswered, and DeviceError.
        """
        injection = self.injector.fire(request, self.replay.cancelled)
        for _try in range(_TRIES if injection.stage is InjectionStage.OPEN else 0):
            self._press(injection, answer)
            if wait_until_over(self.injector, injection, _OVER_S, self.replay.cancelled):
                break
        self.replay.observer.pause(0)
        if injection.stage is InjectionStage.OPEN:
            raise DialogNotAnswered(_("The dialog of {id} stayed open", id=injection.anomaly.id))
        return injection

    def _press(self, injection: InjectedAnomaly, answer: str) -> None:
        """Try once; a dialog that closed meanwhile needs no answer."""
        if answer == DISMISS:
            self.replay.do(Key("back"), self.replay.observer.glance())
            return
        end = time.monotonic() + _BUTTON_S
        while (
            self.injector.look(self.replay.cancelled) is not None and injection.stage is InjectionStage.OPEN
        ):
            screen = self._screen()
            node = self._button(injection, answer, screen)
            if screen is not None and node is not None and node.bounds is not None:
                place = node.bounds.center
                self.replay.do(Tap(place.x, place.y), screen)
                return
            if time.monotonic() > end:
                raise DialogNotAnswered(
                    _(
                        "The dialog of {id} shows no button for {answer}",
                        id=injection.anomaly.id,
                        answer=answer,
                    )
                )
            self.replay.observer.pause(_LOOK_AGAIN_S)

    def _screen(self) -> ScreenMoment | None:
        try:
            return self.replay.observer.glance()
        except (DumpFailed, HierarchyError):
            return None

    @staticmethod
    def _button(injection: InjectedAnomaly, answer: str, screen: ScreenMoment | None) -> Node | None:
        tree = screen.tree if screen is not None else None
        return answer_node(tree, injection.anomaly, answer) if tree is not None else None
