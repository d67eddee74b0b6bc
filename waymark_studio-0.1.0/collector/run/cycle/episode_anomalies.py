"""The anomalies of one episode: injected, followed until they are over, and undone at the end."""

from __future__ import annotations

import threading
from collections.abc import Callable

from collector.anomalies.anomaly_source import AnomalySource
from collector.anomalies.dialogs.dialog_monitor import wait_until_over
from collector.anomalies.events import FOLLOWED, AnomalyEvent
from collector.anomalies.injected_anomaly import InjectedAnomaly
from collector.anomalies.injection_session import InjectionSession
from collector.anomalies.injector import InjectionRequest
from collector.device.protocols import Device
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.geometry import Rect
from collector.model.tree import Tree
from collector.recorder.screen_moment import ScreenMoment
from collector.rules.grammar.model import Injection
from collector.run.cycle.conditions import anomaly_to_inject

WATCH_S = 1.0
"""How long D-GARA waits for the answer after the one action that it watches."""


def undo_leftovers(device: Device, source: AnomalySource) -> None:
    """Undo what anomalies of earlier episodes left on a phone, as when their runner was killed.

    Raises DeviceError, and PhoneInUse while another program changes the phone.
    """
    session = InjectionSession(device, source.trust, ask=lambda _effects: False)
    try:
        session.restore()
    finally:
        session.close(restore=False)


class EpisodeAnomalies:
    """Injects into the phone of one episode. Belongs to the thread of the cycle; blocking.

    Nobody is asked: a command that is dangerous, or that nobody trusted, is not run.
    """

    def __init__(
        self, device: Device, source: AnomalySource, package: str, buttons: int | None,
        note: Callable[[AnomalyEvent], None], next_step: Callable[[], int | None],
        cancelled: threading.Event,
    ) -> None:  # fmt: skip
        """``package`` is the app of the task, ``note`` gets every event, in order."""
        self._source, self._package, self._buttons = source, package, buttons
        self._note = note
        self._session = InjectionSession(
            device, source.trust, ask=lambda _effects: False, next_step=next_step
        )
        self._events: list[AnomalyEvent] = []
        self._session.injector.events.subscribe(self._events.append)
        self._cancel = cancelled

    @property
    def is_open(self) -> bool:
        """Whether a dialog waits for its answer, and is followed."""
        return self._session.injector.open is not None

    @property
    def count(self) -> int:
        """How many anomalies were injected."""
        return len(self._session.injector.injected)

    def inject(self, injection: Injection) -> InjectedAnomaly:
        """Inject. Raises UserError for what cannot be injected here, DialogInFront among them."""
        anomaly = anomaly_to_inject(self._source, injection.interference_id, self._buttons)
        request = InjectionRequest(anomaly, self._package, follow_up=injection.follow_up)
        try:
            return self._session.fire(request)
        finally:
            self._emit()

    def look(self, screen: ScreenMoment | None) -> bool:
        """Look at the open dialog, and run the follow-ups of its answer.

        Return whether the screen may be another one now than ``screen``.
        """
        injector = self._session.injector
        injection = injector.look(self._cancel)
        ran = any(event.kind == FOLLOWED and event.command for event in self._events)
        self._emit()
        if injection is None or not injection.is_over:
            return False
        return ran or (screen is not None and screen.package == COMPANION_PACKAGE)

    def watch_one_action(self) -> None:
        """As D-GARA: wait a second for the answer, run its follow-ups, and forget a dialog still open."""
        injector = self._session.injector
        injection = injector.open
        if injection is None:
            return
        try:
            if not wait_until_over(injector, injection, WATCH_S, self._cancel):
                injector.forget(injection.id)
        finally:
            self._emit()

    @staticmethod
    def bounds_in(tree: Tree | None) -> Rect | None:
        """Bounds of an injected dialog on the screen; None without one."""
        if tree is None:
            return None
        dialog = next((node for node in tree if node.package == COMPANION_PACKAGE and node.bounds), None)
        return dialog.bounds if dialog is not None else None

    def undo(self) -> list[str]:
        """Undo what is left of the anomalies of this episode; why something could not be, in sentences.

        Raises UserError when the phone does not answer.
        """
        if not self.count:
            return []
        try:
            results = self._session.undo()
        finally:
            self._emit()
        return [result.problem for result in results if result.problem]

    def close(self) -> None:
        """Give the undo journal back. What is not undone stays in it."""
        self._session.close(restore=False)

    def _emit(self) -> None:
        """Hand the events on, outside of the injector's emission, so that a full disk is not missed."""
        while self._events:
            self._note(self._events.pop(0))
