"""The solvability check on the phone in use, as Qt signals; it runs behind the window."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from collector.anomalies.anomaly_source import AnomalySource, TrustRequest
from collector.anomalies.injection_session import InjectionSession
from collector.device.errors import CallCancelled, DeviceError
from collector.device.session import DeviceSession
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _
from collector.replay.solvability.plan import SolvabilityInput, SolvabilityPlan, read_solvability_input
from collector.replay.solvability.progress import SolvabilityProgress
from collector.replay.solvability.trials import SolvabilityTrial, TrialStep
from collector.store.project.project import Project
from studio.bridge.anomalies.anomalies import Anomalies
from studio.bridge.event_bridge import EventBridge
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.phones.devices import Devices
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.recording import Recording

_log = logging.getLogger(__name__)
_VIRTUAL_PACE = 0.25
_JOIN_S = 15.0
"""How long the end of a studio waits for a run to be given up and the phone to be set right."""


@dataclass(frozen=True, slots=True)
class CheckEnded:
    """The last event of a check; ``error`` says why it ended early, None too when it was cancelled."""

    error: Exception | None = None


CheckEvent = SolvabilityTrial | TrialStep | CheckEnded


@dataclass(frozen=True, slots=True)
class SolvabilityWork:
    """Everything a check needs on its thread."""

    plan: SolvabilityPlan
    given: SolvabilityInput
    project: Project
    device_session: DeviceSession
    injections: InjectionSession
    events: EventEmitter[CheckEvent]
    cancelled: threading.Event


def run_check(work: SolvabilityWork) -> None:
    """Run the whole check on the caller's thread. Raises UserError, CallCancelled."""
    # Imported here: the engine of rules and replays takes its time to load, and the start does not wait.
    from collector.judge.evaluation.task_rules import rules_by_task
    from collector.replay.phone import ReplayPhone
    from collector.replay.redacted_text import texts_for
    from collector.replay.replay_run import SOLVABILITY_EXPERIMENT, ReplayRuns
    from collector.replay.solvability.check import SolvabilityCheck

    plan = work.plan
    with work.injections.leased(work.cancelled) as injector:
        lease = work.device_session.lease(work.cancelled)
        try:
            check = SolvabilityCheck(
                ReplayPhone(lease.device, lease.trees, lease.sink, lease.pictures), injector,
                rules_by_task(work.project, work.given.rules), cancelled=work.cancelled,
                texts=lambda task, golden: texts_for(golden.steps, plan.texts.get(task.id, ())),
                runs=ReplayRuns(work.project, lease.device, SOLVABILITY_EXPERIMENT) if plan.records else None,
            )  # fmt: skip
            check.trial_ended.subscribe(work.events.emit)
            check.step_begun.subscribe(work.events.emit)
            check.run_plan(plan, work.given)
        finally:
            lease.close()


