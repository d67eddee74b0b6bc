"""What becomes of an open dialog: answered, dismissed, or still there after any number of steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from collector.anomalies import companion, native
from collector.anomalies.errors import AnomalyError
from collector.anomalies.events import ANSWERED, DISMISSED, FAILED, FOLLOWED, STALLED, UNCLEAR
from collector.anomalies.follow_ups import answer_to, as_logged, follow_ups
from collector.anomalies.injected_anomaly import InjectedAnomaly, InjectionStage
from collector.anomalies.model import FollowUp
from collector.anomalies.placeholders import as_shown, fill
from collector.anomalies.trust import CommandGate
from collector.device.errors import ABSENT, CallCancelled, DeviceError, DeviceTimeout
from collector.device.protocols import Cancel, Device
from collector.model.anomaly_terms import DISMISS
from collector.model.i18n import _

_PATIENCE = 4
"""Looks at a log that stays silent after the dialog is gone, before nobody waits for it any more."""


class EmitEvent(Protocol):
    """Tells an event of an injection with what belongs to its kind."""

    def __call__(self, one: InjectedAnomaly, kind: str, **details: str) -> None: ...


class _LogReading(NamedTuple):
    """What one reading of the log gave."""

    event: str = ""
    heard: bool = True
    """The log spoke."""
    lost: bool = False
    """It was cleared or ran over since it was read last: what was in it nobody knows."""


class DialogTracker:
    """Looks at the phone, moves an injection on and runs its follow-ups."""

    def __init__(self, device: Device, tell: EmitEvent, gate: Callable[[], CommandGate]) -> None:
        self._device, self._tell, self._gate = device, tell, gate

    def look(self, one: InjectedAnomaly, cancel: Cancel | None = None) -> None:
        """One look. Raises DeviceError when the phone is gone."""
        said = self._hear(one, cancel)
        if not said.event:
            if self._is_open(one, cancel):
                one.marked = one.marked and not said.lost  # from here on the log is whole again
                return
            if said.heard:  # the log may come a moment after the window closed
                said = self._hear(one, cancel)
        if said.event:
            self._answered(one, said.event, cancel)
        else:
            self._left(one, said, cancel)

    def _hear(self, one: InjectedAnomaly, cancel: Cancel | None) -> _LogReading:
        """What the log says of the dialog's buttons: the first event of one of them."""
        shown = as_shown(one.anomaly, one.values)
        try:
            found = companion.read_events(self._device, shown, one.since, cancel)
        except DeviceTimeout as error:
            if not one.silent:
                self._tell(one, STALLED, reason=str(error))
            one.silent += 1
            return _LogReading(heard=False)
        one.silent = 0
        lost = one.marked and not found.marked
        one.marked = one.marked or found.marked
        known = {as_logged(answer.event) for answer in shown.answers}
        # A button that was given no event logs one of the app's own.
        anything = not known or "" in known
        return _LogReading(
            next((event for event in found.events if anything or event in known), ""), lost=lost
        )

    def _is_open(self, one: InjectedAnomaly, cancel: Cancel | None) -> bool:
        return companion.is_open(self._device, one.anomaly, cancel)

    def _left(self, one: InjectedAnomaly, said: _LogReading, cancel: Cancel | None) -> None:
        if said.heard and not said.lost:
            one.stage, one.answer = InjectionStage.DISMISSED, DISMISS
            self._tell(one, DISMISSED, answer=DISMISS)
            self._follow(one, cancel)
        elif said.lost or one.silent >= _PATIENCE:
            one.stage = InjectionStage.UNCLEAR
            reason = _("The dialog is gone, and the phone's log does not say whether it was answered")
            self._tell(one, UNCLEAR, reason=reason)

    def _answered(self, one: InjectedAnomaly, event: str, cancel: Cancel | None) -> None:
        answer = answer_to(as_shown(one.anomaly, one.values), event)
        one.stage, one.event = InjectionStage.ANSWERED, event
        one.answer = answer.name if answer is not None else ""
        button = answer.button if answer is not None else ""
        self._tell(one, ANSWERED, answer=one.answer, event=event, button=button)
        self._follow(one, cancel)

    def _follow(self, one: InjectedAnomaly, cancel: Cancel | None) -> None:
        # What follows is written for the event of the library, whatever the button was told to log.
        named = next((answer.event for answer in one.anomaly.answers if answer.name == one.answer), "")
        for follow in follow_ups(one.anomaly, one.answer, named or one.event, one.follow_up):
            self._run(one, follow, cancel)

    def _run(self, one: InjectedAnomaly, follow: FollowUp, cancel: Cancel | None) -> None:
        if follow.command is None:
            self._tell(one, FOLLOWED, message=follow.message or follow.description)
            return
        values = {**one.values, "package": one.package} if one.package else dict(one.values)
        command = follow.command.text
        try:
            command = fill(command, values)
            self._gate().check(follow.command.text, command)
            said = native.run(self._device, command, cancel)
        except CallCancelled:
            raise
        except (AnomalyError, DeviceError) as error:
            # One that only does not end holds nothing up: the dialog is answered, and the next may run.
            self._tell(one, FAILED, command=command, reason=str(error))
            if isinstance(error, ABSENT):
                raise
        else:
            self._tell(one, FOLLOWED, command=command, said=said[:400], message=follow.description)
