"""Inject anomalies into one phone, follow their dialogs, and undo their changes.

Nothing here has a thread of its own: every method waits for the phone on the caller's thread.
:class:`~collector.anomalies.dialogs.dialog_monitor.DialogMonitor` follows open dialogs on a thread.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from collector.anomalies import native
from collector.anomalies.dialogs import companion
from collector.anomalies.dialogs.dialog_tracker import DialogTracker
from collector.anomalies.errors import ChangeNotApplied, DialogInFront, Unsuitable
from collector.anomalies.events import FAILED, INJECTED, UNCLEAR, UNDONE, AnomalyEvent
from collector.anomalies.follow_ups import commands_of
from collector.anomalies.foreground_guard import require_clear
from collector.anomalies.injected_anomaly import InjectedAnomaly, InjectionStage
from collector.anomalies.journal import PendingChange, UndoJournal, phone_key
from collector.anomalies.model import COMPANION_KIND, Anomaly
from collector.anomalies.placeholders import values_of
from collector.anomalies.trust.trust import CommandGate
from collector.anomalies.undo import UndoResult, undo_all_changes, undo_change
from collector.device.apps.companion_app import read_contract
from collector.device.device_info import DeviceInfo, read_device_info
from collector.device.errors import GONE, CallCancelled, DeviceError
from collector.device.protocols import Cancel, Device
from collector.model.companion.activities import ACTIVITIES
from collector.model.companion.chain import expected_dialogs
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _

_SHOWN_WITHIN_S = 4.0
_LOOK_EVERY_S = 0.1
MakeJournal = Callable[[Device], UndoJournal]


@dataclass(frozen=True, slots=True)
class InjectionRequest:
    """What to inject: an anomaly, the app it meets, values of its parameters, and follow-ups of a rule."""

    anomaly: Anomaly
    package: str = ""
    values: Mapping[str, object] | None = None
    follow_up: Mapping[str, str] | None = None

    @property
    def following(self) -> tuple[str, ...]:
        """The commands of the rule's follow-ups."""
        return commands_of(self.follow_up or {})

    @property
    def commands(self) -> list[str]:
        """Every command it may run, as its file writes it, each once."""
        return list(dict.fromkeys((*(command.text for command in self.anomaly.commands), *self.following)))


