"""The recordings of the phones of the window; the one of the phone in front has its signals repeated here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.anomalies.events import AnomalyEvent
from collector.device.protocols import InputTarget
from collector.judge.evaluation.steps_evaluation import LiveVerdicts
from collector.model.trajectory import Step, TrajectoryHeader
from collector.recorder.events import Phase, RecorderNotice
from collector.recorder.recorder import Recorder
from collector.reset.reset_record import ResetRecord
from collector.store.project.project import Project
from studio.bridge.jobs import JobRunner
from studio.bridge.phone_recording import PhoneRecording, RecordingEnd
from studio.bridge.phones.phone import PhoneLink
from studio.settings import Settings

_REPEATED = (
    "begun", "state_changed", "step_captured", "step_committed", "steps_changed", "rerecord_changed",
    "place_changed", "next_ready", "verdicts_changed", "event_noted",
)  # fmt: skip
"""Signals of the recording in front, see :class:`PhoneRecording`."""


class Recording(QObject):
    """Each phone has a :class:`PhoneRecording` of its own, and none waits for another. GUI thread only.

    What is asked here without a phone is asked of the one in front.
    """

    front_changed = Signal()
    """:attr:`front` is the recording of another phone."""
    ended = Signal(object, object, object)
    """The :class:`PhoneRecording` of any phone, the folder of its trajectory, and the RecordingEnd."""
    problem = Signal(object, object)
    """The :class:`PhoneRecording` of any phone, and a RecorderNotice to be shown."""
    failed = Signal(object, object)
    """The :class:`PhoneRecording` of any phone, and why it could not be started or closed."""
    active_changed = Signal()
    """:attr:`active` changed."""
    changed = Signal()
    """The phase or the steps of any phone's recording."""
    begun = Signal()
    state_changed = Signal(object)
    step_captured = Signal(object)
    step_committed = Signal(object)
    steps_changed = Signal(object)
    rerecord_changed = Signal()
    place_changed = Signal()
    next_ready = Signal(object)
    verdicts_changed = Signal()
    event_noted = Signal(object)
    finished = Signal(object, object)

    def __init__(self, runner: JobRunner, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner, self._settings = runner, settings
        self._phones: dict[str, PhoneRecording] = {}
        self.front = self.of("")
        """The recording of the phone in front."""
        self._repeat(self.front)

    # -- all phones ----------------------------------------------------------
    @property
    def all(self) -> tuple[PhoneRecording, ...]:
        return tuple(self._phones.values())

    @property
    def active(self) -> tuple[PhoneRecording, ...]:
        """The recordings that run, begin or end now."""
        return tuple(recording for recording in self.all if recording.is_active)

    def of(self, serial: str) -> PhoneRecording:
        """The recording of a phone; an idle one for a phone that was never recorded."""
        known = self._phones.get(serial)
        if known is None:
            known = self._phones[serial] = PhoneRecording(self._runner, self._settings, serial, self)
            known.active_changed.connect(self.active_changed)
            known.state_changed.connect(self.changed)
            known.steps_changed.connect(self.changed)
            known.finished.connect(self._finished)
            known.problem.connect(self._problem)
            known.failed.connect(self._failed)
        return known

    @Slot(object, object)
    def _finished(self, folder: Path, end: RecordingEnd) -> None:
        recording = self.sender()
        if recording is self.front:
            self.finished.emit(folder, end)
        self.ended.emit(recording, folder, end)

    @Slot(object)
    def _problem(self, notice: RecorderNotice) -> None:
        self.problem.emit(self.sender(), notice)

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        self.failed.emit(self.sender(), error)

    @property
    def task_ids(self) -> tuple[str, ...]:
        """The tasks that are recorded, one for each recording."""
        return tuple(recording.header.task_id for recording in self.active if recording.header is not None)

    @property
    def task_ids_elsewhere(self) -> frozenset[str]:
        """The tasks that are recorded on phones that are not in front."""
        others = (recording for recording in self.active if recording is not self.front)
        return frozenset(recording.header.task_id for recording in others if recording.header is not None)

    @Slot(object)
    def link_opened(self, phone: PhoneLink) -> None:
        """Go on with a phone whose link was closed."""
        if phone.serial in self._phones:
            self._phones[phone.serial].use_phone(phone)

    @Slot(object)
    def link_closed(self, phone: PhoneLink) -> None:
        """Pause the recording of a phone whose link is closed."""
        if phone.serial in self._phones:
            self._phones[phone.serial].use_phone(None)

    def use_phone(self, phone: PhoneLink | None) -> None:
        """Bring the recording of a phone to the front; without one, the recording in front stays there."""
        if phone is None or phone.serial == self.front.serial:
            return
        for name in _REPEATED:
            getattr(self.front, name).disconnect(getattr(self, name))
        self.front = self.of(phone.serial)
        self._repeat(self.front)
        self.front_changed.emit()
        self.verdicts_changed.emit()
        self.rerecord_changed.emit()
        self.place_changed.emit()

    def _repeat(self, recording: PhoneRecording) -> None:
        for name in _REPEATED:
            getattr(recording, name).connect(getattr(self, name))

    def stop_all(self) -> None:
        """Close all trajectories unfinished, so that they can be resumed; for a window that closes."""
        for recording in self.all:
            recording.stop()

    @Slot()
    def reload_rules(self) -> None:
        """Judge by the rules of the tasks as they are on the disk now."""
        for recording in self.all:
            recording.reload_rules()

    def records(self, phone: PhoneLink | None) -> bool:
        """Whether input on ``phone`` goes through its recorder."""
        return phone is not None and self.of(phone.serial).records(phone)

    def target_for(self, phone: PhoneLink) -> InputTarget:
        """The target of input on ``phone``: its recorder while it is recorded, otherwise the phone."""
        return self.of(phone.serial).target_for(phone)

    def start(
        self, project: Project, task_id: str, phone: PhoneLink, reset: ResetRecord | None = None
    ) -> None:
        """Bring ``phone`` to the front, and begin a golden trajectory on it."""
        self.use_phone(phone)
        self.front.start(project, task_id, phone, reset)

    def resume_existing(
        self, folder: Path, phone: PhoneLink, begin_with: Callable[[Recorder], None] | None = None,
        refused: Callable[[Exception], None] | None = None,
    ) -> None:  # fmt: skip
        """Bring ``phone`` to the front, and continue a stored trajectory on it."""
        self.use_phone(phone)
        self.front.resume_existing(folder, phone, begin_with, refused)

    # -- the phone in front, see PhoneRecording ---------------------------------
    @property
    def is_active(self) -> bool:
        return self.front.is_active

    @property
    def is_running(self) -> bool:
        return self.front.is_running

    @property
    def recorder(self) -> Recorder | None:
        return self.front.recorder

    @property
    def phase(self) -> Phase | None:
        return self.front.phase

    @property
    def elapsed_ms(self) -> int:
        return self.front.elapsed_ms

    @property
    def has_lost_phone(self) -> bool:
        return self.front.has_lost_phone

    @property
    def gathered(self) -> int:
        return self.front.gathered

    @property
    def folder(self) -> Path | None:
        return self.front.folder

    @property
    def header(self) -> TrajectoryHeader | None:
        return self.front.header

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.front.steps

    @property
    def next_index(self) -> int | None:
        return self.front.next_index

    @property
    def rerecords(self) -> int | None:
        return self.front.rerecords

    @property
    def inserts(self) -> int | None:
        return self.front.inserts

    @property
    def is_mending(self) -> bool:
        return self.front.is_mending

    @property
    def is_elsewhere(self) -> bool:
        return self.front.is_elsewhere

    @property
    def undo_title(self) -> str:
        return self.front.undo_title

    @property
    def undoes_step(self) -> bool:
        return self.front.undoes_step

    @property
    def redo_title(self) -> str:
        return self.front.redo_title

    @property
    def verdicts(self) -> LiveVerdicts:
        return self.front.verdicts

    def finish(self) -> None:
        self.front.finish()

    def stop(self) -> None:
        self.front.stop()

    def resume(self, phone: PhoneLink | None = None) -> None:
        self.front.resume(phone)

    def note_anomaly(self, event: AnomalyEvent) -> None:
        self.front.note_anomaly(event)
