"""Injections into the phone in use, as Qt signals: fire, follow, undo and restore behind the window."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.anomalies.anomaly_source import AnomalySource, TrustRequest
from collector.anomalies.errors import PhoneInUse
from collector.anomalies.events import ANSWERED, DISMISSED, INJECTED, UNCLEAR, UNDONE, AnomalyEvent
from collector.anomalies.injected_anomaly import InjectedAnomaly
from collector.anomalies.injection_session import (
    CLOSE_LIMIT_S,
    ActiveInjections,
    DangerQuestion,
    InjectionSession,
    PhoneFront,
    PhoneSilent,
    SessionEvent,
)
from collector.anomalies.injector import InjectionRequest
from collector.anomalies.journal import PendingChange
from collector.anomalies.trust.command_trust import CommandTrust
from collector.anomalies.undo import UndoResult
from collector.device.errors import CallCancelled, DeviceError
from collector.device.transport.adb_device import AdbDevice
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.trajectory.interruptions import Interruption
from studio.bridge.anomalies.recording_anomalies import ended_meanwhile, left_open
from studio.bridge.event_bridge import EventBridge
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.phones.devices import Devices
from studio.bridge.phones.followed_phone import FollowedPhone
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.recording import Recording

NextStep = Callable[[], int | None]
"""Gives the index of the step a recording takes next, None without one."""
OpenSession = Callable[[str, NextStep], InjectionSession]
"""Opens the phone of a serial for injections."""
_OVER = (ANSWERED, DISMISSED, UNCLEAR, UNDONE)
_JOIN_S = CLOSE_LIMIT_S + 4.0


def open_session(serial: str, next_step: NextStep) -> InjectionSession:
    """Open the phone of ``serial`` for injections."""
    return InjectionSession(AdbDevice(serial), next_step=next_step)


@dataclass(frozen=True, slots=True)
class _FireResult:
    """What came of a request to inject."""

    request: InjectionRequest
    result: TrustRequest | InjectedAnomaly | UserError


@dataclass(frozen=True, slots=True)
class _RestoreResult:
    """What came of restoring the phone of ``session``."""

    session: InjectionSession
    undone: list[UndoResult]
    error: UserError | None = None


class Anomalies(QObject):
    """Follows the phone in use. GUI thread; only :meth:`close` waits."""

    happened = Signal(object)
    """An AnomalyEvent, in order."""
    active_changed = Signal(object)
    """A tuple of PendingChange: what is on the phone in use now."""
    restored = Signal(int)
    """How many changes of an earlier studio were undone."""
    failed = Signal(object)
    """The error of a request, or one found while the phone was followed."""
    asked = Signal(object)
    """A :class:`DangerQuestion` a person has to answer; its command waits."""
    fired = Signal(object, object)
    """The InjectionRequest and its InjectedAnomaly."""
    refused = Signal(object, object)
    """The InjectionRequest and why it was not injected; ``failed`` carries the error too."""
    trust_asked = Signal(object)
    """A :class:`TrustRequest`: nothing was injected, and :meth:`trust` goes on."""
    lease_changed = Signal()
    """``leased_for`` changed."""
    front_known = Signal(object)
    """The :class:`PhoneFront` that :meth:`look` asked for."""

    def __init__(
        self, runner: JobRunner, devices: Devices, project_library: ProjectLibrary, recording: Recording,
        parent: QObject | None = None, *, open_session: OpenSession = open_session,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._runner, self._project_library, self._recording = runner, project_library, recording
        self._open_session = open_session
        self._session: InjectionSession | None = None
        self._serial = ""
        self._link: PhoneLink | None = None
        self._phone = FollowedPhone(
            back=self._restore, source_changed=self._source_changed, taken_changed=self._taken_changed
        )
        self._bridge: EventBridge | None = None
        self._closing: dict[str, threading.Thread] = {}
        self._injected: dict[str, AnomalyEvent] = {}
        self._trust_request: TrustRequest | None = None
        self._restoring: InjectionSession | None = None
        self.active: tuple[PendingChange, ...] = ()
        self._firing: InjectionRequest | None = None
        self.leased_for = ""
        """Why somebody else injects into the phone now, in one sentence; empty while nobody does."""
        devices.current_changed.connect(self._phone_changed)
        project_library.opened.connect(self._project_changed)
        recording.begun.connect(self._recording_begun)

    # -- state ---------------------------------------------------------------
    @property
    def link(self) -> PhoneLink | None:
        """The phone anomalies are injected into."""
        return self._link

    @property
    def open(self) -> PendingChange | None:
        """The dialog that waits for its answer."""
        return next((change for change in self.active if not change.native and not change.earlier), None)

    @property
    def is_firing(self) -> bool:
        """Whether an injection was asked for that is not there yet."""
        return self._firing is not None

    # -- requests ------------------------------------------------------------
    def fire(self, request: InjectionRequest) -> Job | None:
        """Inject; ``happened`` follows, or ``failed``, or ``trust_asked`` when the project is not trusted."""
        session, project = self._session, self._project_library.project
        if session is None:
            self.failed.emit(UserError(_("Nothing was injected"), _("no phone is in use"), _("Connect one")))
            return None
        if (busy := self._lease_error()) is not None:
            self.refused.emit(request, busy)
            self.failed.emit(busy)
            return None
        self._firing = request

        def work(job: Job) -> _FireResult:
            try:
                trust = AnomalySource(project).trust_request(request) if project is not None else None
                result = trust or session.fire(request, job.cancel_event)
                if job.cancelled and isinstance(result, InjectedAnomaly):
                    session.undo(result.id)
                return _FireResult(request, result)
            except CallCancelled as error:
                raise _given_up(request) from error
            except UserError as error:
                return _FireResult(request, error)

        title = _("Inject {id}", id=request.anomaly.id)
        job = self._runner.run(work, title=title, success=self._fired, failure=self._not_fired)
        job.stopped.connect(self._fire_cancelled)  # too late: it was undone
        return job

    def trust(self, request: TrustRequest) -> Job | None:
        """The person looked at these commands: let them run in this project, and inject."""
        snapshot = self._project_library.snapshot
        if snapshot is None or snapshot.folder != request.folder:
            return None  # another project was opened meanwhile: nobody looked at this for it
        self._trust_request = request
        job = self._project_library.grant(request)
        if job is not None:
            job.succeeded.connect(self._trusted)
        return job

    def undo(self, injection: str = "") -> Job | None:
        """Undo one change, or all when none is named; ``failed`` carries what could not be undone."""
        session = self._session
        if session is None:
            return None
        if (busy := self._lease_error()) is not None:
            self.failed.emit(busy)
            return None

        def work(job: Job) -> list[UndoResult]:
            try:
                return session.undo(injection, job.cancel_event)
            except CallCancelled as error:
                raise UserError(
                    _("Not everything is undone"), _("it was cancelled"),
                    _("What is still on the phone stays in the list: undo it when the phone answers"),
                ) from error  # fmt: skip

        title = _("Undo injections")
        return self._runner.run(work, title=title, success=self._undone, failure=self._show_error)

    def lease(self, why: str) -> InjectionSession | None:
        """Leave the injections of the phone in use to somebody else; ``why`` is shown meanwhile."""
        if self._session is not None:
            self.leased_for = why
            self.lease_changed.emit()
        return self._session

    def end_lease(self) -> None:
        """Take the injections back and restore what was left on the phone."""
        self.leased_for = ""
        self.lease_changed.emit()
        self._restore()

    def _lease_error(self) -> UserError | None:
        """Why nothing may be injected or undone from here now; None when it may."""
        if self.leased_for:
            return UserError(self.leased_for, "", _("Wait until it is done, or cancel it"))
        try:
            if self._link is not None:
                self._link.require_free()
        except UserError as error:
            return error
        return None

    def look(self) -> None:
        """Ask what is in front and whether the companion app is there; ``front_known`` follows."""
        session = self._session
        if session is not None:
            self._runner.run(
                lambda job: (session, session.front(job.cancel_event)),
                success=self._looked,
                failure=self._not_looked,
            )

    def close(self) -> None:
        """Close the phone and wait, some seconds at the worst, until it is restored. At the end only."""
        self._close_session()
        end = time.monotonic() + _JOIN_S
        for thread in self._closing.values():
            thread.join(max(0.0, end - time.monotonic()))

    # -- the phone in use ----------------------------------------------------
    @Slot(object)
    def _phone_changed(self, link: PhoneLink | None) -> None:
        if link is None or self._session is None or link.serial != self._serial:
            self._close_session()
            if link is not None:
                self._open(link.serial)
        self._link = link
        self._phone.follow(link)

    def _open(self, serial: str) -> None:
        self._serial = serial
        recording = self._recording.of(serial)
        session = self._session = self._open_session(serial, lambda: recording.next_index)
        self._bridge = EventBridge(self)
        self._bridge.listen(session.events)
        self._bridge.happened.connect(self._on_event)
        self._project_changed(self._project_library.snapshot)
        session.start_monitor()
        self._restore()

    def _note_undone(self) -> None:
        """Write into the recording of a phone that is in front no longer that what is on it is undone now."""
        if not self._recording.records(self._link):
            return
        reason = _("Another phone came to the front")
        for event in self._injected.values():
            undone = replace(event, kind=UNDONE, time_ns=time.monotonic_ns(), reason=reason)
            self._recording.of(self._serial).note_anomaly(undone)

    def _close_session(self) -> None:
        self._note_undone()
        session, self._session, self._link = self._session, None, None
        if session is None:
            return
        if self._bridge is not None:
            self._bridge.close()
            self._bridge.deleteLater()
            self._bridge = None
        thread = threading.Thread(target=session.close, name=f"anomalies of {self._serial}", daemon=True)
        self._closing[self._serial] = thread
        thread.start()
        self._injected.clear()
        self._show_active(())

    @Slot()
    def _restore(self) -> None:
        """Undo what an earlier studio or a lost cable left, as soon as the phone answers."""
        session = self._session
        taken = self._link is not None and self._link.taken
        if session is None or self._restoring is session or self.leased_for or taken:
            return
        closing = self._closing.pop(self._serial, None)
        self._restoring = session

        def work(_job: Job) -> _RestoreResult:
            if closing is not None:  # this studio itself holds the phone until then
                closing.join(_JOIN_S)
            try:
                return _RestoreResult(session, session.restore())
            except UserError as error:
                return _RestoreResult(session, [], error)

        self._runner.run(work, success=self._was_restored)

    @Slot(str)
    def _source_changed(self, name: str) -> None:
        """Pictures come: a phone that did not answer before does now."""
        if name and not self.active:
            self._restore()

    @Slot(str)
    def _taken_changed(self, sentence: str) -> None:
        """The phone is this program's again: restore what was left before."""
        if not sentence:
            self._restore()

    @Slot(object)
    def _was_restored(self, result: _RestoreResult) -> None:
        if result.session is self._restoring:
            self._restoring = None
        if result.session is not self._session:
            return
        done = sum(not undone.problem for undone in result.undone)
        if done:
            self.restored.emit(done)
        self._undone(result.undone)
        # The mirror shows that a phone is away, or another program's; it is restored when that is over.
        taken = self._link is not None and bool(self._link.taken)
        told = isinstance(result.error, DeviceError) or (taken and isinstance(result.error, PhoneInUse))
        if result.error is not None and not told:
            self._show_error(result.error)

    # -- events of the phone -------------------------------------------------
    @Slot(object)
    def _on_event(self, event: SessionEvent) -> None:
        match event:
            case ActiveInjections(active=active):
                self._show_active(active)
            case PhoneSilent(error=error):
                if not isinstance(error, DeviceError):  # the mirror shows that a phone is gone
                    self.failed.emit(error)
            case DangerQuestion():
                self.asked.emit(event)
            case AnomalyEvent():
                self._remember(event)
                if self._link is not None:
                    self._link.refresh_tree()
                if self._recording.records(self._link):
                    self._recording.note_anomaly(event)
                self.happened.emit(event)

    def _show_active(self, active: tuple[PendingChange, ...]) -> None:
        if active != self.active:
            self.active = active
            self.active_changed.emit(active)

    def _remember(self, event: AnomalyEvent) -> None:
        if event.kind == INJECTED:
            self._injected[event.injection] = event
        elif event.kind in _OVER:
            self._injected.pop(event.injection, None)

    @Slot()
    def _recording_begun(self) -> None:
        """Write what is on the phone already into the recording, from its first moment on."""
        if not self._recording.records(self._link):
            return
        active = {change.id for change in self.active}
        for event in self._injected.values():
            if event.injection in active:
                self._recording.note_anomaly(event)
        folder = self._recording.folder
        if folder is not None and self._recording.steps:
            began = time.monotonic_ns()
            self._runner.run(
                lambda _job: (folder, began, left_open(folder)), success=self._resumed, queue=JobQueue.STORE
            )

    @Slot(object)
    def _resumed(self, result: tuple[Path, int, tuple[Interruption, ...]]) -> None:
        """Write the end of what was on the phone when the recording was cut short and is no more."""
        folder, began, interruptions = result
        active = {change.id for change in self.active}
        if self._recording.folder == folder:
            for interruption in interruptions:
                if interruption.injection not in active:
                    self._recording.note_anomaly(ended_meanwhile(interruption, began))

    @Slot(object)
    def _project_changed(self, snapshot: object) -> None:
        if self._session is not None:
            self._session.use_trust(
                CommandTrust(self._project_library.project if snapshot is not None else None)
            )

    # -- results -------------------------------------------------------------
    @Slot(object)
    def _fired(self, fired: _FireResult) -> None:
        self._firing = None
        match fired.result:
            case TrustRequest():
                self.trust_asked.emit(fired.result)
            case InjectedAnomaly():
                self.fired.emit(fired.request, fired.result)
            case UserError():
                self.refused.emit(fired.request, fired.result)
                self._show_error(fired.result)

    @Slot(object)
    def _not_fired(self, error: Exception) -> None:
        """It was given up, or failed: what it changed is undone once the phone answers."""
        request, self._firing = self._firing, None
        if request is not None:
            self.refused.emit(request, error)
        self._show_error(error)
        self._restore()

    @Slot()
    def _fire_cancelled(self) -> None:
        if self._firing is not None:
            self._not_fired(_given_up(self._firing))

    @Slot()
    def _trusted(self) -> None:
        request, self._trust_request = self._trust_request, None
        if request is not None and request.request is not None:
            self.fire(request.request)

    @Slot(object)
    def _undone(self, results: list[UndoResult]) -> None:
        for result in results:
            if result.problem:
                what = _("{id} could not be undone", id=result.pending.anomaly)
                to_do = _("Undo it again, or set the phone right by hand")
                self.failed.emit(UserError(what, result.problem, to_do))

    @Slot(object)
    def _looked(self, result: tuple[InjectionSession, PhoneFront]) -> None:
        session, front = result
        if session is self._session:
            self.front_known.emit(front)

    @Slot(object)
    def _not_looked(self, _error: Exception) -> None:
        """Nothing is known then; injecting says what is wrong."""

    @Slot(object)
    def _show_error(self, error: Exception) -> None:
        if not isinstance(error, CallCancelled):
            self.failed.emit(error)


def _given_up(request: InjectionRequest) -> UserError:
    return UserError(
        _("{id} is not injected", id=request.anomaly.id),
        _("it was cancelled"),
        _("What it changed is undone when the phone answers"),
    )
