"""Track what our companion app shows for one injection, by its answers, until nothing more is to come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from collector.anomalies.dialogs import companion
from collector.anomalies.dialogs.companion_answers import CompanionAnswer, open_dialogs, stored_answers
from collector.anomalies.events import ANSWERED, CONTINUED, DISMISSED, UNCLEAR
from collector.anomalies.follow_ups import as_logged
from collector.anomalies.injected_anomaly import InjectedAnomaly, InjectionStage
from collector.anomalies.placeholders import as_shown
from collector.device.errors import DeviceTimeout
from collector.device.protocols import Cancel, Device
from collector.model.anomaly_terms import DISMISS
from collector.model.companion.activities import ACTIVITIES
from collector.model.companion.chain import is_more_to_come
from collector.model.i18n import _

_PATIENCE = 2
"""How often the app says in vain that a dialog that was to come is not there, until that is believed."""
_ASK_EVERY = 8
"""Looks from one question to the app to the next: each starts a program on the phone, and answers come by the
log in any case. What was ended without an answer is noticed some seconds later."""


class EmitEvent(Protocol):
    """Emits an event of an injection with the details of its kind."""

    def __call__(self, injection: InjectedAnomaly, kind: str, **details: str) -> None: ...


class AnswerTracker:
    """Takes answers in, each once. ``follow`` runs the follow-ups of an answer by its name in rules."""

    def __init__(
        self, device: Device, emit: EmitEvent, follow: Callable[[InjectedAnomaly, str, Cancel | None], None]
    ) -> None:
        self._device, self._emit, self._follow = device, emit, follow

    def stored(self, injection: InjectedAnomaly, cancel: Cancel | None) -> tuple[CompanionAnswer, ...]:
        """The answers that the app itself keeps, for a log that lost some."""
        return stored_answers(self._device, _ids(injection), cancel)

    def is_shown(self, injection: InjectedAnomaly, cancel: Cancel | None) -> bool | None:
        """Whether one of its dialogs is on the phone, or waits to come back; None when nobody said."""
        dialogs = injection.dialogs
        known = ACTIVITIES.get(injection.anomaly.activity)
        if len(dialogs) == 1 and not dialogs[0].returns and not (known is not None and known.is_receiver):
            return companion.is_open(self._device, injection.anomaly, cancel)
        injection.looks += 1
        if injection.looks % _ASK_EVERY != 1:
            return None
        try:
            return bool(_ids(injection) & open_dialogs(self._device, cancel))
        except DeviceTimeout:
            return None

    def take(
        self, injection: InjectedAnomaly, answers: tuple[CompanionAnswer, ...], cancel: Cancel | None
    ) -> None:
        """Take in what is new of ``answers``, all that the injection got so far."""
        fresh = answers[injection.heard :]
        for answer in fresh:
            injection.heard += 1
            injection.absent = 0
            self._take(injection, answer, cancel)

    def missed(self, injection: InjectedAnomaly) -> None:
        """Note that a dialog that was to come is not there; after a while the injection is over."""
        injection.absent += 1
        if injection.absent >= _PATIENCE:
            injection.stage = InjectionStage.UNCLEAR
            reason = _("The dialog was to come back, or another to follow, and none did")
            self._emit(injection, UNCLEAR, reason=reason)

    def _take(self, injection: InjectedAnomaly, answer: CompanionAnswer, cancel: Cancel | None) -> None:
        is_last = not is_more_to_come(injection.dialogs, answer)
        is_first = answer.dialog == injection.dialogs[0].dialog
        shown = as_shown(injection.anomaly, injection.values)
        buttons = (own.button for own in shown.answers if is_first and own.name == answer.answer)
        injection.answer, injection.event = answer.answer or DISMISS, as_logged(answer.event)
        injection.how = answer.how
        kind = ANSWERED if answer.answer else DISMISSED
        if is_last:
            injection.stage = InjectionStage(kind)
        self._emit(
            injection, kind if is_last else CONTINUED, answer=injection.answer, event=injection.event,
            button=next(buttons, ""), how=answer.how, given=answer.value,
        )  # fmt: skip
        if answer.answer or is_last:
            # What follows the answers of the first dialog is not written for those that follow it.
            self._follow(injection, injection.answer if is_first or not answer.answer else "", cancel)


def _ids(injection: InjectedAnomaly) -> frozenset[str]:
    return frozenset(dialog.dialog for dialog in injection.dialogs)
