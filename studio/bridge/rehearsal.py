"""Injection rules rehearsed on the phone in use: each new state judged behind, what fires injected."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal, Slot

from collector.anomalies.events import AnomalyEvent
from collector.anomalies.injected_anomaly import InjectedAnomaly
from collector.anomalies.injector import InjectionRequest
from collector.anomalies.project_trust import TrustRequest
from collector.anomalies.rehearsal import RehearsalOutcome, RehearsedRule
from collector.device.snapshot import TreeSnapshot
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.errors import UserError
from studio.bridge.anomalies import Anomalies
from studio.bridge.devices import Devices
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.phone import PhoneLink
from studio.bridge.rehearsal_states import (
    PhoneObservation,
    RehearsalInput,
    RehearsalRun,
    RehearsalSetup,
    RehearsedState,
)

MOST_MOMENTS = 200
"""States that are kept; the oldest go first."""


@dataclass(frozen=True, slots=True)
class _Firing:
    """What was asked of the phone and is not answered yet."""

    request: InjectionRequest
    number: int
    rule_id: str


@dataclass(frozen=True, slots=True)
class _Came:
    """A state that was judged, and by whom."""

    judge: RehearsalRun
    shot: PhoneObservation
    moment: RehearsedState | None


class Rehearsals(QObject):
    """Owns the session. GUI thread; nothing waits.

    A state is another tree that came to rest; dialogs of the companion app are none.
    """

    judged = Signal(object)
    """A new :class:`RehearsedState`."""
    changed = Signal()
    """A cell, an injection or what there is at all is another."""
    running_changed = Signal(bool)
    setup_changed = Signal()
    phone_changed = Signal(object)
    """The PhoneLink in use, or None."""
    failed = Signal(object)

    def __init__(
        self, runner: JobRunner, devices: Devices, anomalies: Anomalies,
        matter: Callable[[], RehearsalInput], parent: QObject | None = None,
    ) -> None:  # fmt: skip
        """``matter`` is asked at each state, so that an edit counts from the next one on."""
        super().__init__(parent)
        self._runner, self._anomalies, self._matter = runner, anomalies, matter
        self._phone: PhoneLink | None = None
        self._judge: RehearsalRun | None = None
        self._waiting: deque[PhoneObservation] = deque()
        self._job: Job | None = None
        self._seen = self._restless = b""
        self._firing: _Firing | None = None
        self.setup = RehearsalSetup()
        self.is_running = False
        self.moments: deque[RehearsedState] = deque(maxlen=MOST_MOMENTS)
        """States so far, the oldest first."""
        self.events: dict[str, list[AnomalyEvent]] = {}
        """What became of each injection, by its id."""
        anomalies.happened.connect(self._happened)
        anomalies.fired.connect(self._fired)
        anomalies.refused.connect(self._refused)
        anomalies.trust_asked.connect(self._trust_asked)
        anomalies.active_changed.connect(self._active_changed)
        devices.current_changed.connect(self.use_phone)
        self.use_phone(devices.current)

    # -- what is known -------------------------------------------------------
    @property
    def phone(self) -> PhoneLink | None:
        return self._phone

    @property
    def can_fire(self) -> bool:
        """Whether something may be injected now: a dialog waits for its answer first."""
        anomalies = self._anomalies
        free = not anomalies.is_firing and anomalies.open is None and not anomalies.leased_for
        return self._phone is not None and not self._phone.is_lost and free

    def moment(self, number: int) -> RehearsedState | None:
        """A state by its number; None when it was not yet, or is not kept any more."""
        at = number - self.moments[0].number if self.moments else -1
        return self.moments[at] if 0 <= at < len(self.moments) else None

    def is_active(self, injection: str) -> bool:
        """Whether it is on the phone now, so that there is something to take back."""
        return any(one.id == injection for one in self._anomalies.active)

    def is_waiting(self, number: int, rule_id: str) -> bool:
        """Whether its anomaly is on its way to the phone; not while it waits for the person's trust."""
        one = self._firing if self._anomalies.is_firing else None
        return one is not None and (one.number, one.rule_id) == (number, rule_id)

    # -- what is asked -------------------------------------------------------
    def arrange(self, **chosen: object) -> None:
        """Choose fields of the :class:`RehearsalSetup` anew; they count from the next state on.

        Dry or live and the seed begin anew: what a dry run counted never happened, and draws of two
        seeds are no episode.
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
        self._judge, self._firing, self._job = None, None, None
        self._seen = self._restless = b""
        self.changed.emit()

    def force(self, rule_id: str) -> None:
        """Inject what a rule injects, whatever the phone shows and whatever was drawn, dry run or not."""
        phone = self._phone
        snapshot = phone.screen.newest_tree() if phone is not None else None
        if phone is None or snapshot is None or snapshot.tree is None or not self.can_fire:
            return
        if snapshot.package == COMPANION_PACKAGE:  # a dialog that is gone, and the screen not read again yet
            phone.refresh_tree()
            return
        self._seen = snapshot.xml
        self._waiting.append(replace(self._shot(phone, snapshot), forced=rule_id))
        self._go_on()

    def undo(self, injection: str = "") -> None:
        """Take one injection back; the newest when none is named."""
        active = self._anomalies.active
        if active:
            self._anomalies.undo(injection or active[-1].id)

    # -- the phone -----------------------------------------------------------
    @Slot(object)
    def use_phone(self, phone: PhoneLink | None) -> None:
        """Another phone is in use, or none: what runs on one does not go on on another."""
        before, self._phone = self._phone, phone
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
        if not self.is_running or phone is None or snapshot is None or snapshot.tree is None:
            return
        if snapshot.package == COMPANION_PACKAGE or snapshot.xml == self._seen:
            return
        if snapshot.problem and snapshot.xml != self._restless:
            self._restless = snapshot.xml  # a screen that always moves is at rest when its tree is
            return
        self._seen = snapshot.xml
        self._waiting.append(self._shot(phone, snapshot))
        self._go_on()

    def _shot(self, phone: PhoneLink, snapshot: TreeSnapshot) -> PhoneObservation:
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
        anomalies, matter, setup = self._anomalies, self._matter(), self.setup
        busy = anomalies.is_firing or anomalies.open is not None
        shot = replace(self._waiting.popleft(), dialog_open=busy)
        judge = self._judge = self._judge or RehearsalRun(setup)
        last = self.moments[-1] if self.moments else None

        def work(_job: Job) -> _Came:
            forced = judge.forced(shot, last, matter, setup) if shot.forced else None
            return _Came(judge, shot, forced if shot.forced else judge.judged(shot, matter, setup))

        self._job = self._runner.run(work, success=self._came, failure=self._broke)

    @Slot(object)
    def _came(self, came: _Came) -> None:
        if came.judge is not self._judge:
            return  # it began anew meanwhile
        self._job = None
        if came.moment is not None:
            self._keep(came.moment)
            live = self.setup.live and self.is_running
            for cell in came.moment.cells.values():
                wanted = cell.rule.id == came.shot.forced if came.shot.forced else live
                if wanted and cell.shown is RehearsalOutcome.WOULD_FIRE:
                    self._fire(came.moment, cell)
        self._go_on()

    def _keep(self, moment: RehearsedState) -> None:
        if self.moments and self.moments[-1].number == moment.number:
            self.moments[-1] = moment
            self.changed.emit()
        else:
            self.moments.append(moment)
            self.judged.emit(moment)

    @Slot(object)
    def _broke(self, error: Exception) -> None:
        self._job = None
        self.stop()
        self.failed.emit(error)

    # -- firing --------------------------------------------------------------
    def _fire(self, moment: RehearsedState, told: RehearsedRule) -> None:
        anomaly = self._matter().anomalies.get(told.anomaly)
        if anomaly is None or told.action is None:
            return  # taken away since it was judged: the next state says so
        request = InjectionRequest(anomaly, moment.view.package, follow_up=told.action.follow_up)
        self._firing = _Firing(request, moment.number, told.rule.id)
        if self._anomalies.fire(request) is None:
            self._firing = None
        self.changed.emit()

    @Slot(object, object)
    def _fired(self, request: InjectionRequest, injected: InjectedAnomaly) -> None:
        self._settle(request, shown=RehearsalOutcome.FIRED, injected=injected)

    @Slot(object, object)
    def _refused(self, request: InjectionRequest, error: UserError) -> None:
        self._settle(request, shown=RehearsalOutcome.FAILED, reason=str(error))

    @Slot(object)
    def _trust_asked(self, _wanted: TrustRequest) -> None:
        self.changed.emit()

    def _settle(self, request: InjectionRequest, **came: object) -> None:
        firing = self._firing
        if firing is None or firing.request is not request:
            return
        self._firing = None
        moment = self.moment(firing.number)
        if moment is not None and (told := moment.cells.get(firing.rule_id)) is not None:
            moment.cells[firing.rule_id] = replace(told, **came)  # type: ignore[arg-type]
        self.changed.emit()

    @Slot(object)
    def _happened(self, event: AnomalyEvent) -> None:
        if self.moments:
            self.events.setdefault(event.injection, []).append(event)
            self.changed.emit()

    @Slot(object)
    def _active_changed(self, _active: object) -> None:
        self.changed.emit()
