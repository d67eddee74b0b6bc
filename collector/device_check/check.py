"""Check a phone: run steps one after another, undo what each changed, and sum up what was found."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from collector import __version__
from collector.anomalies.journal import UndoJournal, phone_key
from collector.device.apps.app_control import is_home_app, start_app
from collector.device.device_info import (
    DeviceInfo,
    Display,
    read_device_info,
    read_display,
    read_foreground,
)
from collector.device.errors import GONE, CallCancelled, DeviceError
from collector.device.transport.adb_device import AdbDevice
from collector.device_check.changes import CheckChanges
from collector.device_check.events import (
    CheckEvent,
    CheckStepFinished,
    CheckStepProgress,
    CheckStepStarted,
    PhoneRestored,
)
from collector.device_check.phone_settings import (
    PhoneSettings,
    changed_meanwhile,
    not_restored,
    read_phone_settings,
)
from collector.device_check.private_texts import PrivateTexts
from collector.device_check.quirks import quirks_at
from collector.device_check.results import (
    CheckedPhone,
    CheckOutcome,
    CheckStepResult,
    DeviceCheckResults,
)
from collector.device_check.settings_app import HOME
from collector.device_check.step import CheckStep, CheckStepRun, StepSkipped
from collector.device_check.suitable_settings import suitable_settings
from collector.device_check.verdicts import workspace_verdicts
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _

WHOLE_LIMIT_S = 180.0
"""Seconds after which no other step begins."""
_RESTORE_S = 20.0
_BACK_S = 20.0
"""How long a phone that went away is waited for."""
_ANSWER_S = 4.0
_LOOK_EVERY_S = 0.5
_LATE_S = 3.0
Confirm = Callable[[str], bool]
"""Asks a person whether a step may disturb the phone in the way the sentence says."""


class DeviceCheck:
    """Checks one phone on the caller's thread; :meth:`cancel` may be called from any thread."""

    def __init__(
        self, device: AdbDevice, steps: Sequence[CheckStep], confirm: Confirm, *, jar: str = "",
        limit_s: float = WHOLE_LIMIT_S,
    ) -> None:  # fmt: skip
        """``jar`` is the scrcpy server that the settings name."""
        self.events: EventEmitter[CheckEvent] = EventEmitter()
        self._device, self._steps, self._confirm, self._jar = device, steps, confirm, jar
        self._limit_s = limit_s
        self._cancelled = threading.Event()
        self._ends: set[threading.Event] = set()
        """Set to end the calls of the step that runs."""
        self._observed: dict[str, str] = {}
        self._unrestored: list[str] = []
        self._left: list[CheckChanges] = []
        """Changes of steps during which the phone went away."""
        self._private = PrivateTexts(())
        self._end = ""

    def cancel(self) -> None:
        """End the step that runs, and begin no other; the phone is put back as it was."""
        self._cancelled.set()
        for ends in tuple(self._ends):
            ends.set()

    def run(self) -> DeviceCheckResults:
        """Check the phone, and put it back as it was.

        Raises DeviceError when the phone is silent at first, PhoneInUse while another studio changes it.
        """
        began = time.monotonic()
        info, display = read_device_info(self._device), read_display(self._device)
        before = self._settings_before()
        self._private = PrivateTexts((self._device.serial, info.serial_number, *before.private))
        journal = UndoJournal(phone_key(self._device))
        journal.hold()
        try:
            results = self._steps_run(journal, info, display, began)
            self._restore_left()
        finally:
            journal.close()
        self._show_again(before.front)
        changed = self._compare(before)
        self.events.emit(PhoneRestored(tuple(self._unrestored)))
        found = DeviceCheckResults(
            _checked(info, display, before), tuple(results), unrestored=tuple(self._unrestored),
            changed_meanwhile=changed, end=self._end, seconds=round(time.monotonic() - began, 1),
            version=__version__,
        )  # fmt: skip
        return replace(found, verdicts=workspace_verdicts(found), settings=suitable_settings(found))

    def _steps_run(
        self, journal: UndoJournal, info: DeviceInfo, display: Display, began: float
    ) -> list[CheckStepResult]:
        results: list[CheckStepResult] = []
        for number, step in enumerate(self._steps, 1):
            left = began + self._limit_s - time.monotonic()
            if self._cancelled.is_set():
                self._end = self._end or _("It was cancelled")
            elif left <= 0:
                self._end = _("Its time of {seconds:.0f} s was over", seconds=self._limit_s)
            if self._end:
                break
            self.events.emit(CheckStepStarted(step.id, step.title, number, len(self._steps)))
            result = self._step(step, journal, info, display, min(step.limit_s, left))
            results.append(result)
            self.events.emit(CheckStepFinished(result))
        return results

    # -- one step ------------------------------------------------------------
    def _step(
        self, step: CheckStep, journal: UndoJournal, info: DeviceInfo, display: Display, limit_s: float
    ) -> CheckStepResult:
        if step.question and not self._confirm(step.question):
            return CheckStepResult(step.id, CheckOutcome.SKIPPED, _("It was not allowed"))
        ends = threading.Event()
        device = self._device.until(ends)
        changes = CheckChanges(device, journal, step.id)
        run = CheckStepRun(
            device, ends, changes, info, display, observed=self._observed, jar=self._jar,
            say=lambda text: self.events.emit(CheckStepProgress(step.id, text)),
        )  # fmt: skip
        began = time.monotonic()
        with self._limited(ends, limit_s):
            outcome, reason, is_silent = self._tried(step, run, limit_s)
            quirks = [] if is_silent else self._quirks(step, run)
        if is_silent and not self._comes_back():
            self._end = self._end or _("The phone does not answer any more")
            self._left.append(changes)
        else:
            self._restore(changes)
        return CheckStepResult(
            step.id, outcome, self._private.hidden(reason), round(time.monotonic() - began, 1),
            tuple(run.measurements),
            tuple(replace(each, reason=self._private.hidden(each.reason)) for each in run.abilities),
            tuple(dict.fromkeys(quirks)),
        )  # fmt: skip

    @contextlib.contextmanager
    def _limited(self, ends: threading.Event, limit_s: float) -> Iterator[None]:
        """Set ``ends`` after so long, or when the check is cancelled."""
        timer = threading.Timer(limit_s, ends.set)
        timer.daemon = True
        timer.start()
        self._ends.add(ends)
        if self._cancelled.is_set():
            ends.set()
        try:
            yield
        finally:
            self._ends.discard(ends)
            timer.cancel()
            timer.join()

    def _tried(self, step: CheckStep, run: CheckStepRun, limit_s: float) -> tuple[CheckOutcome, str, bool]:
        """Outcome and reason of a step, and whether the phone may be gone."""
        try:
            step.run(run)
        except StepSkipped as error:
            return CheckOutcome.SKIPPED, str(error), False
        except CallCancelled:
            if self._cancelled.is_set():
                return CheckOutcome.SKIPPED, _("It was cancelled"), False
            return CheckOutcome.FAILED, _("It took longer than {seconds:.0f} s", seconds=limit_s), True
        except UserError as error:
            return CheckOutcome.FAILED, str(error), isinstance(error, GONE)
        lacking = [ability for ability in run.abilities if not ability.works]
        lacks_essential = any(ability.id in step.essential for ability in lacking)
        if lacks_essential or (lacking and len(lacking) == len(run.abilities)):
            return CheckOutcome.FAILED, lacking[0].reason, False  # the first is what the others follow from
        return CheckOutcome.PASSED, "", False

    def _quirks(self, step: CheckStep, run: CheckStepRun) -> list[str]:
        try:
            return list(quirks_at(step.id, run))
        except DeviceError:
            return []  # the step was ended, or the phone is gone: the next step says so

    # -- as it was -----------------------------------------------------------
    def _restore(self, changes: CheckChanges) -> None:
        limit = threading.Event()
        with self._limited_restore(limit):
            try:
                self._unrestored += map(self._private.hidden, changes.restore(self._device, limit))
            except DeviceError:
                self._left.append(changes)  # tried again at the end

    @contextlib.contextmanager
    def _limited_restore(self, limit: threading.Event) -> Iterator[None]:
        """Set ``limit`` when a restore takes too long. A cancelled check is restored all the same."""
        timer = threading.Timer(_RESTORE_S, limit.set)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()

    def _restore_left(self) -> None:
        """Undo what could not be undone while the phone was away; say what stays."""
        left, self._left = self._left, []
        for changes in left:
            self._restore(changes)
        for changes in self._left:
            later = _("the phone did not answer; it is undone when it is connected again")
            self._unrestored += [_("{what}: {problem}", what=what, problem=later) for what in changes.left]

    def _comes_back(self) -> bool:
        """Whether the phone answers, now or after a while."""
        end = time.monotonic() + _BACK_S
        while True:
            try:
                return self._device.shell("true", timeout=_ANSWER_S).ok
            except DeviceError:
                if time.monotonic() > end:
                    return False
            if self._cancelled.wait(_LOOK_EVERY_S):
                # Cancelled: one more look is all that a person waits for.
                end = 0.0
                threading.Event().wait(_LOOK_EVERY_S)

    def _show_again(self, package: str) -> None:
        """Show the app that was in front before the check."""
        if not package:
            return
        with contextlib.suppress(DeviceError):  # a phone that is gone is told by the comparison
            if read_foreground(self._device).package == package:
                return
            if is_home_app(self._device, package):
                self._device.shell(HOME)
            else:
                start_app(self._device, package)

    def _compare(self, before: PhoneSettings) -> tuple[str, ...]:
        """Say what differs from before the check, and return what else changed meanwhile."""
        try:
            after = self._settings_after(before)
        except DeviceError as error:
            why = _("The phone could not be compared with how it was: {why}", why=error)
            self._unrestored.append(self._private.hidden(why))
            return ()
        self._unrestored += not_restored(before, after)
        return changed_meanwhile(before, after)

    def _settings_before(self) -> PhoneSettings:
        """How the phone is set, once it rests: a server of scrcpy that just ended sets things back late."""
        end = time.monotonic() + _LATE_S
        before = read_phone_settings(self._device)
        while time.monotonic() < end and not self._cancelled.wait(_LOOK_EVERY_S):
            known, before = before, read_phone_settings(self._device)
            if not not_restored(known, before):
                break
        return before

    def _settings_after(self, before: PhoneSettings) -> PhoneSettings:
        """How the phone is set now, once it is as before: a server of scrcpy sets things back late."""
        end = time.monotonic() + _LATE_S
        while True:
            after = read_phone_settings(self._device)
            if not not_restored(before, after) or time.monotonic() > end:
                return after
            threading.Event().wait(_LOOK_EVERY_S)


def _checked(info: DeviceInfo, display: Display, before: PhoneSettings) -> CheckedPhone:
    size = display.size.transposed if display.rotation % 2 else display.size
    return CheckedPhone(
        info.manufacturer, before.brand, info.model, info.android, info.sdk, info.build, str(size),
        display.density, info.is_virtual,
    )  # fmt: skip
