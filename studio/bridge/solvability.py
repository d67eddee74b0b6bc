"""Surveys of solvability on the phone in use: run behind the window, told as they go, ended at any time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from collector.anomalies.injection_session import InjectionSession
from collector.anomalies.project_trust import TrustRequest, untrusted_commands
from collector.device.errors import CallCancelled, DeviceError
from collector.device.session import DeviceSession
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _
from collector.replay.solvability_plan import (
    SolvabilityInput,
    SolvabilityPlan,
    SolvabilityProgress,
    read_solvability_input,
)
from collector.replay.solvability_trials import SolvabilityTrial, TrialStep
from collector.store.project import Project
from studio.bridge.anomalies import Anomalies
from studio.bridge.devices import Devices
from studio.bridge.event_bridge import EventBridge
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.library import Library
from studio.bridge.phone import PhoneLink
from studio.bridge.recording import Recording

_log = logging.getLogger(__name__)
_VIRTUAL_PACE = 0.25
_JOIN_S = 15.0
"""How long the end of a studio waits for a run to be given up and the phone to be set right."""


@dataclass(frozen=True, slots=True)
class SolvabilityWork:
    """All a survey needs on its thread."""

    plan: SolvabilityPlan
    ground: SolvabilityInput
    project: Project
    session: DeviceSession
    phone: InjectionSession
    told: EventEmitter[SolvabilityTrial | TrialStep | CheckEnded]
    cancelled: threading.Event


@dataclass(frozen=True, slots=True)
class CheckEnded:
    """The last that is told; ``error`` is why it ended early, None too when it was cancelled."""

    error: Exception | None = None


def run_check(work: SolvabilityWork) -> None:
    """Do it all, on the thread of whoever calls. Raises UserError, CallCancelled."""
    # Here and not above: the engine of rules and all of replaying, which a start need not wait for.
    from collector.judge.project_judges import success_judges
    from collector.replay.phone import ReplayPhone
    from collector.replay.redacted_text import texts_for
    from collector.replay.replay import ReplayOptions
    from collector.replay.solvability_check import SolvabilityCheck

    plan, ground = work.plan, work.ground
    with work.phone.lent(work.cancelled) as injector:
        lent = work.session.lend(work.cancelled)
        try:
            surveyor = SolvabilityCheck(
                ReplayPhone(lent.device, lent.trees, lent.sink), injector,
                success_judges(work.project, ground.rules, lent.device), ReplayOptions(fresh=plan.fresh),
                plan.answer, plan.at, cancelled=work.cancelled,
                texts=lambda task, golden: texts_for(golden.steps, plan.texts.get(task.id, ())),
            )  # fmt: skip
            surveyor.told.subscribe(work.told.emit)
            surveyor.doing.subscribe(work.told.emit)
            surveyor.run([ground.cases[task] for task in plan.tasks], lambda _one: plan.anomalies)
        finally:
            lent.close()


class Solvability(QObject):
    """Owns the one survey. GUI thread; only :meth:`close` waits."""

    looked = Signal(object)
    """The :class:`SolvabilityInput` that was asked for."""
    changed = Signal()
    """A survey began, is being given up, or ended."""
    found = Signal(object)
    """A :class:`SolvabilityTrial`."""
    progressed = Signal(object)
    """The :class:`SolvabilityProgress` of the survey that runs."""
    trust_asked = Signal(object)
    """A :class:`TrustRequest`: nothing was begun, and :meth:`trust` goes on."""
    failed = Signal(object)
    """Why a survey did not begin, or ended early."""

    def __init__(
        self, runner: JobRunner, library: Library, devices: Devices, anomalies: Anomalies,
        recording: Recording, parent: QObject | None = None, *,
        do: Callable[[SolvabilityWork], None] = run_check,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._runner, self._library, self._devices = runner, library, devices
        self._anomalies, self._recording, self._do = anomalies, recording, do
        self._thread: threading.Thread | None = None
        self._bridge: EventBridge | None = None
        self._link: PhoneLink | None = None
        self._cancelled = threading.Event()
        self._waiting: tuple[SolvabilityPlan, SolvabilityInput] | None = None
        self._gone = self._stale = False
        self.ground = SolvabilityInput()
        """That of the survey on show."""
        self.plan: SolvabilityPlan | None = None
        self.trials: list[SolvabilityTrial] = []
        self.progress: SolvabilityProgress | None = None
        self._paces: dict[str, float] = {}
        self.problem = ""
        """Why the survey on show ended early, in one sentence; empty when it did not."""
        devices.current_changed.connect(self._phone_changed)
        library.opened.connect(self._project_changed)

    # -- what is known -------------------------------------------------------
    @property
    def is_running(self) -> bool:
        return self._thread is not None

    @property
    def is_stopping(self) -> bool:
        """Whether it was given up and its last run is being ended."""
        return self.is_running and self._cancelled.is_set()

    @property
    def obstacle(self) -> str:
        """Why none can begin now and what to do, in sentences; empty when one can."""
        try:
            self._require_phone()
        except UserError as error:
            return f"{error.why}. {error.to_do}"
        return ""

    def pace_of(self, link: PhoneLink | None) -> float:
        """How long a phone takes for what is to take a second, as measured before."""
        known = self._paces.get(link.serial) if link is not None else None
        return known or (_VIRTUAL_PACE if link is not None and link.info.is_virtual else 1.0)

    # -- what is asked -------------------------------------------------------
    def look(self) -> Job | None:
        """Read what the project has for a survey; ``looked`` follows, or ``failed``."""
        project, snapshot = self._library.project, self._library.snapshot
        if project is None or snapshot is None:
            return None
        tasks = [task for task in self._library.tasks if snapshot.golden.get(task.id)]
        return self._runner.run(
            lambda _job: read_solvability_input(project, tasks),
            success=self.looked.emit,
            failure=self.failed.emit,
        )

    def start(self, plan: SolvabilityPlan, ground: SolvabilityInput) -> None:
        """Begin; ``changed`` follows, or ``trust_asked``, or ``failed``."""
        project = self._library.project
        if self.is_running or project is None:
            return
        try:
            self._require_phone()
        except UserError as error:
            self.failed.emit(error)
            return
        self._waiting = (plan, ground)
        folder = project.folder

        def work(_job: Job) -> TrustRequest | None:
            asked = (untrusted_commands(folder, request) for request in plan.requests(ground))
            return next((one for one in asked if one is not None), None)

        self._runner.run(work, success=self._looked_at_trust, failure=self.failed.emit)

    def trust(self, wanted: TrustRequest) -> None:
        """The person looked at these commands: let them run in this project, and begin."""
        if self._waiting is None:
            return  # another project was opened meanwhile: nobody looked at this for it
        job = self._library.trust(wanted.commands)
        if job is not None:
            job.succeeded.connect(self._trusted)

    @Slot()
    def cancel(self) -> None:
        """End it after what it is at this moment; what was found is kept."""
        if self.is_running and not self._cancelled.is_set():
            self._cancelled.set()
            self.changed.emit()

    def close(self) -> None:
        """End it and wait, some seconds at the worst, until the phone is as it was. At the end only."""
        self._cancelled.set()
        if self._bridge is not None:
            self._bridge.close()
        if self._thread is not None:
            self._thread.join(_JOIN_S)
            self._thread = None

    # -- beginning -----------------------------------------------------------
    def _require_phone(self) -> PhoneLink:
        """The phone in use, when it is free for a survey."""
        link = self._devices.current
        what = _("The survey did not begin")
        if link is None or not link.is_live:
            raise UserError(what, _("No phone is in use"), _("Connect one, or start a virtual phone"))
        if self._recording.is_active:
            raise UserError(what, _("A recording is running"), _("Finish it first"))
        if self._anomalies.active or self._anomalies.is_firing:
            raise UserError(what, _("Something is injected already"), _("Answer or undo it first"))
        return link

    @Slot(object)
    def _looked_at_trust(self, wanted: TrustRequest | None) -> None:
        if self._waiting is None:
            return  # another project was opened meanwhile
        if wanted is not None:
            self.trust_asked.emit(wanted)
        else:
            self._begin()

    @Slot()
    def _trusted(self) -> None:
        if self._waiting is not None:
            self.start(*self._waiting)

    def _begin(self) -> None:
        waiting, project = self._waiting, self._library.project
        self._waiting = None
        if waiting is None or project is None or self.is_running:
            return
        why = _("The phone is busy: a survey of solvability runs on it")
        try:
            link = self._require_phone()
        except UserError as error:
            self.failed.emit(error)
            return
        phone = self._anomalies.lend(why)
        if phone is None:
            return
        self.plan, self.ground = waiting
        self.trials, self.problem, self._gone = [], "", False
        self.progress = SolvabilityProgress(self.plan, self.ground, self.pace_of(link))
        self._link = link
        link.set_busy(why)
        self._cancelled = threading.Event()
        told: EventEmitter[SolvabilityTrial | TrialStep | CheckEnded] = EventEmitter()
        self._bridge = EventBridge(self)
        self._bridge.listen(told)
        self._bridge.happened.connect(self._told)
        work = SolvabilityWork(self.plan, self.ground, project, link.session, phone, told, self._cancelled)
        self._thread = threading.Thread(target=self._run, args=(work,), name="solvability", daemon=True)
        self._thread.start()
        self.changed.emit()

    def _run(self, work: SolvabilityWork) -> None:
        """On the survey's thread."""
        error: Exception | None = None
        try:
            self._do(work)
        except CallCancelled:
            _log.debug("the survey was given up")
        except UserError as raised:
            error = raised
        except Exception as raised:  # noqa: BLE001 - handed to the GUI thread, which shows it
            _log.exception("the survey failed")
            error = raised
        work.told.emit(CheckEnded(error))

    # -- what is told --------------------------------------------------------
    @Slot(object)
    def _told(self, told: SolvabilityTrial | TrialStep | CheckEnded) -> None:
        progress = self.progress
        assert progress is not None
        match told:
            case TrialStep():
                progress.at(told)
                self.progressed.emit(progress)
            case SolvabilityTrial():
                self.trials.append(told)
                progress.ended(told)
                self.found.emit(told)
                self.progressed.emit(progress)
            case CheckEnded():
                self._ended(told.error)

    def _ended(self, error: Exception | None) -> None:
        thread, link, bridge = self._thread, self._link, self._bridge
        self._thread, self._link, self._bridge = None, None, None
        if thread is not None:
            thread.join()  # it told its last: nothing is waited for
        if bridge is not None:
            bridge.close()
            bridge.deleteLater()
        if link is not None:
            link.set_busy("")
            if self.progress is not None and self.progress.done:
                self._paces[link.serial] = self.progress.pace
        self._anomalies.take_back()
        if self._gone:
            error = DeviceError(_("The phone is no longer in use"))
        if error is not None:
            self.problem = error.what if isinstance(error, UserError) else _("Something went wrong")
            self.failed.emit(error)
        elif self._cancelled.is_set():
            self.problem = _("Cancelled")
        if self._stale:
            self._forget()
        else:
            self.changed.emit()

    @Slot(object)
    def _phone_changed(self, link: PhoneLink | None) -> None:
        """Another phone, or another way to it: what runs has lost the one it is on."""
        if self.is_running and link is not self._link:
            self._gone, self._link = True, None  # a link that was let go must not be touched
            self.cancel()

    @Slot(object)
    def _project_changed(self, _snapshot: object) -> None:
        """Another project: what was found is about the one before."""
        self.cancel()
        self._stale = self.is_running
        if not self.is_running:
            self._forget()

    def _forget(self) -> None:
        self.plan, self.trials, self.progress, self.problem = None, [], None, ""
        self._waiting, self._stale = None, False
        self.changed.emit()
