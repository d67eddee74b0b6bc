"""Rehearsal of injection rules on the phone in use, as Qt signals."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal, Slot

from collector.anomalies.anomaly_source import TrustRequest
from collector.anomalies.events import AnomalyEvent
from collector.anomalies.injected_anomaly import InjectedAnomaly
from collector.anomalies.injector import InjectionRequest
from collector.anomalies.rehearsal import RehearsedRule, injection_request
from collector.anomalies.rehearsal_run import (
    PhoneObservation,
    RehearsalInput,
    RehearsalRun,
    RehearsalSetup,
    RehearsedState,
    would_fire,
)
from collector.device.snapshot import TreeSnapshot
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.errors import UserError
from studio.bridge.anomalies.anomalies import Anomalies
from studio.bridge.anomalies.rehearsal_pictures import jpeg_of
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.phones.devices import Devices
from studio.bridge.phones.phone import PhoneLink

MOST_MOMENTS = 200
"""States that are kept; the oldest go first."""


@dataclass(frozen=True, slots=True)
class _PendingRequest:
    """An injection that was requested for a rule at a state and did not end yet."""

    request: InjectionRequest
    number: int
    rule_id: str


@dataclass(frozen=True, slots=True)
class _JudgedState:
    """A state that was judged, and the run it belongs to."""

    run: RehearsalRun
    observation: PhoneObservation
    state: RehearsedState | None


class Rehearsals(QObject):
    """Owns the one rehearsal. GUI thread; nothing waits.

    A state is a new tree that came to rest; a dialog of the companion app is no state.
    """

    judged = Signal(object)
    """A new :class:`RehearsedState`."""
    changed = Signal()
    """A cell, an injection or the list of states changed."""
    running_changed = Signal(bool)
    setup_changed = Signal()
    phone_changed = Signal(object)
    """The PhoneLink in use, or None."""
    failed = Signal(object)

    def __init__(
        self, runner: JobRunner, devices: Devices, anomalies: Anomalies,
        read_input: Callable[[], RehearsalInput], parent: QObject | None = None,
    ) -> None:  # fmt: skip
        """``read_input`` is called at each state, so that an edit counts from the next one on."""
        super().__init__(parent)
        self._runner, self._anomalies, self._read_input = runner, anomalies, read_input
        self._phone: PhoneLink | None = None
        self._rehearsal: RehearsalRun | None = None
        self._waiting: deque[PhoneObservation] = deque()
        self._job: Job | None = None
        self._last_xml = self._restless = b""
        self._pending: _PendingRequest | None = None
        self._force_next = ""
        """Id of a rule to force on the next screen, because the newest tree still shows a closed dialog."""
        self.setup = RehearsalSetup()
        self.is_running = False
        self.moments: deque[RehearsedState] = deque(maxlen=MOST_MOMENTS)
        """States so far, the oldest first."""
        self.events: dict[str, list[AnomalyEvent]] = {}
        """The events of each injection, by its id."""
        anomalies.happened.connect(self._happened)
        anomalies.fired.connect(self._fired)
        anomalies.refused.connect(self._refused)
        anomalies.trust_asked.connect(self._trust_asked)
        anomalies.active_changed.connect(self._active_changed)
        devices.current_changed.connect(self.use_phone)
        self.use_phone(devices.current)

    # -- state ---------------------------------------------------------------
    @property
    def phone(self) -> PhoneLink | None:
        return self._phone

    @property
    def can_fire(self) -> bool:
        """Whether something may be injected now: a dialog waits for its answer first."""
        anomalies = self._anomalies
        free = not anomalies.is_firing and anomalies.open is None and not anomalies.leased_for
        phone = self._phone
        return phone is not None and not phone.is_lost and not phone.taken and free

    def moment(self, number: int) -> RehearsedState | None:
        """The state of that number; None when it did not come yet, or is not kept any more."""
        at = number - self.moments[0].number if self.moments else -1
        return self.moments[at] if 0 <= at < len(self.moments) else None

    def is_active(self, injection: str) -> bool:
        """Whether it is on the phone now, so that there is something to take back."""
        return any(change.id == injection for change in self._anomalies.active)

    def is_waiting(self, number: int, rule_id: str) -> bool:
        """Whether its anomaly is being injected; not while it waits for the person's trust."""
        pending = self._pending if self._anomalies.is_firing else None
        return pending is not None and (pending.number, pending.rule_id) == (number, rule_id)

    # -- requests ------------------------------------------------------------
    def arrange(self, **chosen: object) -> None:
        """Change fields of the :class:`RehearsalSetup`; they count from the next state on.

        A change of ``live`` or ``seed`` restarts the rehearsal: the counts of a dry run never happened,
        and draws of two seeds are not one episode.
        """
        before = self.setup
        self.setup = replace(before, **chosen)  # type: ignore[arg-type]
        if self.setup == before:
            return
        self.setup_changed.emit()
        if self.is_running and (self.setup.live, self.setup.seed) != (before.live, before.seed):
            self.start()

    def start(self) -> None:
        """Begin anew with what the phone shows now; nothing happens without a phone."""
        phone = self._phone
        if phone is None:
            return
        self.clear()
        self._run(True)
        self._take(phone.screen.newest_tree())
        phone.refresh_tree()

    def stop(self) -> None:
        """Judge no more; what was injected stays until it is answered or undone."""
        self._waiting.clear()
        self._run(False)

    def clear(self) -> None:
        """Forget all states, draws and limits."""
        self.moments.clear()
        self.events.clear()
        self._waiting.clear()
        self._rehearsal, self._pending, self._job, self._force_next = None, None, None, ""
        self._last_xml = self._restless = b""
        self.changed.emit()

    def force(self, rule_id: str) -> None:
        """Inject what a rule injects, whatever the phone shows and whatever was drawn, dry run or not."""
        phone = self._phone
        snapshot = phone.screen.newest_tree() if phone is not None else None
        if phone is None or snapshot is None or snapshot.tree is None or not self.can_fire:
            return
        if snapshot.package == COMPANION_PACKAGE:
            self._force_next = rule_id
            phone.refresh_tree()
            return
        self._force_next = ""
        self._last_xml = snapshot.xml
        self._waiting.append(replace(self._observe(phone, snapshot), forced=rule_id))
        self._go_on()

    def undo(self, injection: str = "") -> None:
        """Take one injection back; the newest when none is named."""
        active = self._anomalies.active
        if active:
            self._anomalies.undo(injection or active[-1].id)

    # -- the phone -----------------------------------------------------------
    @Slot(object)
    def use_phone(self, phone: PhoneLink | None) -> None:
        """Another phone is in use, or none: a rehearsal does not go on on another phone."""
        before, self._phone = self._phone, phone
        self._force_next = ""
        if before is not None:
            before.tree_changed.disconnect(self._take)
        if phone is not None:
            phone.tree_changed.connect(self._take)
        if self.is_running and (before is None or phone is None or before.serial != phone.serial):
            self.stop()
        self.phone_changed.emit(phone)

    @Slot(object)
    def _take(self, snapshot: TreeSnapshot | None) -> None:
        """Judge what the phone shows, once it shows something else."""
        phone = self._phone
        if phone is None or snapshot is None or snapshot.tree is None:
            return
        if self._force_next and snapshot.package != COMPANION_PACKAGE:
            self.force(self._force_next)
            return
        if not self.is_running:
            return
        if snapshot.package == COMPANION_PACKAGE or snapshot.xml == self._last_xml:
            return
        if snapshot.problem and snapshot.xml != self._restless:
            self._restless = snapshot.xml  # a screen that always moves is at rest when its tree is
            return
        self._last_xml = snapshot.xml
        self._waiting.append(self._observe(phone, snapshot))
        self._go_on()

    def _observe(self, phone: PhoneLink, snapshot: TreeSnapshot) -> PhoneObservation:
        frame = phone.screen.newest_frame() if not phone.screen.secure else None
        size = phone.screen.screen_size
        return PhoneObservation(snapshot, frame, frame.size if size.is_empty and frame is not None else size)

    # -- judging -------------------------------------------------------------
    def _run(self, running: bool) -> None:
        if running != self.is_running:
            self.is_running = running
            self.running_changed.emit(running)

    def _go_on(self) -> None:
        if self._job is not None or not self._waiting:
            return
        anomalies, given, setup = self._anomalies, self._read_input(), self.setup
        busy = anomalies.is_firing or anomalies.open is not None
        observation = replace(self._waiting.popleft(), dialog_open=busy)
        run = self._rehearsal = self._rehearsal or RehearsalRun(setup, jpeg_of)
        last = self.moments[-1] if self.moments else None

        def work(_job: Job) -> _JudgedState:
            if observation.forced:
                return _JudgedState(run, observation, run.force(observation, last, given, setup))
            return _JudgedState(run, observation, run.judge(observation, given, setup))

        self._job = self._runner.run(work, success=self._judged_state, failure=self._broke)

    @Slot(object)
    def _judged_state(self, judged: _JudgedState) -> None:
        if judged.run is not self._rehearsal:
            return  # the rehearsal was restarted meanwhile
        self._job = None
        state, forced = judged.state, judged.observation.forced
        if state is not None:
            self._keep(state)
            live = self.setup.live and self.is_running
            for cell in would_fire(state):
                if cell.rule.id == forced if forced else live:
                    self._fire(state, cell)
        self._go_on()

    def _keep(self, state: RehearsedState) -> None:
        if self.moments and self.moments[-1].number == state.number:
            self.moments[-1] = state
            self.changed.emit()
        else:
            self.moments.append(state)
            self.judged.emit(state)

    @Slot(object)
    def _broke(self, error: Exception) -> None:
        self._job = None
        self.stop()
        self.failed.emit(error)

    # -- injecting -----------------------------------------------------------
    def _fire(self, state: RehearsedState, cell: RehearsedRule) -> None:
        request = injection_request(cell, self._read_input().anomalies, state.view.package)
        if request is None:
            return  # taken away since it was judged: the next state says so
        self._pending = _PendingRequest(request, state.number, cell.rule.id)
        if self._anomalies.fire(request) is None:
            self._pending = None
        self.changed.emit()

    @Slot(object, object)
    def _fired(self, request: InjectionRequest, injected: InjectedAnomaly) -> None:
        self._settle(request, lambda cell: cell.fired(injected))

    @Slot(object, object)
    def _refused(self, request: InjectionRequest, error: UserError) -> None:
        self._settle(request, lambda cell: cell.failed(str(error)))

    @Slot(object)
    def _trust_asked(self, _request: TrustRequest) -> None:
        self.changed.emit()

    def _settle(self, request: InjectionRequest, change: Callable[[RehearsedRule], RehearsedRule]) -> None:
        pending = self._pending
        if pending is None or pending.request is not request:
            return
        self._pending = None
        state = self.moment(pending.number)
        if state is not None and (cell := state.cells.get(pending.rule_id)) is not None:
            state.cells[pending.rule_id] = change(cell)
        self.changed.emit()

    @Slot(object)
    def _happened(self, event: AnomalyEvent) -> None:
        if self.moments:
            self.events.setdefault(event.injection, []).append(event)
            self.changed.emit()

    @Slot(object)
    def _active_changed(self, _active: object) -> None:
        self.changed.emit()
