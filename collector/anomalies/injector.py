"""Injects anomalies into one phone, watches what becomes of them, and takes them back.

Nothing here has a thread: every method talks to the phone and waits for it, for the thread of
whoever calls. :class:`~collector.anomalies.dialog_monitor.Watch` looks again and again on one of its own.
"""

from __future__ import annotations

import datetime as dt
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from collector.anomalies import companion, native
from collector.anomalies.dialog_tracker import DialogTracker
from collector.anomalies.errors import ChangeNotApplied, DialogInFront, Unsuitable
from collector.anomalies.events import FAILED, INJECTED, UNDONE, AnomalyEvent
from collector.anomalies.follow_ups import commands_of
from collector.anomalies.foreground_guard import require_clear
from collector.anomalies.injected_anomaly import InjectedAnomaly, InjectionStage
from collector.anomalies.journal import PendingChange, UndoJournal, phone_key
from collector.anomalies.model import COMPANION_KIND, Anomaly
from collector.anomalies.placeholders import values_of
from collector.anomalies.trust import CommandGate
from collector.anomalies.undo import UndoResult, take_all_back, take_back
from collector.device.device_info import DeviceInfo, read_device_info
from collector.device.errors import GONE, DeviceError
from collector.device.protocols import Cancel, Device
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _

_SHOWN_WITHIN_S = 4.0
_LOOK_EVERY_S = 0.1
MakeJournal = Callable[[Device], UndoJournal]


@dataclass(frozen=True, slots=True)
class InjectionRequest:
    """What to inject: an anomaly, the app it meets, values of its parameters, and the rule's follow-ups."""

    anomaly: Anomaly
    package: str = ""
    values: Mapping[str, object] | None = None
    follow_up: Mapping[str, str] | None = None

    @property
    def following(self) -> tuple[str, ...]:
        """The commands that the rule lets follow an answer."""
        return commands_of(self.follow_up or {})

    @property
    def commands(self) -> list[str]:
        """All it may run, as their files write them, each once."""
        return list(dict.fromkeys((*(command.text for command in self.anomaly.commands), *self.following)))