class Injector:
    """The injections of one phone. Thread-safe: one call at a time, the others wait."""

    def __init__(
        self,
        device: Device,
        *,
        journal: MakeJournal | None = None,
        gate: CommandGate | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """``journal`` opens the undo journal of the phone, when the phone first answers."""
        self.events: EventEmitter[AnomalyEvent] = EventEmitter()
        self.gate = gate or CommandGate()
        self.step: Callable[[], int | None] = lambda: None
        """Gives the index of the next step of a recording or replay, None without one."""
        self.device = device
        self._open_journal = journal
        self._opened_journal: UndoJournal | None = None
        self._info: DeviceInfo | None = None
        self._clock = clock
        self._lock = threading.RLock()
        self._injected: list[InjectedAnomaly] = []
        self._tracker = DialogTracker(device, self._emit, lambda: self.gate)

    # -- state ---------------------------------------------------------------
    @property
    def injected(self) -> tuple[InjectedAnomaly, ...]:
        """All injections so far, the oldest first."""
        return tuple(self._injected)

    @property
    def open(self) -> InjectedAnomaly | None:
        """The dialog that waits for its answer."""
        waiting = (injection for injection in self._injected if injection.stage is InjectionStage.OPEN)
        return next(waiting, None)

    @property
    def pending(self) -> tuple[PendingChange, ...]:
        """What can be undone on this phone now. Raises DeviceError before the phone answered once."""
        return self._journal().pending

    # -- actions -------------------------------------------------------------
    def fire(self, request: InjectionRequest, cancel: Cancel | None = None) -> InjectedAnomaly:
        """Inject. Nothing is injected over a dialog.

        Raises AnomalyError for what cannot be injected, DeviceError when the phone is gone; the phone is
        then as before, or what is left to undo is in the journal.
        """
        with self._alone(cancel):
            anomaly = request.anomaly
            values = values_of(anomaly, request.values, request.package)
            front = require_clear(self.device, cancel)
            package = request.package or front.package
            injection = InjectedAnomaly(
                secrets.token_hex(4), anomaly, InjectionStage.OPEN, package, self.step(), values,
                follow_up=request.follow_up or {},
            )  # fmt: skip
            if anomaly.kind == COMPANION_KIND:
                self._show(injection, cancel)
            else:
                named = {"package": package} if "package" not in values and package else {}
                injection.values = values | named
                self._change(injection, cancel)
            self._injected.append(injection)
            self._emit(
                injection, INJECTED, command=injection.command, reason=_already(injection),
                package=injection.package,
            )  # fmt: skip
            return injection

    def look(self, cancel: Cancel | None = None) -> InjectedAnomaly | None:
        """Check the open dialog, and run the follow-ups of its answer; None when no dialog is open.

        Raises DeviceError when the phone does not answer: the dialog is still open then.
        """
        with self._lock:
            injection = self.open
            if injection is None:
                return None
            try:
                self._tracker.look(injection, cancel)
            finally:  # also when the phone goes away while the follow-ups run
                if injection.is_over:
                    self._journal().done(injection.id)
            return injection

    def undo(self, injection_id: str, cancel: Cancel | None = None) -> UndoResult | None:
        """Undo one change, or close one dialog; None when there is nothing to undo.

        Raises DeviceError when the phone is gone, PhoneInUse while another studio changes it.
        """
        with self._alone(cancel):
            journal = self._journal(cancel)
            if journal.find(injection_id) is None:
                return None
            journal.hold()
            # Read again: the studio that held it until now may have undone it.
            change = journal.find(injection_id)
            return None if change is None else self._note(undo_change(self.device, journal, change, cancel))

    def undo_all(self, *, kept: bool = True, cancel: Cancel | None = None) -> list[UndoResult]:
        """Undo everything, of earlier studios too; with ``kept`` unset not what was left on purpose."""
        with self._alone(cancel):
            results = undo_all_changes(self.device, self._journal(cancel), kept=kept, cancel=cancel)
            return [self._note(result) for result in results]

    def keep(self, injection_id: str) -> None:
        """Leave a change on the phone when this studio ends: only an explicit undo takes it back."""
        with self._lock:
            self._journal().change(injection_id, kept=True)

    def forget(self, injection_id: str) -> None:
        """Follow an open dialog no more, as D-GARA after one action; it stays in the journal for undo."""
        with self._lock:
            injection = self.open
            if injection is not None and injection.id == injection_id:
                injection.stage = InjectionStage.UNCLEAR
                self._emit(injection, UNCLEAR, reason=_("The dialog is not followed any longer"))

    def close(self) -> None:
        """Let another studio change the phone. Pending changes stay in the journal."""
        with self._lock:
            if self._opened_journal is not None:
                self._opened_journal.close()

    @contextlib.contextmanager
    def _alone(self, cancel: Cancel | None) -> Iterator[None]:
        """Wait for the calls before, as on a phone that does not answer them. Raises CallCancelled."""
        while not self._lock.acquire(timeout=_LOOK_EVERY_S):
            if cancel is not None and cancel.is_set():
                raise CallCancelled
        try:
            yield
        finally:
            self._lock.release()

    # -- dialogs -------------------------------------------------------------
    def _require_none_open(self, cancel: Cancel | None) -> None:
        """Two open dialogs cannot be told apart by the log. Raises DialogInFront."""
        self.look(cancel)
        still = self.open
        known = ACTIVITIES.get(still.anomaly.activity) if still is not None else None
        if still is not None and still.dialogs and (known is None or known.is_receiver or still.heard):
            raise DialogInFront(
                _("Nothing was injected"),
                _("{id} is still on the phone, or comes back", id=still.anomaly.id),
                _("Answer it, or undo it"),
            )
        # Dialogs of other studios are in the journal too; once answered, no dialog is open.
        pending = self._journal(cancel).pending
        waiting = next((change.anomaly for change in pending if not change.native), "")
        if waiting and companion.open_activities(self.device, cancel):
            raise DialogInFront(
                _("Nothing was injected"),
                _("the dialog of {id} still waits behind another app", id=waiting),
                _("Answer it, or undo it"),
            )

    def _show(self, injection: InjectedAnomaly, cancel: Cancel | None) -> None:
        anomaly = injection.anomaly
        self._require_none_open(cancel)
        version = self._android(cancel)
        if version not in anomaly.versions:
            raise Unsuitable(
                _("{id} is not for Android {version}", id=anomaly.id, version=version),
                _("it is for {known}", known=str(anomaly.versions)),
            )
        installed, dialog = companion.require(self.device, cancel), ""
        if not read_contract(self.device, cancel):
            companion.require_suited(anomaly, installed)
        else:
            dialog = injection.values.get("param_dialog") or injection.id
            injection.dialogs = expected_dialogs(anomaly.activity, injection.values, dialog)
        injection.since = companion.mark(self.device, injection.id, cancel)
        close = companion.close_command()
        self._journal().add(PendingChange(injection.id, anomaly.id, (close,), native=False, since=_now()))
        try:
            injection.command = companion.show(
                self.device, anomaly, injection.values, installed, dialog, cancel
            )
            self._wait_shown(anomaly, cancel)
        except UserError as error:
            self._revert(injection, error, cancel)
            raise

    def _wait_shown(self, anomaly: Anomaly, cancel: Cancel | None) -> None:
        known = ACTIVITIES.get(anomaly.activity)
        if known is not None and known.is_receiver:
            return  # it says itself that it shows something
        end = time.monotonic() + _SHOWN_WITHIN_S
        while not companion.open_activities(self.device, cancel):
            if time.monotonic() > end:
                raise ChangeNotApplied(
                    _("The phone did not show {id}", id=anomaly.id),
                    _("its dialog did not come up"),
                    _("Wake and unlock the phone, and allow the companion app to show windows"),
                )
            (cancel or threading.Event()).wait(_LOOK_EVERY_S)

    # -- native changes ------------------------------------------------------
    def _change(self, injection: InjectedAnomaly, cancel: Cancel | None) -> None:
        info = self._device_info(cancel)
        commands = native.commands_for(injection.anomaly, info.sdk, info.android)
        journal = self._journal(cancel)
        journal.hold()
        for written, filled in native.reading_commands(commands, injection.values):
            self.gate.check(written, filled)
        plan = native.plan_change(
            self.device, injection.anomaly, commands, injection.values, journal.remembered, cancel
        )
        injection.stage = InjectionStage.ACTIVE
        for written, filled in (*plan.apply, *plan.undo):
            self.gate.check(written, filled)
        if plan.checks and native.holds(self.device, plan.checks, cancel):
            injection.was_so = True
            return
        injection.command = "; ".join(filled for _written, filled in plan.apply)
        undo = tuple(filled for _written, filled in plan.undo)
        journal.add(
            PendingChange(
                injection.id, injection.anomaly.id, undo, plan.lasting, plan.remembered, since=_now()
            )
        )
        self._apply(injection, plan, cancel)

    def _apply(
        self, injection: InjectedAnomaly, plan: native.NativeChangePlan, cancel: Cancel | None
    ) -> None:  # fmt: skip
        ran = 0
        try:
            for _written, filled in plan.apply:
                native.run(self.device, filled, cancel)
                ran += 1
            native.wait_applied(self.device, plan.checks, cancel)
        except UserError as error:
            if not ran and not isinstance(error, GONE) and native.is_single(plan.apply[0][0]):
                self._journal().done(injection.id)  # the phone refused the first command: nothing is done
            self._revert(injection, error, cancel)
            raise

    def _revert(self, injection: InjectedAnomaly, error: UserError, cancel: Cancel | None) -> None:
        """Undo what may be half done. A phone that is gone, or was given up, is restored when it answers."""
        self._emit(injection, FAILED, reason=str(error))
        try:
            change = self._journal().find(injection.id)
            if change is not None:
                undo_change(self.device, self._journal(), change, cancel)
        except DeviceError:
            self._journal().change(injection.id, problem=error.what)

    # -- journal, device and events ------------------------------------------
    def _journal(self, cancel: Cancel | None = None) -> UndoJournal:
        if self._opened_journal is None:
            opened = self._open_journal
            self._opened_journal = (
                opened(self.device) if opened is not None else UndoJournal(phone_key(self.device, cancel))
            )
        return self._opened_journal

    def _note(self, result: UndoResult) -> UndoResult:
        change = result.pending
        mine = next((injection for injection in self._injected if injection.id == change.id), None)
        if mine is not None and not result.problem and not mine.is_over:
            mine.stage = InjectionStage.UNDONE
        event = AnomalyEvent(
            FAILED if result.problem else UNDONE, change.id, change.anomaly, self._clock(), self.step(),
            change.native, command="; ".join(change.undo), reason=result.problem,
        )  # fmt: skip
        self.events.emit(event)
        return result

    def _device_info(self, cancel: Cancel | None) -> DeviceInfo:
        if self._info is None:
            self._info = read_device_info(self.device, cancel)
        return self._info

    def _android(self, cancel: Cancel | None) -> int:
        info = self._device_info(cancel)
        return native.version_of(info.sdk, info.android)

    def _emit(self, injection: InjectedAnomaly, kind: str, **details: str) -> None:
        event = AnomalyEvent(
            kind, injection.id, injection.anomaly.id, self._clock(), self.step(),
            injection.anomaly.kind != COMPANION_KIND, **details,
        )  # fmt: skip
        self.events.emit(event)


def _already(injection: InjectedAnomaly) -> str:
    return _("The phone was in this state already; nothing was changed") if injection.was_so else ""


def _now() -> str:
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
