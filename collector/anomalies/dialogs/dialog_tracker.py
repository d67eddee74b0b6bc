"""Track an injected dialog until it is answered, dismissed or lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from collector.anomalies import native
from collector.anomalies.dialogs import companion
from collector.anomalies.dialogs.answer_tracker import AnswerTracker, EmitEvent
from collector.anomalies.dialogs.companion_answers import CompanionAnswer
from collector.anomalies.errors import AnomalyError
from collector.anomalies.events import ANSWERED, DISMISSED, FAILED, FOLLOWED, STALLED, UNCLEAR
from collector.anomalies.follow_ups import answer_to, as_logged, follow_ups
from collector.anomalies.injected_anomaly import InjectedAnomaly, InjectionStage
from collector.anomalies.model import FollowUp
from collector.anomalies.placeholders import as_shown, fill
from collector.anomalies.trust.trust import CommandGate
from collector.device.errors import ABSENT, CallCancelled, DeviceError, DeviceTimeout
from collector.device.protocols import Cancel, Device
from collector.model.anomaly_terms import DISMISS
from collector.model.i18n import _

_PATIENCE = 4
"""Looks at a silent log after the dialog is gone, before the injection ends as unclear."""


class _LogReading(NamedTuple):
    """The result of one reading of the log."""

    event: str = ""
    """The first event of a button of the dialog."""
    answered: bool = True
    """The log could be read."""
    lost: bool = False
    """The log was cleared or overwritten since the last reading: events may be missing."""
    answers: tuple[CompanionAnswer, ...] = ()
    """What our companion app says of the dialogs so far."""


class DialogTracker:
    """Looks at the phone, moves an injection on and runs its follow-ups."""

    def __init__(self, device: Device, emit: EmitEvent, gate: Callable[[], CommandGate]) -> None:
        self._device, self._emit, self._gate = device, emit, gate
        self._answers = AnswerTracker(device, emit, self._follow)

    def look(self, injection: InjectedAnomaly, cancel: Cancel | None = None) -> None:
        """Look once. Raises DeviceError when the phone is gone."""
        log = self._read_log(injection, cancel)
        if injection.dialogs:
            self._look_at_answers(injection, log, cancel)
            return
        if not log.event:
            if companion.is_open(self._device, injection.anomaly, cancel):
                injection.marked = injection.marked and not log.lost  # from here on the log is whole again
                return
            if log.answered:  # the log may come a moment after the window closed
                log = self._read_log(injection, cancel)
        if log.event:
            self._answered(injection, log.event, cancel)
        else:
            self._closed(injection, log, cancel)

    def _look_at_answers(self, injection: InjectedAnomaly, log: _LogReading, cancel: Cancel | None) -> None:
        """Take in what our app says, which says of every dialog how it ended."""
        if log.lost:
            stored = self._answers.stored(injection, cancel)
            log = log._replace(answers=stored, lost=False)
            injection.marked = False
        self._answers.take(injection, log.answers, cancel)
        if injection.is_over:
            return
        is_shown = self._answers.is_shown(injection, cancel)
        if is_shown is not False:
            injection.absent = 0 if is_shown else injection.absent
            return
        if log.answered:  # the log may come a moment after the window closed
            again = self._read_log(injection, cancel)
            self._answers.take(injection, again.answers, cancel)
        if injection.is_over:
            return
        if injection.heard:
            self._answers.missed(injection)
        else:
            self._closed(injection, log, cancel)

    def _read_log(self, injection: InjectedAnomaly, cancel: Cancel | None) -> _LogReading:
        shown = as_shown(injection.anomaly, injection.values)
        try:
            dialogs = [dialog.dialog for dialog in injection.dialogs]
            logged = companion.read_events(self._device, shown, injection.since, cancel, dialogs)
        except DeviceTimeout as error:
            if not injection.silent:
                self._emit(injection, STALLED, reason=str(error))
            injection.silent += 1
            return _LogReading(answered=False)
        injection.silent = 0
        lost = injection.marked and not logged.marked
        injection.marked = injection.marked or logged.marked
        known = {as_logged(answer.event) for answer in shown.answers}
        # A button without an event of its own logs one of the app's.
        any_event = not known or "" in known
        event = next((event for event in logged.events if any_event or event in known), "")
        return _LogReading(event, lost=lost, answers=logged.answers)

    def _closed(self, injection: InjectedAnomaly, log: _LogReading, cancel: Cancel | None) -> None:
        """The dialog is gone without an event: dismissed, or unclear when the log cannot say."""
        if log.answered and not log.lost:
            injection.stage, injection.answer = InjectionStage.DISMISSED, DISMISS
            self._emit(injection, DISMISSED, answer=DISMISS)
            self._follow(injection, DISMISS, cancel)
        elif log.lost or injection.silent >= _PATIENCE:
            injection.stage = InjectionStage.UNCLEAR
            reason = _("The dialog is gone, and the phone's log does not say whether it was answered")
            self._emit(injection, UNCLEAR, reason=reason)

    def _answered(self, injection: InjectedAnomaly, event: str, cancel: Cancel | None) -> None:
        answer = answer_to(as_shown(injection.anomaly, injection.values), event)
        injection.stage, injection.event = InjectionStage.ANSWERED, event
        injection.answer = answer.name if answer is not None else ""
        button = answer.button if answer is not None else ""
        self._emit(injection, ANSWERED, answer=injection.answer, event=event, button=button)
        self._follow(injection, injection.answer, cancel)

    def _follow(self, injection: InjectedAnomaly, name: str, cancel: Cancel | None) -> None:
        # Follow-ups are written for the event of the library, whatever event the button was set to log.
        answers = injection.anomaly.answers
        event = next((answer.event for answer in answers if answer.name == name), "")
        following = follow_ups(injection.anomaly, name, event or injection.event, injection.follow_up)
        for follow in following:
            self._run(injection, follow, cancel)

    def _run(self, injection: InjectedAnomaly, follow: FollowUp, cancel: Cancel | None) -> None:
        if follow.command is None:
            self._emit(injection, FOLLOWED, message=follow.message or follow.description)
            return
        package = {"package": injection.package} if injection.package else {}
        command = follow.command.text
        try:
            command = fill(command, {**injection.values, **package})
            self._gate().check(follow.command.text, command)
            output = native.run(self._device, command, cancel)
        except CallCancelled:
            raise
        except (AnomalyError, DeviceError) as error:
            # A command that does not end holds nothing up: the dialog is answered, and the next may run.
            self._emit(injection, FAILED, command=command, reason=str(error))
            if isinstance(error, ABSENT):
                raise
        else:
            self._emit(injection, FOLLOWED, command=command, output=output[:400], message=follow.description)