class Injector:
    """One phone's injections. Thread-safe; one call at a time, the others wait."""

    def __init__(
        self,
        device: Device,
        *,
        journal: MakeJournal | None = None,
        gate: CommandGate | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """``journal`` gives the phone's undo journal, made when the phone first answers."""
        self.events: EventEmitter[AnomalyEvent] = EventEmitter()
        self.gate = gate or CommandGate()
        self.step: Callable[[], int | None] = lambda: None
        """Index of the step that is to come, for those who count steps."""
        self.device = device
        self._make_journal = journal or (lambda device: UndoJournal(phone_key(device)))
        self._kept_journal: UndoJournal | None = None
        self._facts: DeviceInfo | None = None
        self._clock = clock
        self._lock = threading.RLock()
        self._injected: list[InjectedAnomaly] = []
        self._watching = DialogTracker(device, self._tell, lambda: self.gate)

    # -- what is known -----------------------------------------------------------
    @property
    def injected(self) -> tuple[InjectedAnomaly, ...]:
        """All so far, the oldest first."""
        return tuple(self._injected)

    @property
    def open(self) -> InjectedAnomaly | None:
        """The dialog that waits for its answer."""
        return next((one for one in self._injected if one.stage is InjectionStage.OPEN), None)

    @property
    def pending(self) -> tuple[PendingChange, ...]:
        """What would have to be taken back on this phone now. Raises DeviceError before it answered once."""
        return self._journal().pending

    # -- what is done ------------------------------------------------------------
    def fire(self, request: InjectionRequest, cancel: Cancel | None = None) -> InjectedAnomaly:
        """Inject. Nothing is injected over a dialog.

        Raises AnomalyError for what cannot be, DeviceError when the phone is gone; the phone is then
        as it was, or what is left to take back is in the journal.
        """
        with self._lock:
            anomaly = request.anomaly
            values = values_of(anomaly, request.values, request.package)
            front = require_clear(self.device, cancel)
            package = request.package or front.package
            one = InjectedAnomaly(
                secrets.token_hex(4), anomaly, InjectionStage.OPEN, package, self.step(), values,
                follow_up=request.follow_up or {},
            )  # fmt: skip
            if anomaly.kind == COMPANION_KIND:
                self._show(one, cancel)
            else:
                one.values = values | ({"package": package} if "package" not in values and package else {})
                self._change(one, cancel)
            self._injected.append(one)
            self._tell(one, INJECTED, command=one.command, reason=_already(one), package=one.package)
            return one

    def look(self, cancel: Cancel | None = None) -> InjectedAnomaly | None:
        """See what became of the open dialog, and run what follows its answer; None when none is open.

        Raises DeviceError when the phone does not answer: the dialog is still open then.
        """
        with self._lock:
            one = self.open
            if one is None:
                return None
            try:
                self._watching.look(one, cancel)
            finally:  # also when the phone goes while what follows the answer runs
                if one.is_over:
                    self._journal().done(one.id)
            return one

    def undo(self, injection_id: str, cancel: Cancel | None = None) -> UndoResult | None:
        """Take one change back, or close one dialog; None when there is nothing to take back.

        Raises DeviceError when the phone is gone, PhoneTaken while another studio changes it.
        """
        with self._lock:
            journal = self._journal()
            if all(one.id != injection_id for one in journal.pending):
                return None
            journal.hold()
            # Read again: whoever held it until now may have taken it back.
            found = next((one for one in journal.pending if one.id == injection_id), None)
            return None if found is None else self._note(take_back(self.device, journal, found, cancel))

    def undo_all(self, *, kept: bool = True, cancel: Cancel | None = None) -> list[UndoResult]:
        """Take everything back, of earlier studios too; with ``kept`` unset not what was left on purpose."""
        with self._lock:
            return [
                self._note(one)
                for one in take_all_back(self.device, self._journal(), kept=kept, cancel=cancel)
            ]

    def keep(self, injection_id: str) -> None:
        """Leave a change as it is when this studio ends: only an undo that is asked for takes it back."""
        with self._lock:
            self._journal().change(injection_id, kept=True)

    def close(self) -> None:
        """Let another studio change the phone. What is pending stays in the journal."""
        with self._lock:
            if self._kept_journal is not None:
                self._kept_journal.close()

    # -- how ---------------------------------------------------------------------
    def _journal(self) -> UndoJournal:
        if self._kept_journal is None:
            self._kept_journal = self._make_journal(self.device)
        return self._kept_journal

    def _require_none_open(self, cancel: Cancel | None) -> None:
        """Two dialogs that wait at once cannot be told apart by the log. Raises DialogInFront."""
        self.look(cancel)
        # Those of others are in the journal too; where one was answered since, no dialog is open.
        waiting = next((one.anomaly for one in self._journal().pending if not one.native), "")
        if waiting and companion.open_activities(self.device, cancel):
            raise DialogInFront(
                _("Nothing was injected"),
                _("the dialog of {id} still waits behind another app", id=waiting),
                _("Answer it, or undo it"),
            )

    def _show(self, one: InjectedAnomaly, cancel: Cancel | None) -> None:
        anomaly = one.anomaly
        self._require_none_open(cancel)
        version = self._android()
        if version not in anomaly.versions:
            raise Unsuitable(
                _("{id} is not for Android {version}", id=anomaly.id, version=version),
                _("it is for {known}", known=str(anomaly.versions)),
            )
        companion.require(self.device, cancel)
        one.since = companion.mark(self.device, one.id, cancel)
        close = companion.close_command()
        self._journal().add(PendingChange(one.id, anomaly.id, (close,), native=False, since=_now()))
        try:
            one.command = companion.show(self.device, anomaly, one.values, cancel)
            self._wait_shown(anomaly, cancel)
        except UserError as error:
            self._revert(one, error, cancel)
            raise

    def _wait_shown(self, anomaly: Anomaly, cancel: Cancel | None) -> None:
        end = time.monotonic() + _SHOWN_WITHIN_S
        while not companion.open_activities(self.device, cancel):
            if time.monotonic() > end:
                raise ChangeNotApplied(
                    _("The phone did not show {id}", id=anomaly.id),
                    _("its dialog did not come up"),
                    _("Wake and unlock the phone, and allow the companion app to show windows"),
                )
            (cancel or threading.Event()).wait(_LOOK_EVERY_S)

    def _change(self, one: InjectedAnomaly, cancel: Cancel | None) -> None:
        facts = self._known()
        commands = native.commands_for(one.anomaly, facts.sdk, facts.android)
        journal = self._journal()
        journal.hold()
        for written, filled in native.reading(commands, one.values):
            self.gate.check(written, filled)
        before = {command: said for made in journal.pending for command, said in reversed(made.remembered)}
        plan = native.plan(self.device, one.anomaly, commands, one.values, before, cancel)
        one.stage = InjectionStage.ACTIVE
        for written, filled in (*plan.apply, *plan.undo):
            self.gate.check(written, filled)
        if plan.checks and native.holds(self.device, plan.checks, cancel):
            one.was_so = True
            return
        one.command = "; ".join(filled for _written, filled in plan.apply)
        undo = tuple(filled for _written, filled in plan.undo)
        journal.add(PendingChange(one.id, one.anomaly.id, undo, plan.lasting, plan.remembered, since=_now()))
        ran = 0
        try:
            for _written, filled in plan.apply:
                native.run(self.device, filled, cancel)
                ran += 1
            native.wait_made(self.device, plan.checks, cancel)
        except UserError as error:
            if not ran and not isinstance(error, GONE) and native.is_single(plan.apply[0][0]):
                journal.done(one.id)  # the phone refused the first command: nothing is done
            self._revert(one, error, cancel)
            raise

    def _revert(self, one: InjectedAnomaly, error: UserError, cancel: Cancel | None) -> None:
        """Half of it may be done: take that back too. A phone that is gone is restored when it is back."""
        self._tell(one, FAILED, reason=str(error))
        try:
            found = next((made for made in self._journal().pending if made.id == one.id), None)
            if found is not None:
                take_back(self.device, self._journal(), found, cancel)
        except DeviceError:
            self._journal().change(one.id, problem=error.what)

    def _note(self, taken: UndoResult) -> UndoResult:
        mine = next((one for one in self._injected if one.id == taken.pending.id), None)
        if mine is not None and not taken.problem and not mine.is_over:
            mine.stage = InjectionStage.UNDONE
        kind, made = FAILED if taken.problem else UNDONE, taken.pending
        told = AnomalyEvent(
            kind, made.id, made.anomaly, self._clock(), self.step(), made.native,
            command="; ".join(made.undo), reason=taken.problem,
        )  # fmt: skip
        self.events.emit(told)
        return taken

    def _known(self) -> DeviceInfo:
        if self._facts is None:
            self._facts = read_device_info(self.device)
        return self._facts

    def _android(self) -> int:
        facts = self._known()
        return native.version_of(facts.sdk, facts.android)

    def _tell(self, one: InjectedAnomaly, kind: str, **details: str) -> None:
        told = AnomalyEvent(
            kind, one.id, one.anomaly.id, self._clock(), self.step(),
            one.anomaly.kind != COMPANION_KIND, **details,
        )  # fmt: skip
        self.events.emit(told)


def _already(one: InjectedAnomaly) -> str:
    return _("The phone was so already, and nothing was changed") if one.was_so else ""


def _now() -> str:
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
