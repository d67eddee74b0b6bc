"""The recording of one phone: its recorder and writer, with their events as signals."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.anomalies.events import AnomalyEvent
from collector.device.protocols import InputTarget
from collector.judge.evaluation.steps_evaluation import LiveVerdicts
from collector.judge.evaluation.task_rules import TaskRules
from collector.judge.live_judge import LiveJudge
from collector.model.i18n import _
from collector.model.trajectory import FINISHED, Step, TrajectoryHeader
from collector.recorder.events import (
    EventRecorded,
    NextStateReady,
    Phase,
    PhonePlaceChanged,
    RecorderEvent,
    RecorderNotice,
    RecordingState,
    RerecordArmed,
    StepCaptured,
    StepCommitted,
    StepsChanged,
)
from collector.recorder.on_device_capture import OnDeviceCapture
from collector.recorder.recorder import Recorder
from collector.recorder.video.video_recording import VideoRecording
from collector.recording.recording_files import (
    close_recording,
    new_recording,
    open_recording,
    rules_of,
    was_undone,
)
from collector.replay.recorded_anomalies import note_anomaly
from collector.reset.reset_record import ResetRecord
from collector.store.project.project import Project
from collector.store.trajectory.writer import TrajectoryWriter
from studio.bridge.event_bridge import EventBridge
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.suited_settings import settle_detector
from studio.bridge.while_alive import call_back
from studio.settings import Settings

_log = logging.getLogger(__name__)


class RecordingEnd(Enum):
    """How a recording was closed."""

    FINISHED = "finished"
    UNFINISHED = "unfinished"
    """It has no final state, and can be resumed."""
    EMPTY = "empty"
    """Nothing was recorded: its folder is gone."""
    MENDED = "mended"
    """It was finished before; steps of it were recorded again or inserted."""
    FAILED = "failed"
    """Something of it could not be written; ``failed`` said what."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """A trajectory that can be recorded, and the rules of its task."""

    writer: TrajectoryWriter
    rules: TaskRules
    rules_problem: str
    was_undone: bool
    """Whether a step behind the last one was undone or deleted: the phone may be ahead."""


@dataclass(slots=True)
class _Live:
    """The parts of a running recording; only the link to the phone may change."""

    recorder: Recorder
    writer: TrajectoryWriter
    phone: PhoneLink
    bridge: EventBridge
    judge: LiveJudge
    finished: str = ""
    """When the trajectory was finished before it was opened; empty when it never was."""
    on_device: OnDeviceCapture | None = None
    """What is done on the phone itself, while ``phone`` is linked."""
    video: VideoRecording | None = None
    """The video beside the steps; None without one."""
    linked: bool = False
    """Whether the signals of ``phone`` are connected; a released link must not be touched."""


class PhoneRecording(QObject):
    """Record one trajectory at a time on one phone. GUI thread only; no method waits.

    Writers are opened and closed in the store's executor. Actions and edits go to :attr:`recorder`.
    """

    active_changed = Signal()
    """:attr:`is_active` changed."""
    begun = Signal()
    """The trajectory exists: :attr:`folder`, :attr:`header` and :attr:`steps` describe it."""
    state_changed = Signal(object)
    """A RecordingState."""
    step_captured = Signal(object)
    """A StepCaptured."""
    step_committed = Signal(object)
    """The Step as stored."""
    steps_changed = Signal(object)
    """All steps as they are now."""
    rerecord_changed = Signal()
    """The next action replaces, or comes before, another step than before, or none: :attr:`rerecords`."""
    place_changed = Signal()
    """Whether the phone is known to be where the next action goes is different now: :attr:`is_elsewhere`."""
    next_ready = Signal(object)
    """A NextStateReady."""
    verdicts_changed = Signal()
    """The rules say something else of the steps so far: :attr:`verdicts`."""
    event_noted = Signal(object)
    """A line of ``events.jsonl`` that reached the disk."""
    problem = Signal(object)
    """A RecorderNotice to be shown."""
    failed = Signal(object)
    """The error of a recording that could not be started or closed."""
    finished = Signal(object, object)
    """The folder of a trajectory after it was closed, and the :class:`RecordingEnd` that says how."""

    def __init__(
        self, runner: JobRunner, settings: Settings, serial: str = "", parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.serial = serial
        """The phone; empty for a window without one."""
        self._runner = runner
        self._settings = settings
        self._live: _Live | None = None
        self._phone: PhoneLink | None = None
        self._begin_with: Callable[[Recorder], None] | None = None
        self._refused: Callable[[Exception], None] | None = None
        self.verdicts = LiveVerdicts()
        """What the rules say of the steps so far, and of the screen after them."""
        self._starting = False
        self._ending = False

    # -- state ---------------------------------------------------------------
    @property
    def is_active(self) -> bool:
        """True from the request to record until everything is on the disk."""
        return self._live is not None or self._starting

    @property
    def is_running(self) -> bool:
        """Whether a recorder takes input."""
        return self._live is not None and not self._ending

    def records(self, phone: PhoneLink | None) -> bool:
        """Whether input on ``phone`` goes through the recorder."""
        live = self._live
        return live is not None and not self._ending and live.linked and live.phone is phone

    @property
    def recorder(self) -> Recorder | None:
        """The running recorder; None before the trajectory exists and once it is being closed."""
        return self._live.recorder if self._live is not None and not self._ending else None

    def target_for(self, phone: PhoneLink) -> InputTarget:
        """The target of input on ``phone``: the recorder while it records that phone, otherwise the phone.

        A phone that something else uses refuses input itself, and says why.
        """
        recorder = self.recorder
        recorded = recorder is not None and self.records(phone) and not phone.busy
        return recorder if recorder is not None and recorded else phone

    @property
    def phase(self) -> Phase | None:
        return self._live.recorder.phase if self._live is not None else None

    @property
    def elapsed_ms(self) -> int:
        """Time recorded so far, without pauses, as the steps count it."""
        return self._live.recorder.elapsed_ms if self._live is not None else 0

    @property
    def has_lost_phone(self) -> bool:
        """Whether the recording waits for its phone, which is lost."""
        return self.recorder is not None and self.recorder.has_lost_device

    @property
    def gathered(self) -> int:
        """Number of keys typed so far that will become one step."""
        return self._live.recorder.gathered if self._live is not None else 0

    @property
    def folder(self) -> Path | None:
        return self._live.writer.folder if self._live is not None else None

    @property
    def header(self) -> TrajectoryHeader | None:
        return self._live.writer.header if self._live is not None else None

    @property
    def task_ids(self) -> tuple[str, ...]:
        """The task that is recorded; empty while nothing is."""
        return (self._live.writer.header.task_id,) if self._live is not None else ()

    @property
    def steps(self) -> tuple[Step, ...]:
        return self._live.writer.steps if self._live is not None else ()

    @property
    def next_index(self) -> int | None:
        """Index of the next step; None while nothing is recorded. Any thread."""
        live = self._live
        return live.recorder.next_index if live is not None and not self._ending else None

    @property
    def rerecords(self) -> int | None:
        """Index of the step that the next action replaces; None for none."""
        recorder = self.recorder
        return recorder.rerecords if recorder is not None else None

    @property
    def inserts(self) -> int | None:
        """Index of the step that the next action comes before; None for none."""
        recorder = self.recorder
        return recorder.inserts if recorder is not None else None

    @property
    def is_mending(self) -> bool:
        """Whether the trajectory was finished before, and nothing goes to its end."""
        return self._live is not None and self._live.writer.header.status == FINISHED

    @property
    def is_elsewhere(self) -> bool:
        """Whether the phone is not known to be where the next action goes, as after an undo."""
        recorder = self.recorder
        return recorder is not None and recorder.place.is_elsewhere

    @property
    def undo_title(self) -> str:
        return self._live.writer.undo_title if self._live is not None else ""

    @property
    def undoes_step(self) -> bool:
        """Whether undo takes back a recorded step, whose effect on the phone stays."""
        return self._live is not None and self._live.writer.undoes_step

    @property
    def redo_title(self) -> str:
        return self._live.writer.redo_title if self._live is not None else ""

    # -- begin and end -------------------------------------------------------
    def start(
        self, project: Project, task_id: str, phone: PhoneLink, reset: ResetRecord | None = None
    ) -> None:
        """Begin a golden trajectory of a task; ``begun`` follows, or ``failed``.

        ``reset`` is what was reset on the phone before; the header keeps it.
        """
        if self.is_active:
            return
        author, session = str(self._settings["recording.author"]), phone.session
        self._refused = None
        self._begin(phone, lambda _job: new_recording(project, task_id, author, session, reset))

    def resume_existing(
        self, folder: Path, phone: PhoneLink, begin_with: Callable[[Recorder], None] | None = None,
        refused: Callable[[Exception], None] | None = None,
    ) -> None:  # fmt: skip
        """Continue a stored trajectory; ``begin_with`` says to the recorder where it goes on.

        ``refused``, else ``failed``, gets the error, as where somebody else has reviewed its steps.
        """
        if self.is_active:
            return
        self._begin_with, self._refused = begin_with, refused
        author = str(self._settings["recording.author"])
        self._begin(phone, lambda _job: open_recording(folder, author))

    def _begin(self, phone: PhoneLink, open_writer: Callable[[Job], TrajectoryWriter]) -> None:
        self._phone, self._starting = phone, True
        self.verdicts = LiveVerdicts()
        self.active_changed.emit()

        def work(job: Job) -> _Opened:
            writer = open_writer(job)
            rules, problem = rules_of(writer.folder, writer.header.task_id)
            return _Opened(writer, rules, problem, was_undone(writer.folder))

        self._runner.run(work, success=self._writer_opened, failure=self._open_failed, queue=JobQueue.STORE)

    @Slot(object)
    def _writer_opened(self, opened: _Opened) -> None:
        writer, phone = opened.writer, self._phone
        assert phone is not None
        settle = settle_detector(self._settings, phone.session.profile.settings)
        hide = bool(self._settings["privacy.redact-passwords"])
        recorder = Recorder(
            phone.session, writer, settle=settle, hide_passwords=hide, is_elsewhere=opened.was_undone
        )
        bridge = EventBridge(self)
        bridge.listen(recorder.events)
        bridge.happened.connect(self._recorder_event)
        judge = LiveJudge(recorder, writer, opened.rules)
        bridge.listen(judge.events)
        finished = writer.header.finished if writer.header.status == FINISHED else ""
        video = VideoRecording(recorder, writer) if self._settings["recording.video"] else None
        self._live = _Live(recorder, writer, phone, bridge, judge, finished, video=video)
        self._starting, self._ending = False, False
        self._listen_to(self._live)
        phone.refresh_tree()
        recorder.start()
        if self._begin_with is not None:
            self._begin_with(recorder)
            self._begin_with = None
        self.begun.emit()
        self.steps_changed.emit(self.steps)
        self.state_changed.emit(RecordingState(recorder.phase))
        self._report_rules(opened.rules_problem)

    @Slot()
    def reload_rules(self) -> None:
        """Judge by the rules of the task as they are on the disk now."""
        live = self._live
        if live is None or self._ending:
            return

        def work(_job: Job) -> str:
            rules, problem = rules_of(live.writer.folder, live.writer.header.task_id)
            if not problem:
                live.judge.use_rules(rules)
            return problem

        self._runner.run(work, success=self._report_rules, queue=JobQueue.STORE)

    @Slot(object)
    def _report_rules(self, problem: str) -> None:
        if problem:
            why = _("The states are not judged: {why}", why=problem)
            self.problem.emit(RecorderNotice(why, _("Correct the file in Rules; the recording goes on")))

    @Slot(object)
    def _open_failed(self, error: Exception) -> None:
        self._starting, self._begin_with = False, None
        self.active_changed.emit()
        call_back(self._refused or self.failed.emit, error)

    def finish(self) -> None:
        """Submit: wait for the last state, write it and close the trajectory; ``finished`` follows."""
        if self._live is not None and not self._ending:
            self._live.recorder.finish()

    def stop(self) -> None:
        """Close the trajectory unfinished, so that it can be resumed; for a window that closes."""
        if self._live is not None and not self._ending:
            self._close()

    def _close(self) -> None:
        self._ending = True
        live = self._live
        assert live is not None
        self._unlisten(live)

        def work(_job: Job) -> Path:
            device = live.phone.session.device if live.phone.is_live else None
            quits = self._runner.is_closing
            return close_recording(live.recorder, live.judge, live.writer, device, live.video, quits)

        self._runner.run(
            work, success=self._closed, failure=self._close_failed, queue=JobQueue.STORE, saves=True
        )

    @Slot(object)
    def _closed(self, folder: Path) -> None:
        assert self._live is not None
        header = self._live.writer.header
        if header.status != FINISHED:
            end = RecordingEnd.UNFINISHED if folder.exists() else RecordingEnd.EMPTY
        else:
            end = RecordingEnd.FINISHED if header.finished != self._live.finished else RecordingEnd.MENDED
        self._end(folder, end)

    def _end(self, folder: Path, end: RecordingEnd) -> None:
        live, self._live = self._live, None
        if live is not None:
            live.bridge.close()
        self._ending = False
        self.active_changed.emit()
        self.state_changed.emit(None)
        self.finished.emit(folder, end)

    @Slot(object)
    def _close_failed(self, error: Exception) -> None:
        self.failed.emit(error)
        self._end(self._live.writer.folder if self._live is not None else Path(), RecordingEnd.FAILED)

    # -- pause and anomalies ---------------------------------------------------
    def resume(self, phone: PhoneLink | None = None) -> None:
        """Continue after a pause; on ``phone`` when the link recorded before was released."""
        live = self._live
        if live is None:
            return
        if not live.linked and phone is not None:
            self._change_link(live, phone)
            phone.refresh_tree()
        live.recorder.resume()

    def note_anomaly(self, event: AnomalyEvent) -> None:
        """Write an event of an anomaly into the running recording, if there is one."""
        if self._live is not None and not self._ending:
            note_anomaly(self._live.recorder, event)

    # -- events of the recorder and the phone ---------------------------------
    @Slot(object)
    def _recorder_event(self, event: RecorderEvent | LiveVerdicts) -> None:
        if self._live is None:
            return
        match event:
            case StepCaptured():
                self.step_captured.emit(event)
            case StepCommitted(step=step):
                self.step_committed.emit(step)
                self.steps_changed.emit(self.steps)
            case StepsChanged(steps=steps):
                self.steps_changed.emit(steps)
            case RerecordArmed() | PhonePlaceChanged():
                is_armed = isinstance(event, RerecordArmed)
                (self.rerecord_changed if is_armed else self.place_changed).emit()
            case NextStateReady():
                self.next_ready.emit(event)
            case LiveVerdicts():
                self.verdicts = event
                self.verdicts_changed.emit()
            case EventRecorded(line=line):
                self.event_noted.emit(line)
            case RecorderNotice():
                self.problem.emit(event)
            case RecordingState(phase=phase):
                self.state_changed.emit(event)
                if phase is Phase.FINISHED and not self._ending:
                    self._close()

    def _change_link(self, live: _Live, phone: PhoneLink) -> None:
        live.phone = phone
        live.recorder.use_source(phone.session)
        self._listen_to(live)

    def _listen_to(self, live: _Live) -> None:
        live.phone.lost.connect(self._phone_lost)
        live.phone.back.connect(self._phone_back)
        live.phone.source_changed.connect(self._phone_back)  # a new link emits it once its phone answers
        live.linked = True
        listens = bool(self._settings["recording.on-device-input"])
        live.on_device = OnDeviceCapture(live.recorder, live.phone.session, listens=listens)
        live.on_device.start()
        if live.video is not None:
            live.video.follow(live.phone.session)

    def _unlisten(self, live: _Live) -> None:
        if live.linked:
            live.phone.lost.disconnect(self._phone_lost)
            live.phone.back.disconnect(self._phone_back)
            live.phone.source_changed.disconnect(self._phone_back)
            live.linked = False
        if live.on_device is not None:
            live.on_device.close()
            live.on_device = None
        if live.video is not None:
            live.video.follow(None)

    def use_phone(self, phone: PhoneLink | None) -> None:
        """Continue on another link to the phone; pause when its link is closed."""
        live = self._live
        if live is None or self._ending or (phone is live.phone and live.linked):
            return
        self._unlisten(live)
        if phone is None:
            live.recorder.device_lost(_("The phone being recorded is no longer in use"))
            return
        self._change_link(live, phone)

    @Slot(str)
    def _phone_lost(self, why: str) -> None:
        if self._live is not None:
            self._live.recorder.device_lost(why)

    @Slot()
    def _phone_back(self) -> None:
        if self._live is not None:
            self._live.recorder.device_back()
            self._live.phone.refresh_tree()
