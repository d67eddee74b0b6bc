"""Record what a person does on a phone, without a window: its own touches and keys become steps."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from collector.device.events import DeviceEvent
from collector.device.session import DeviceSession
from collector.judge.evaluation.steps_evaluation import LiveVerdicts
from collector.judge.live_judge import LiveJudge
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _
from collector.model.trajectory import FINISHED
from collector.recorder.events import Phase, RecorderEvent, RecorderNotice, RecordingState
from collector.recorder.on_device_capture import OnDeviceCapture
from collector.recorder.recorder import Recorder
from collector.recorder.settle import USUAL_MS, SettleDetector
from collector.recorder.video.video_recording import VideoRecording
from collector.recording.recording_files import (
    close_recording,
    new_recording,
    open_recording,
    remove_recording,
    rules_of,
)
from collector.replay.next_screen import next_screen
from collector.replay.phone import ReplayPhone
from collector.replay.replay_to_step import ReplayToStep
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory

_FIRST_FRAME_SECONDS = 30.0
_FINISH_SECONDS = 60.0
_LISTENER_SECONDS = 30.0


class TaskRecording:
    """One golden trajectory of a task, from entering it to :meth:`close`. Methods wait; one thread uses it.

    The session is the caller's: it outlives the recording, so that the next task goes on at once.
    """

    def __init__(
        self, project: Project, task_id: str, who: str, session: DeviceSession,
        settle: SettleDetector | None = None, resumed: Path | None = None, has_video: bool = False,
    ) -> None:  # fmt: skip
        """``resumed`` is a trajectory to go on with; ``has_video`` records a video beside the steps.

        Raises UserError when the files cannot be written.
        """
        self.events: EventEmitter[RecorderEvent | LiveVerdicts] = EventEmitter()
        """Emits on threads of the recording."""
        self.verdicts = LiveVerdicts()
        self._session = session
        self._ended = threading.Event()
        if resumed is not None:
            self._writer = open_recording(resumed, who)
        else:
            self._writer = new_recording(project, task_id, who, session)
        rules, self.rules_problem = rules_of(self._writer.folder, task_id)
        settle = settle or SettleDetector(session.profile.settings.settle_ms or USUAL_MS)
        self.recorder = Recorder(session, self._writer, settle=settle)
        self._judge = LiveJudge(self.recorder, self._writer, rules)
        self._on_device = OnDeviceCapture(self.recorder, session, listens=True)
        self._video = VideoRecording(self.recorder, self._writer) if has_video else None
        self._unsubscribe: list[Callable[[], None]] = []
        self._is_lost = False

    def __enter__(self) -> Self:
        """Begin to record. Raises UserError when the phone's touches cannot be read; nothing is left then."""
        try:
            self._begin()
        except BaseException:
            self._discard()
            raise
        return self

    def _begin(self) -> None:
        self._unsubscribe = [
            self.recorder.events.subscribe(self._heard),
            self._judge.events.subscribe(self._judged),
            self._session.events.subscribe(self._of_phone),
        ]
        self._session.refresh_tree()
        self.recorder.start()
        if self._video is not None:
            self._video.follow(self._session)
        self._on_device.start()
        listener = self._on_device.listener
        if listener is None or not listener.wait_ready(_LISTENER_SECONDS):
            raise UserError(
                _("The touches of the phone cannot be read"),
                _("it does not list a touch screen that `getevent` may read"),
                _("Record in the window: what is done on the mirror is recorded there"),
            )

    def _discard(self) -> None:
        """Close a recording that could not begin, and remove its files: there is no step in it."""
        self.close()
        if not self._writer.steps:
            remove_recording(self.folder)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def folder(self) -> Path:
        return self._writer.folder

    def go_on_at(self, index: int, *, inserts: bool = False) -> None:
        """Bring the phone to where a step begins, and record from there: in place of it and all after it.

        With ``inserts`` actions come before it instead, until the recording is closed. Raises UserError when
        nothing brings the phone there; the steps are as before then.
        """
        self.recorder.pause(_("The phone is being brought to where the steps end"))
        stored, cancel = open_trajectory(self.folder), threading.Event()
        target = ReplayToStep(stored, index, expected=next_screen(stored, index))
        lease = self._session.lease(cancel)
        try:
            phone = ReplayPhone(lease.device, lease.trees, lease.sink, lease.pictures)
            target.run(phone, cancel, lambda _done, _all: None)
        finally:
            lease.close()
        if inserts:
            self.recorder.insert(index)
        else:
            self.recorder.drop_rest(index)
        self.recorder.flush(_FINISH_SECONDS)
        self.recorder.confirm_place(self.recorder.place.wanted)
        self._session.refresh_tree()
        self.recorder.resume()

    def finish(self) -> bool:
        """Await the state after the last action and write it; False when it did not come in time.

        A trajectory that was finished before, and to whose end nothing was added, keeps its final state.
        Raises UserError while no action is recorded.
        """
        if self._writer.header.status == FINISHED:
            return self.recorder.flush(_FINISH_SECONDS)
        self.recorder.finish()
        return self._ended.wait(_FINISH_SECONDS)

    def close(self) -> None:
        """Write everything that was captured; what was not finished can be resumed. May be called twice.

        The folder is gone when nothing was recorded.
        """
        if not self._unsubscribe:
            return
        self._on_device.close()
        device = None if self._is_lost else self._session.device
        close_recording(self.recorder, self._judge, self._writer, device, self._video)
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        self._unsubscribe = []

    def _heard(self, event: RecorderEvent) -> None:
        if isinstance(event, RecordingState) and event.phase is Phase.FINISHED:
            self._ended.set()
        self.events.emit(event)

    def _judged(self, event: LiveVerdicts | RecorderNotice) -> None:
        if isinstance(event, LiveVerdicts):
            self.verdicts = event
        self.events.emit(event)

    def _of_phone(self, event: DeviceEvent) -> None:
        if event.kind == "lost":
            self._is_lost = True
            self.recorder.device_lost(event.text)
        elif event.kind == "back":
            self._is_lost = False
            self.recorder.device_back()
            self._session.refresh_tree()


def wait_for_screen(session: DeviceSession) -> None:
    """Wait until a started session has a frame and a tree. Raises UserError when they do not come."""
    ready, why = threading.Event(), [""]

    def heard(event: DeviceEvent) -> None:
        if event.kind in ("lost", "message"):
            why[0] = event.text
        if session.newest_frame() is not None and session.newest_tree() is not None:
            ready.set()

    unsubscribe = session.events.subscribe(heard)
    try:
        session.refresh_tree()
        heard(DeviceEvent("look"))
        if not ready.wait(_FIRST_FRAME_SECONDS):
            raise UserError(
                _("The phone shows nothing"), why[0], _("`waymark device doctor` says what is wrong with it")
            )
    finally:
        unsubscribe()