class Solvability(QObject):
    """Owns the one check. GUI thread; only :meth:`close` waits."""

    looked = Signal(object)
    """The :class:`SolvabilityInput` that was asked for."""
    changed = Signal()
    """A check began, is being cancelled, or ended."""
    trial_ended = Signal(object)
    """A :class:`SolvabilityTrial`."""
    progressed = Signal(object)
    """The :class:`SolvabilityProgress` of the check that runs."""
    trust_asked = Signal(object)
    """A :class:`TrustRequest`: nothing was begun, and :meth:`trust` goes on."""
    failed = Signal(object)
    """Why a check did not begin, or ended early."""

    def __init__(
        self, runner: JobRunner, project_library: ProjectLibrary, devices: Devices, anomalies: Anomalies,
        recording: Recording, parent: QObject | None = None, *,
        do: Callable[[SolvabilityWork], None] = run_check,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._runner, self._project_library, self._devices = runner, project_library, devices
        self._anomalies, self._recording, self._do = anomalies, recording, do
        self._thread: threading.Thread | None = None
        self._bridge: EventBridge | None = None
        self._link: PhoneLink | None = None
        self._cancelled = threading.Event()
        self._requested: tuple[SolvabilityPlan, SolvabilityInput] | None = None
        self._phone_gone = self._stale = False
        self.given = SolvabilityInput()
        """The input of the check on show."""
        self.plan: SolvabilityPlan | None = None
        self.trials: list[SolvabilityTrial] = []
        self.progress: SolvabilityProgress | None = None
        self._paces: dict[str, float] = {}
        self.problem = ""
        """Why the check on show ended early, in one sentence; empty when it did not."""
        devices.current_changed.connect(self._phone_changed)
        project_library.opened.connect(self._project_changed)

    # -- state ---------------------------------------------------------------
    @property
    def is_running(self) -> bool:
        return self._thread is not None

    @property
    def is_stopping(self) -> bool:
        """Whether it was cancelled and its last run is being ended."""
        return self.is_running and self._cancelled.is_set()

    @property
    def obstacle(self) -> str:
        """Why no check can begin now, and what to do, in sentences; empty when one can."""
        try:
            self._require_phone()
        except UserError as error:
            return f"{error.why}. {error.to_do}"
        return ""

    def pace_of(self, link: PhoneLink | None) -> float:
        """How many seconds a phone takes for one estimated second, as measured before."""
        measured = self._paces.get(link.serial) if link is not None else None
        return measured or (_VIRTUAL_PACE if link is not None and link.info.is_virtual else 1.0)

    # -- requests ------------------------------------------------------------
    def look(self) -> Job | None:
        """Read what the project has for a check; ``looked`` follows, or ``failed``."""
        project, snapshot = self._project_library.project, self._project_library.snapshot
        if project is None or snapshot is None:
            return None
        tasks = [task for task in self._project_library.edits.tasks if snapshot.golden.get(task.id)]
        return self._runner.run(
            lambda _job: read_solvability_input(project, tasks),
            success=self.looked.emit,
            failure=self.failed.emit,
        )

    def start(self, plan: SolvabilityPlan, given: SolvabilityInput) -> None:
        """Begin; ``changed`` follows, or ``trust_asked``, or ``failed``."""
        project = self._project_library.project
        if self.is_running or project is None:
            return
        try:
            self._require_phone()
        except UserError as error:
            self.failed.emit(error)
            return
        self._requested = (plan, given)

        def work(_job: Job) -> TrustRequest | None:
            source = AnomalySource(project)
            asked = (source.trust_request(request) for request in plan.requests(given))
            return next((request for request in asked if request is not None), None)

        self._runner.run(work, success=self._trust_checked, failure=self.failed.emit)

    def trust(self, request: TrustRequest) -> None:
        """The person looked at these commands: let them run in this project, and begin."""
        if self._requested is None:
            return  # another project was opened meanwhile: nobody looked at this for it
        job = self._project_library.grant(request)
        if job is not None:
            job.succeeded.connect(self._trusted)

    @Slot()
    def cancel(self) -> None:
        """End the check after its current action; the trials so far are kept."""
        if self.is_running and not self._cancelled.is_set():
            self._cancelled.set()
            self.changed.emit()

    def close(self) -> None:
        """End the check and wait, some seconds at the worst, until the phone is restored. At the end only."""
        self._cancelled.set()
        if self._bridge is not None:
            self._bridge.close()
        if self._thread is not None:
            self._thread.join(_JOIN_S)
            self._thread = None

    # -- beginning -----------------------------------------------------------
    def _require_phone(self) -> PhoneLink:
        """The phone in use, when it is free for a check. Raises UserError."""
        link = self._devices.current
        what = _("The solvability check did not begin")
        if link is None or not link.is_live:
            raise UserError(what, _("No phone is in use"), _("Connect one, or start a virtual phone"))
        if self._recording.is_active:
            raise UserError(what, _("A recording is running"), _("Finish it first"))
        link.require_free()
        if self._anomalies.active or self._anomalies.is_firing:
            raise UserError(what, _("Something is injected already"), _("Answer or undo it first"))
        return link

    @Slot(object)
    def _trust_checked(self, request: TrustRequest | None) -> None:
        if self._requested is None:
            return  # another project was opened meanwhile
        if request is not None:
            self.trust_asked.emit(request)
        else:
            self._begin()

    @Slot()
    def _trusted(self) -> None:
        if self._requested is not None:
            self.start(*self._requested)

    def _begin(self) -> None:
        requested, project = self._requested, self._project_library.project
        self._requested = None
        if requested is None or project is None or self.is_running:
            return
        why = _("The phone is busy: a solvability check runs on it")
        try:
            link = self._require_phone()
        except UserError as error:
            self.failed.emit(error)
            return
        injections = self._anomalies.lease(why)
        if injections is None:
            return
        self.plan, self.given = requested
        self.trials, self.problem, self._phone_gone = [], "", False
        self.progress = SolvabilityProgress(self.plan, self.given, self.pace_of(link))
        self._link = link
        link.set_busy(why)
        self._cancelled = threading.Event()
        events: EventEmitter[CheckEvent] = EventEmitter()
        self._bridge = EventBridge(self)
        self._bridge.listen(events)
        self._bridge.happened.connect(self._on_event)
        work = SolvabilityWork(
            self.plan, self.given, project, link.session, injections, events, self._cancelled
        )
        self._thread = threading.Thread(target=self._run, args=(work,), name="solvability", daemon=True)
        self._thread.start()
        self.changed.emit()

    def _run(self, work: SolvabilityWork) -> None:
        """On the thread of the check."""
        error: Exception | None = None
        try:
            self._do(work)
        except CallCancelled:
            _log.debug("the solvability check was cancelled")
        except UserError as raised:
            error = raised
        except Exception as raised:  # noqa: BLE001 - handed to the GUI thread, which shows it
            _log.exception("the solvability check failed")
            error = raised
        work.events.emit(CheckEnded(error))

    # -- events --------------------------------------------------------------
    @Slot(object)
    def _on_event(self, event: CheckEvent) -> None:
        progress = self.progress
        assert progress is not None
        match event:
            case TrialStep():
                progress.begin_step(event)
                self.progressed.emit(progress)
            case SolvabilityTrial():
                self.trials.append(event)
                progress.end_trial(event)
                self.trial_ended.emit(event)
                self.progressed.emit(progress)
            case CheckEnded():
                self._ended(event.error)

    def _ended(self, error: Exception | None) -> None:
        thread, link, bridge = self._thread, self._link, self._bridge
        self._thread, self._link, self._bridge = None, None, None
        if thread is not None:
            thread.join()  # its last event has come: nothing is waited for
        if bridge is not None:
            bridge.close()
            bridge.deleteLater()
        if link is not None:
            link.set_busy("")
            if self.progress is not None and self.progress.done:
                self._paces[link.serial] = self.progress.pace
        self._anomalies.end_lease()
        if self._phone_gone:
            error = DeviceError(_("The phone is no longer in use"))
        if error is not None:
            self.problem = error.what if isinstance(error, UserError) else _("Something went wrong")
            self.failed.emit(error)
        elif self._cancelled.is_set():
            self.problem = _("Cancelled")
        if any(trial.run for trial in self.trials):
            self._project_library.refresh()  # the runs are new trajectories of the project
        if self._stale:
            self._forget()
        else:
            self.changed.emit()

    @Slot(object)
    def _phone_changed(self, link: PhoneLink | None) -> None:
        """Another phone, or another connection to it: the check has lost its phone."""
        if self.is_running and link is not self._link:
            self._phone_gone, self._link = True, None  # a closed link must not be used
            self.cancel()

    @Slot(object)
    def _project_changed(self, _snapshot: object) -> None:
        """Another project: the trials are about the one before."""
        self.cancel()
        self._stale = self.is_running
        if not self.is_running:
            self._forget()

    def _forget(self) -> None:
        self.plan, self.trials, self.progress, self.problem = None, [], None, ""
        self._requested, self._stale = None, False
        self.changed.emit()
