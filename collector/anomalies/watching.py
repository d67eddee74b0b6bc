"""What becomes of an open dialog: answered, dismissed, or still there after any number of steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from collector.anomalies import companion, native
from collector.anomalies.errors import AnomalyError
from collector.anomalies.events import ANSWERED, DISMISSED, FAILED, FOLLOWED, STALLED, UNCLEAR
from collector.anomalies.filling import fill
from collector.anomalies.follow_ups import answer_to, follow_ups
from collector.anomalies.injected import InjectedAnomaly, Stage
from collector.anomalies.model import FollowUp
from collector.anomalies.trust import Gate
from collector.device.errors import GONE, DeviceError, DeviceTimeout
from collector.device.protocols import Cancel, Device
from collector.model.words import _
from collector.rules.lint.follow_ups import DISMISS

_PATIENCE = 4
"""Looks at a log that stays silent after the dialog is gone, before nobody waits for it any more."""


class Tell(Protocol):
    """Tells an event of an injection with what belongs to its kind."""

    def __call__(self, one: InjectedAnomaly, kind: str, **details: str) -> None: ...


class Watching:
    """Looks at the phone, moves an injection on and runs its follow-ups."""

    def __init__(self, device: Device, tell: Tell, gate: Callable[[], Gate]) -> None:
        self._device, self._tell, self._gate = device, tell, gate

    def look(self, one: InjectedAnomaly, cancel: Cancel | None = None) -> None:
        """One look. Raises DeviceError when the phone is gone."""
        heard, event = self._hear(one, cancel)
        if not event and not self._is_open(one, cancel):
            if heard:  # the log may come a moment after the window closed
                heard, event = self._hear(one, cancel)
            if not event:
                self._left(one, heard, cancel)
                return
        if event:
            self._answered(one, event, cancel)

    def _hear(self, one: InjectedAnomaly, cancel: Cancel | None) -> tuple[bool, str]:
        """Whether the log spoke, and the first event of one of the dialog's buttons in it."""
        try:
            events = companion.read_events(self._device, one.anomaly, one.since, cancel)
        except DeviceTimeout as error:
            if not one.silent:
                self._tell(one, STALLED, reason=str(error))
            one.silent += 1
            return False, ""
        one.silent = 0
        known = {answer.event for answer in one.anomaly.answers}
        # A button that was given no event logs one of the app's own.
        anything = not known or "" in known
        return True, next((event for event in events if anything or event in known), "")

    def _is_open(self, one: InjectedAnomaly, cancel: Cancel | None) -> bool:
        return companion.is_open(self._device, one.anomaly, cancel)

    def _left(self, one: InjectedAnomaly, heard: bool, cancel: Cancel | None) -> None:
        if heard:
            one.stage, one.answer = Stage.DISMISSED, DISMISS
            self._tell(one, DISMISSED, answer=DISMISS)
            self._follow(one, cancel)
        elif one.silent >= _PATIENCE:
            one.stage = Stage.UNCLEAR
            reason = _("The dialog is gone, and the phone's log does not say whether it was answered")
            self._tell(one, UNCLEAR, reason=reason)

    def _answered(self, one: InjectedAnomaly, event: str, cancel: Cancel | None) -> None:
        answer = answer_to(one.anomaly, event)
        one.stage, one.event = Stage.ANSWERED, event
        one.answer = answer.name if answer is not None else ""
        button = answer.button if answer is not None else ""
        self._tell(one, ANSWERED, answer=one.answer, event=event, button=button)
        self._follow(one, cancel)

    def _follow(self, one: InjectedAnomaly, cancel: Cancel | None) -> None:
        for follow in follow_ups(one.anomaly, one.answer, one.event, one.follow_up):
            self._run(one, follow, cancel)

    def _run(self, one: InjectedAnomaly, follow: FollowUp, cancel: Cancel | None) -> None:
        if follow.command is None:
            self._tell(one, FOLLOWED, message=follow.message or follow.description)
            return
        values = {**one.values, "package": one.package} if one.package else dict(one.values)
        command = fill(follow.command.text, values)
        try:
            self._gate().check(follow.command.text, command)
            said = native.run(self._device, command, cancel)
        except GONE:
            raise
        except (AnomalyError, DeviceError) as error:
            self._tell(one, FAILED, command=command, reason=str(error))
        else:
            self._tell(one, FOLLOWED, command=command, said=said[:400], message=follow.description)
