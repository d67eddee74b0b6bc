"""Bring the phone of the running recording to where its next step goes, behind the window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from shiboken6 import isValid

from collector.device.errors import CallCancelled
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import Task
from collector.recorder.events import Phase, RecordingState
from collector.recorder.recorder import Recorder
from collector.recorder.step_editing import StepPlace
from collector.reset.reset_plan import UntrustedReset, plan_reset, require_trust
from collector.reset.reset_record import ResetPlan, reset_kind
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from studio.bridge.anomalies.anomalies import Anomalies
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.phones.devices import Devices
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.recording import Recording

if TYPE_CHECKING:
    from collector.replay.replay_to_step import Arrival

_FLUSH_S = 30.0


@dataclass(frozen=True, slots=True)
class _Arrived:
    """Where a replay brought the phone, and how."""

    index: int
    place: StepPlace
    arrival: Arrival


class StepReplay(QObject):
    """Brings the phone to where the running recording ends, while that is paused. GUI thread only.

    A recording that was not paused before is resumed once the phone is there; one that could not be
    served stays paused, so that nothing is recorded from a wrong screen.
    """

    changed = Signal()
    """A replay began or ended."""
    done = Signal(int, object)
    """Index of the step that comes next, and the :class:`Arrival` that says how the phone got there."""
    refused = Signal(object)
    """A :class:`TrustRequest`: nothing ran, because nobody trusted the commands of the reset yet."""
    failed = Signal(object)
    cancelled = Signal()

    def __init__(
        self, runner: JobRunner, devices: Devices, recording: Recording, anomalies: Anomalies,
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._runner, self._devices = runner, devices
        self._recording, self._anomalies = recording, anomalies
        self._job: Job | None = None
        self._phone: PhoneLink | None = None
        self._recorder: Recorder | None = None
        self._resumes = False
        """Whether the pause is this replay's, or that of one before that did not get there."""
        devices.current_changed.connect(self._phone_changed)
        recording.state_changed.connect(self._recording_changed)

    @property
    def is_running(self) -> bool:
        return self._job is not None

    def start(self, project: Project, task: Task | None, reset: str = "") -> None:
        """Pause the recording and begin. ``done``, ``refused``, ``failed`` or ``cancelled`` follows.

        A ``reset`` of RESETS comes first; without it, what was reset before the recording, or what the task
        resets before one, is reset when nothing else helps. Raises UserError when it cannot begin.
        """
        recorder, folder, phone = self._recording.recorder, self._recording.folder, self._require_phone()
        header = self._recording.header
        if recorder is None or folder is None or header is None or self.is_running:
            return
        plan = plan_reset(project, task, reset or reset_kind(header))
        why = _("The phone is being brought to where the steps end")
        if self._anomalies.lease(why) is None:
            raise UserError(_("The phone cannot be used"), _("it is still being prepared"), _("Try again"))
        self._phone, self._recorder = phone, recorder
        self._resumes = self._resumes or self._recording.phase is Phase.RECORDING
        phone.set_busy(why)
        recorder.pause(why)
        recorder.place.leave()
        request = _Request(
            recorder, folder, phone, task.package if task is not None else "", plan,
            is_reset_asked=bool(reset), trust=partial(require_trust, project),
        )  # fmt: skip
        self._job = self._runner.run(
            lambda job: _bring(job, request), title=_("Bring the phone to where the steps end"),
            success=self._succeeded, failure=self._failed,
        )  # fmt: skip
        self._job.stopped.connect(self._stopped)
        self.changed.emit()

    @Slot()
    def cancel(self) -> None:
        """End the replay after its current action; the recording stays paused."""
        if self._job is not None:
            self._job.cancel()

    def _require_phone(self) -> PhoneLink:
        phone = self._devices.current
        what = _("The phone cannot be brought to where the steps end")
        if phone is None or not phone.is_live:
            raise UserError(what, _("no phone is in use"), _("Connect it"))
        phone.require_free()
        if not self._recording.records(phone):
            raise UserError(what, _("another phone was recorded"), _("Use that one"))
        if self._anomalies.active or self._anomalies.is_firing:
            raise UserError(what, _("something is injected"), _("Answer or undo it first"))
        return phone

    # -- the end -------------------------------------------------------------
    @Slot(object)
    def _succeeded(self, arrived: _Arrived | None) -> None:
        recorder, same = self._release()
        if arrived is None:
            self.cancelled.emit()
            return
        if not same or recorder.place.wanted != arrived.place:
            self.failed.emit(
                UserError(
                    _("The phone is not where the steps end"),
                    _("they were changed meanwhile"),
                    _("Bring the phone there again"),
                )
            )
            return
        recorder.confirm_place(arrived.place)
        if self._resumes:
            recorder.resume()
        self.done.emit(arrived.index, arrived.arrival)

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        self._release()
        if isinstance(error, UntrustedReset):
            if self._resumes and self._recording.recorder is not None:
                self._recording.recorder.resume()
            self.refused.emit(error.request)
        else:
            self.failed.emit(error)

    @Slot()
    def _stopped(self) -> None:
        self._release()
        self.cancelled.emit()

    def _release(self) -> tuple[Recorder, bool]:
        """Give the phone back; returns the recorder, and whether it still records this phone."""
        phone, recorder = self._phone, self._recorder
        assert recorder is not None
        self._job = self._phone = self._recorder = None
        if phone is not None and isValid(phone):  # its link may be closed by now
            phone.set_busy("")
            phone.refresh_tree()
        self._anomalies.end_lease()
        self.changed.emit()
        return recorder, recorder is self._recording.recorder and self._recording.records(phone)

    @Slot(object)
    def _phone_changed(self, phone: PhoneLink | None) -> None:
        if self._job is not None and phone is not self._phone:
            self.cancel()

    @Slot(object)
    def _recording_changed(self, state: RecordingState | None) -> None:
        if state is None or state.phase in (Phase.FINISHING, Phase.FINISHED):
            self.cancel()
        if self._recording.phase is not Phase.PAUSED:
            self._resumes = False


@dataclass(frozen=True, slots=True)
class _Request:
    """What a job needs to bring the phone there."""

    recorder: Recorder
    folder: Path
    phone: PhoneLink
    app: str
    plan: ResetPlan | None
    is_reset_asked: bool
    trust: Callable[[ResetPlan], None]


def _bring(job: Job, request: _Request) -> _Arrived | None:
    """Bring the phone there behind the window; None when cancelled. Raises UserError."""
    # Imported here: the engine of rules and replays takes its time to load, and the start does not wait.
    from collector.replay.next_screen import next_screen
    from collector.replay.phone import ReplayPhone
    from collector.replay.replay_options import ReplayOptions
    from collector.replay.replay_to_step import ReplayToStep

    recorder = request.recorder
    if not recorder.flush(_FLUSH_S):
        raise UserError(_("The recorded steps are still being written"), "", _("Try again in a moment"))
    index, place = recorder.next_index, recorder.place.wanted
    stored = open_trajectory(request.folder)
    target = ReplayToStep(
        stored, index, ReplayOptions(request.app), request.plan,
        next_screen(stored, index, recorder.screen_at_end), request.is_reset_asked,
        before_reset=request.trust,
    )  # fmt: skip
    lease = request.phone.session.lease(job.cancel_event)
    try:
        phone = ReplayPhone(lease.device, lease.trees, lease.sink, lease.pictures)
        arrival = target.run(phone, job.cancel_event, job.report)
    except CallCancelled:
        return None
    finally:
        lease.close()
    return _Arrived(index, place, arrival)
