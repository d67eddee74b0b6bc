"""Anomalies on the phone in use, on the GUI's side: fired, watched, undone and restored behind the window."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.anomalies.events import ANSWERED, DISMISSED, INJECTED, UNCLEAR, UNDONE, AnomalyEvent
from collector.anomalies.injected_anomaly import InjectedAnomaly
from collector.anomalies.injection_session import (
    PARTING_S,
    ActiveInjection,
    ActiveInjections,
    DangerQuestion,
    InjectionSession,
    PhoneFront,
    PhoneSilent,
    SessionEvent,
)
from collector.anomalies.injector import InjectionRequest
from collector.anomalies.project_trust import TrustRequest, untrusted_commands
from collector.anomalies.trust import of_project
from collector.anomalies.undo import UndoResult
from collector.device.errors import CallCancelled, DeviceError
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.interruptions import Interruption
from studio.bridge.devices import Devices
from studio.bridge.event_bridge import EventBridge
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.library import Library
from studio.bridge.phone import PhoneLink
from studio.bridge.recording import Recording
from studio.bridge.recording_anomalies import ended_meanwhile, left_open

MakePhone = Callable[[str, Callable[[], int | None]], InjectionSession]
_OVER = (ANSWERED, DISMISSED, UNCLEAR, UNDONE)
_JOIN_S = PARTING_S + 4.0


@dataclass(frozen=True, slots=True)
class _Shot:
    """What came of a request."""

    request: InjectionRequest
    came: TrustRequest | InjectedAnomaly | UserError


class Anomalies(QObject):
    """Follows the phone in use. GUI thread; only :meth:`close` waits."""

    happened = Signal(object)
    """An AnomalyEvent, in order."""
    active_changed = Signal(object)
    """A tuple of :class:`ActiveInjection`: what is on the phone in use now."""
    restored = Signal(int)
    """So many changes of an earlier studio were taken back."""
    failed = Signal(object)
    """The error of something that was asked for, or found out."""
    asked = Signal(object)
    """A :class:`DangerQuestion` somebody has to answer; its command waits."""
    fired = Signal(object, object)
    """The Request that was asked for and its InjectedAnomaly."""
    refused = Signal(object, object)
    """The Request that was asked for and why it was not injected; ``failed`` tells it too."""
    trust_asked = Signal(object)
    """A :class:`TrustRequest`: nothing was fired, and :meth:`trust` goes on."""
    lease_changed = Signal()
    """``leased_for`` says something else."""
    front_known = Signal(object)
    """A :class:`PhoneFront` that :meth:`look` asked for."""

    def __init__(
        self, runner: JobRunner, devices: Devices, library: Library, recording: Recording,
        parent: QObject | None = None, *, make_phone: MakePhone = InjectionSession,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._runner, self._library, self._recording = runner, library, recording
        self._make_phone = make_phone
        self._phone: InjectionSession | None = None
        self._link: PhoneLink | None = None
        self._bridge: EventBridge | None = None
        self._partings: dict[str, threading.Thread] = {}
        self._still: dict[str, AnomalyEvent] = {}
        self._wanted: TrustRequest | None = None
        self._looking: InjectionSession | None = None
        self.active: tuple[ActiveInjection, ...] = ()
        self.is_firing = False
        self.leased_for = ""
        """Why the phone's injections are somebody else's now, in one sentence; empty while they are not."""
        devices.current_changed.connect(self._phone_changed)
        library.opened.connect(self._project_changed)
        recording.begun.connect(self._recording_begun)

    # -- what is known -------------------------------------------------------
    @property
    def link(self) -> PhoneLink | None:
        """The phone anomalies are injected into."""
        return self._link

    @property
    def open(self) -> ActiveInjection | None:
        """The dialog that waits for its answer."""
        return next((one for one in self.active if not one.native and not one.earlier), None)

    # -- what is asked -------------------------------------------------------
    def fire(self, request: InjectionRequest) -> Job | None:
        """Inject; ``happened`` follows, or ``failed``, or ``trust_asked`` when the project is not trusted."""
        phone, snapshot = self._phone, self._library.snapshot
        if phone is None:
            self.failed.emit(UserError(_("Nothing was injected"), _("no phone is in use"), _("Connect one")))
            return None
        if (lent := self._lent()) is not None:
            self.refused.emit(request, lent)
            self.failed.emit(lent)
            return None
        folder = snapshot.folder if snapshot is not None else None
        self.is_firing = True

        def work(_job: Job) -> _Shot:
            try:
                wanted = untrusted_commands(folder, request) if folder is not None else None
                return _Shot(request, wanted or phone.fire(request))
            except UserError as error:
                return _Shot(request, error)

        return self._runner.run(work, success=self._fired, failure=self._not_fired)

    def trust(self, wanted: TrustRequest) -> Job | None:
        """The person looked at these commands: let them run in this project, and fire what was asked for."""
        snapshot = self._library.snapshot
        if snapshot is None or snapshot.folder != wanted.folder:
            return None  # another project was opened meanwhile: nobody looked at this for it
        self._wanted = wanted
        job = self._library.trust(wanted.commands)
        if job is not None:
            job.succeeded.connect(self._trusted)
        return job

    def undo(self, injection: str = "") -> Job | None:
        """Take one change back, or all when none is named; ``failed`` tells what did not go."""
        phone = self._phone
        if phone is None:
            return None
        if (lent := self._lent()) is not None:
            self.failed.emit(lent)
            return None
        return self._runner.run(lambda _job: phone.undo(injection), success=self._undone, failure=self._tell)

    def lend(self, why: str) -> InjectionSession | None:
        """Give the injections of the phone in use to somebody else; ``why`` is what is said meanwhile."""
        if self._phone is not None:
            self.leased_for = why
            self.lease_changed.emit()
        return self._phone

    def take_back(self) -> None:
        """They are ours again: what was left on the phone is restored."""
        self.leased_for = ""
        self.lease_changed.emit()
        self._restore()

    def _lent(self) -> UserError | None:
        """Why nothing may be injected or undone from here, while somebody else does."""
        to_do = _("Wait until it is done, or cancel it")
        return UserError(self.leased_for, "", to_do) if self.leased_for else None

    def look(self) -> None:
        """Ask what is in front and whether the companion app is there; ``front_known`` follows."""
        phone = self._phone
        if phone is not None:
            self._runner.run(
                lambda _job: (phone.serial, phone.front()), success=self._looked, failure=self._not_looked
            )

    def close(self) -> None:
        """Let go of the phone and wait, some seconds at the worst, until it is set right. At the end only."""
        self._let_go()
        end = time.monotonic() + _JOIN_S
        for thread in self._partings.values():
            thread.join(max(0.0, end - time.monotonic()))

    # -- the phone in use ----------------------------------------------------
    @Slot(object)
    def _phone_changed(self, link: PhoneLink | None) -> None:
        if link is None or self._phone is None or link.serial != self._phone.serial:
            self._let_go()
            if link is not None:
                self._take(link.serial)
        self._link = link
        if link is not None:
            link.back.connect(self._restore)
            link.source_changed.connect(self._source_changed)

    def _take(self, serial: str) -> None:
        phone = self._phone = self._make_phone(serial, lambda: self._recording.next_index)
        self._bridge = EventBridge(self)
        self._bridge.listen(phone.told)
        self._bridge.happened.connect(self._told)
        self._project_changed(self._library.snapshot)
        self._restore()

    def _let_go(self) -> None:
        phone, self._phone, self._link = self._phone, None, None
        if phone is None:
            return
        if self._bridge is not None:
            self._bridge.close()
            self._bridge.deleteLater()
            self._bridge = None
        thread = threading.Thread(target=phone.close, name=f"anomalies of {phone.serial}", daemon=True)
        self._partings[phone.serial] = thread
        thread.start()
        self._still.clear()
        self._show(())

    @Slot()
    def _restore(self) -> None:
        """Take back what an earlier studio or a lost cable left; told when the phone answers."""
        phone = self._phone
        if phone is None or self._looking is phone or self.leased_for:
            return
        parting = self._partings.pop(phone.serial, None)
        self._looking = phone

        def work(_job: Job) -> tuple[InjectionSession, list[UndoResult], UserError | None]:
            if parting is not None:  # this studio itself holds the phone until then
                parting.join(_JOIN_S)
            try:
                return phone, phone.restore(), None
            except UserError as error:
                return phone, [], error

        self._runner.run(work, success=self._was_restored)

    @Slot(str)
    def _source_changed(self, name: str) -> None:
        """Pictures come: a phone that did not answer before does now."""
        if name and not self.active:
            self._restore()

    @Slot(object)
    def _was_restored(self, result: tuple[InjectionSession, list[UndoResult], UserError | None]) -> None:
        phone, taken, error = result
        if phone is self._looking:
            self._looking = None
        if phone is not self._phone:
            return
        done = sum(not one.problem for one in taken)
        if done:
            self.restored.emit(done)
        self._undone(taken)
        # A phone that is away is told of by its mirror, and looked at again when it is back.
        if error is not None and not isinstance(error, DeviceError):
            self._tell(error)

    # -- what the phone says -------------------------------------------------
    @Slot(object)
    def _told(self, told: SessionEvent) -> None:
        match told:
            case ActiveInjections(active=active):
                self._show(active)
            case PhoneSilent(error=error):
                if not isinstance(error, DeviceError):  # of a phone that is gone its mirror tells
                    self.failed.emit(error)
            case DangerQuestion():
                self.asked.emit(told)
            case AnomalyEvent():
                self._keep(told)
                if self._link is not None:
                    self._link.refresh_tree()
                if self._recording.records(self._link):
                    self._recording.note_anomaly(told)
                self.happened.emit(told)

    def _show(self, active: tuple[ActiveInjection, ...]) -> None:
        if active != self.active:
            self.active = active
            self.active_changed.emit(active)

    def _keep(self, event: AnomalyEvent) -> None:
        if event.kind == INJECTED:
            self._still[event.injection] = event
        elif event.kind in _OVER:
            self._still.pop(event.injection, None)

    @Slot()
    def _recording_begun(self) -> None:
        """What is on the phone already is part of the recording from its first moment."""
        if not self._recording.records(self._link):
            return
        known = {one.id for one in self.active}
        for event in self._still.values():
            if event.injection in known:
                self._recording.note_anomaly(event)
        folder = self._recording.folder
        if folder is not None and self._recording.steps:
            began = time.monotonic_ns()
            self._runner.run(
                lambda _job: (folder, began, left_open(folder)), success=self._resumed, serial=True
            )

    @Slot(object)
    def _resumed(self, found: tuple[Path, int, tuple[Interruption, ...]]) -> None:
        """What was on the phone when the recording was cut short, and is no more, ended before it went on."""
        folder, began, left = found
        known = {one.id for one in self.active}
        if self._recording.folder == folder:
            for one in left:
                if one.injection not in known:
                    self._recording.note_anomaly(ended_meanwhile(one, began))

    @Slot(object)
    def _project_changed(self, snapshot: object) -> None:
        if self._phone is not None:
            found = self._library.snapshot if snapshot is not None else None
            self._phone.use_gate(of_project(found.folder) if found is not None else None)

    # -- what came of it -----------------------------------------------------
    @Slot(object)
    def _fired(self, shot: _Shot) -> None:
        self.is_firing = False
        match shot.came:
            case TrustRequest():
                self.trust_asked.emit(shot.came)
            case InjectedAnomaly():
                self.fired.emit(shot.request, shot.came)
            case UserError():
                self.refused.emit(shot.request, shot.came)
                self._tell(shot.came)

    @Slot(object)
    def _not_fired(self, error: Exception) -> None:
        self.is_firing = False
        self._tell(error)

    @Slot()
    def _trusted(self) -> None:
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            self.fire(wanted.request)

    @Slot(object)
    def _undone(self, taken: list[UndoResult]) -> None:
        for one in taken:
            if one.problem:
                what = _("{id} could not be taken back", id=one.pending.anomaly)
                to_do = _("Undo it again, or set the phone right by hand")
                self.failed.emit(UserError(what, one.problem, to_do))

    @Slot(object)
    def _looked(self, result: tuple[str, PhoneFront]) -> None:
        if self._phone is not None and result[0] == self._phone.serial:
            self.front_known.emit(result[1])

    @Slot(object)
    def _not_looked(self, _error: Exception) -> None:
        """Nothing is known then; firing says what is wrong."""

    @Slot(object)
    def _tell(self, error: Exception) -> None:
        if not isinstance(error, CallCancelled):
            self.failed.emit(error)
