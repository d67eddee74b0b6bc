"""One recording at a time: a recorder and its writer, driven from the window and told as signals."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.anomalies.events import AnomalyEvent
from collector.model.geometry import Position
from collector.model.i18n import _
from collector.model.touch import TouchAction
from collector.model.trajectory import Step, TrajectoryHeader
from collector.recorder.events import (
    EventRecorded,
    NextStateReady,
    Phase,
    RecorderEvent,
    RecorderNotice,
    RecordingState,
    StepCaptured,
    StepCommitted,
    StepsChanged,
)
from collector.recorder.recorder import Recorder
from collector.recorder.settle import SettleDetector
from collector.store.project import Project
from collector.store.writer import TrajectoryWriter
from studio.bridge.event_bridge import EventBridge
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.phone import LiveSource, PhoneLink, read_app_versions
from studio.bridge.recording_anomalies import note_anomaly
from studio.bridge.recording_hands import RecordingHands
from studio.settings import Settings


@dataclass(slots=True)
class _Live:
    """What belongs to a recording while it runs; only the link to the phone may change."""

    recorder: Recorder
    writer: TrajectoryWriter
    phone: PhoneLink
    source: LiveSource
    bridge: EventBridge
    hands: RecordingHands | None = None
    """Those on the phone itself, while ``phone`` is followed."""
    linked: bool = False
    """Whether the signals of ``phone`` are followed; a link that was let go must not be touched."""


class Recording(QObject):
    """GUI thread only. Writers are made and closed in the store's serial executor; nothing here waits."""

    begun = Signal()
    """There is a trajectory now: :attr:`folder`, :attr:`header` and :attr:`steps` speak of it."""
    state_changed = Signal(object)
    """A RecordingState."""
    step_captured = Signal(object)
    step_committed = Signal(object)
    """The Step as stored."""
    steps_changed = Signal(object)
    """All steps as they are now."""
    next_ready = Signal(object)
    event_noted = Signal(object)
    """A line of ``events.jsonl`` that reached the disk."""
    problem = Signal(object)
    """A RecorderNotice to be shown."""
    failed = Signal(object)
    """The error of a start that came to nothing."""
    finished = Signal(object)
    """The folder of a trajectory that was closed, finished or not."""

    def __init__(self, runner: JobRunner, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._settings = settings
        self._live: _Live | None = None
        self._phone: PhoneLink | None = None
        self._rerecord: int | None = None
        self._starting = False
        self._ending = False

    # -- what is known -------------------------------------------------------
    @property
    def is_active(self) -> bool:
        """From the asking for it until all is on the disk."""
        return self._live is not None or self._starting

    @property
    def is_running(self) -> bool:
        """Whether what a person does goes through the recorder."""
        return self._live is not None and not self._ending

    def records(self, phone: PhoneLink | None) -> bool:
        """Whether what is done on ``phone`` goes through the recorder."""
        live = self._live
        return live is not None and not self._ending and live.linked and live.phone is phone

    @property
    def phase(self) -> Phase | None:
        return self._live.recorder.phase if self._live is not None else None

    @property
    def gathered(self) -> int:
        """Keys pressed so far that will be one step when the person goes on."""
        return self._live.recorder.gathered if self._live is not None else 0

    @property
    def folder(self) -> Path | None:
        return self._live.writer.folder if self._live is not None else None

    @property
    def header(self) -> TrajectoryHeader | None:
        return self._live.writer.header if self._live is not None else None

    @property
    def steps(self) -> tuple[Step, ...]:
        return self._live.writer.steps if self._live is not None else ()

    @property
    def next_index(self) -> int | None:
        """Index of the step that is to come, None while nothing is recorded; any thread."""
        live = self._live
        return live.recorder.next_index if live is not None and not self._ending else None

    @property
    def undo_title(self) -> str:
        return self._live.writer.undo_title if self._live is not None else ""

    @property
    def redo_title(self) -> str:
        return self._live.writer.redo_title if self._live is not None else ""

    # -- begin and end -------------------------------------------------------
    def start(self, project: Project, task_id: str, phone: PhoneLink) -> None:
        """Begin a golden trajectory of a task; ``begun`` follows, or ``failed``."""
        if self.is_active:
            return
        author = str(self._settings["recording.author"])
        density, size = phone.session.density, phone.session.screen_size

        def work(_job: Job) -> TrajectoryWriter:
            facts = phone.facts
            device = {**facts.as_dict(), "size": str(size), "density": density}
            seed = int(facts.seed) if facts.seed.isdigit() else None
            return project.new_trajectory(TrajectoryHeader("", task_id, who=author, device=device, seed=seed))

        self._begin(phone, work)

    def resume_existing(
        self, folder: Path, phone: PhoneLink, *, take_over: bool = True, rerecord: int | None = None
    ) -> None:
        """Go on with a trajectory on the disk; the next action takes the place of step ``rerecord``."""
        if self.is_active:
            return
        self._rerecord = rerecord
        self._begin(phone, lambda _job: TrajectoryWriter.open(folder, take_over=take_over, reserve=True))

    def _begin(self, phone: PhoneLink, work: object) -> None:
        self._phone, self._starting = phone, True
        self._runner.run(work, success=self._writer_made, failure=self._not_made, serial=True)  # type: ignore[arg-type]

    @Slot(object)
    def _writer_made(self, writer: TrajectoryWriter) -> None:
        phone = self._phone
        assert phone is not None
        settle = SettleDetector(quiet_ms=int(self._settings["recording.settle-ms"]))
        source = LiveSource(phone)
        hide = bool(self._settings["privacy.redact-passwords"])
        recorder = Recorder(source, writer, settle=settle, hide_passwords=hide)
        bridge = EventBridge(self)
        bridge.listen(recorder.events)
        bridge.happened.connect(self._happened)
        self._live = _Live(recorder, writer, phone, source, bridge)
        self._starting, self._ending = False, False
        self._listen_to(self._live)
        phone.refresh_tree()
        recorder.start()
        if self._rerecord is not None:
            recorder.rerecord(self._rerecord)
            self._rerecord = None
        self.begun.emit()
        self.steps_changed.emit(self.steps)
        self.state_changed.emit(RecordingState(recorder.phase))

    @Slot(object)
    def _not_made(self, error: Exception) -> None:
        self._starting, self._rerecord = False, None
        self.failed.emit(error)

    def finish(self) -> None:
        """Submit: the last state is awaited, written, and the trajectory closed; ``finished`` follows."""
        if self._live is not None and not self._ending:
            self._live.recorder.finish()

    def stop(self) -> None:
        """Close the trajectory as it is, unfinished: it can be resumed. For a window that closes."""
        if self._live is not None and not self._ending:
            self._close()

    def _close(self) -> None:
        self._ending = True
        live = self._live
        assert live is not None
        self._unlisten(live)

        def work(_job: Job) -> Path:
            live.recorder.close()
            try:
                packages = sorted({step.state.package for step in live.writer.steps if step.state.package})
                known = dict(live.writer.header.apps)
                wanted = [package for package in packages if package not in known]
                versions = read_app_versions(live.phone, wanted) if live.phone.is_live else {}
                if versions:
                    live.writer.update_header(apps={**known, **versions})
            finally:
                live.writer.close()
            return live.writer.folder

        self._runner.run(work, success=self._closed, failure=self._not_closed, serial=True)

    @Slot(object)
    def _closed(self, folder: Path) -> None:
        live, self._live = self._live, None
        if live is not None:
            live.bridge.close()
        self._ending = False
        self.state_changed.emit(None)
        self.finished.emit(folder)

    @Slot(object)
    def _not_closed(self, error: Exception) -> None:
        self.failed.emit(error)
        self._closed(self._live.writer.folder if self._live is not None else Path())

    # -- acting --------------------------------------------------------------
    def pointer(self, action: TouchAction, pointer: int, position: Position) -> None:
        if self._live is not None:
            self._live.recorder.pointer(action, pointer, position)

    def key(self, name: str) -> None:
        if self._live is not None:
            self._live.recorder.key(name)

    def text(self, text: str) -> None:
        if self._live is not None:
            self._live.recorder.text(text)

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        if self._live is not None:
            self._live.recorder.scroll(position, horizontal, vertical)

    def open_app(self, package: str, name: str = "") -> None:
        if self._live is not None:
            self._live.recorder.open_app(package, name)

    def wait(self, duration_ms: int = 1000) -> None:
        if self._live is not None:
            self._live.recorder.wait(duration_ms)

    def answer(self, text: str) -> None:
        if self._live is not None:
            self._live.recorder.answer(text)

    def complete(self) -> None:
        if self._live is not None:
            self._live.recorder.complete()

    def impossible(self, reason: str = "") -> None:
        if self._live is not None:
            self._live.recorder.impossible(reason)

    def pause(self) -> None:
        if self._live is not None:
            self._live.recorder.pause()

    def resume(self, phone: PhoneLink | None = None) -> None:
        """Go on after a pause; on ``phone`` when the one recorded before was let go."""
        live = self._live
        if live is None:
            return
        if not live.linked and phone is not None:
            live.phone = live.source.link = phone
            self._listen_to(live)
            phone.refresh_tree()
        live.recorder.resume()

    def note_anomaly(self, event: AnomalyEvent) -> None:
        """Make what became of an anomaly part of the recording, where one runs."""
        if self._live is not None and not self._ending:
            note_anomaly(self._live.recorder, event)

    # -- editing -------------------------------------------------------------
    def undo(self) -> None:
        if self._live is not None:
            self._live.recorder.undo()

    def redo(self) -> None:
        if self._live is not None:
            self._live.recorder.redo()

    def delete(self, *indexes: int) -> None:
        if self._live is not None:
            self._live.recorder.delete(*indexes)

    def trim(self, start: int, stop: int) -> None:
        if self._live is not None:
            self._live.recorder.trim(start, stop)

    def rerecord(self, index: int) -> None:
        if self._live is not None:
            self._live.recorder.rerecord(index)

    def reword(self, index: int, *, description: str = "", note: str | None = None,
               intention: str | None = None) -> None:  # fmt: skip
        """Set the words of a step that are given."""
        if self._live is None:
            return
        if description:
            self._live.recorder.describe(index, description)
        if note is not None:
            self._live.recorder.note(index, note)
        if intention is not None:
            self._live.recorder.intention(index, intention)

    # -- what the recorder and the phone say ---------------------------------
    @Slot(object)
    def _happened(self, event: RecorderEvent) -> None:
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
            case NextStateReady():
                self.next_ready.emit(event)
            case EventRecorded(line=line):
                self.event_noted.emit(line)
            case RecorderNotice():
                self.problem.emit(event)
            case RecordingState(phase=phase):
                self.state_changed.emit(event)
                if phase is Phase.FINISHED and not self._ending:
                    self._close()

    def _listen_to(self, live: _Live) -> None:
        live.phone.lost.connect(self._phone_lost)
        live.phone.back.connect(self._phone_back)
        live.phone.source_changed.connect(self._phone_back)  # what a new link tells of a phone that is here
        live.linked = True
        listens = bool(self._settings["recording.on-device-input"])
        live.hands = RecordingHands(live.recorder, live.phone, listens=listens)
        live.hands.start()

    def _unlisten(self, live: _Live) -> None:
        if live.linked:
            live.phone.lost.disconnect(self._phone_lost)
            live.phone.back.disconnect(self._phone_back)
            live.phone.source_changed.disconnect(self._phone_back)
            live.linked = False
        if live.hands is not None:
            live.hands.close()
            live.hands = None

    def use_phone(self, phone: PhoneLink | None) -> None:
        """Another link is in use now: a recording of the same phone goes on with it, any other pauses."""
        live = self._live
        if live is None or self._ending or (phone is live.phone and live.linked):
            return
        self._unlisten(live)
        if phone is None or phone.serial != live.phone.serial:
            live.recorder.device_lost(_("The phone being recorded is no longer in use"))
            return
        live.phone = live.source.link = phone
        self._listen_to(live)

    @Slot(str)
    def _phone_lost(self, why: str) -> None:
        if self._live is not None:
            self._live.recorder.device_lost(why)

    @Slot()
    def _phone_back(self) -> None:
        if self._live is not None:
            self._live.recorder.device_back()
            self._live.phone.refresh_tree()
