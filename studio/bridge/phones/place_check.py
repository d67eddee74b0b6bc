"""Notice behind the window that the phone shows the screen where the next action goes."""

from __future__ import annotations

import datetime as dt
import time
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from collector.device.protocols import PhoneScreen
from collector.recorder.observer import newest_moment
from collector.recorder.recorder import Recorder
from collector.recorder.step_editing import StepPlace
from collector.store.trajectory.reader import open_trajectory
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.phones.devices import Devices
from studio.bridge.phones.followed_phone import FollowedPhone
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.recording import Recording

_FLUSH_S = 10.0


@dataclass(frozen=True, slots=True)
class _Seen:
    """The recorder that was asked, and the place where its phone is; None when it is elsewhere."""

    recorder: Recorder
    place: StepPlace | None


class PlaceCheck(QObject):
    """Tells the recorder that the phone is where the next action goes, whoever brought it. GUI thread."""

    def __init__(
        self, runner: JobRunner, devices: Devices, recording: Recording, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runner, self._recording = runner, recording
        self._phone = FollowedPhone(tree_changed=self._look)
        self._job: Job | None = None
        self._is_due = False
        """Whether something changed while the last job looked."""
        devices.current_changed.connect(self._follow)
        recording.place_changed.connect(self._look)
        recording.steps_changed.connect(self._look)
        recording.rerecord_changed.connect(self._look)
        self._follow(devices.current)

    @Slot(object)
    def _follow(self, phone: PhoneLink | None) -> None:
        self._phone.follow(phone)

    @Slot()
    def _look(self) -> None:
        phone, recorder, folder = self._phone.link, self._recording.recorder, self._recording.folder
        if phone is None or recorder is None or folder is None or not recorder.place.is_elsewhere:
            return
        if phone.busy or not self._recording.records(phone) or not phone.tree_is_fresh:
            return
        if self._job is not None:
            self._is_due = True
            return
        screen = phone.screen
        self._is_due = False
        self._job = self._runner.run(
            lambda _job: _look_at(screen, recorder, folder), success=self._seen, failure=self._failed
        )
        self._job.stopped.connect(self._ended)

    @Slot(object)
    def _seen(self, seen: _Seen) -> None:
        if seen.place is not None and seen.recorder is self._recording.recorder:
            seen.recorder.confirm_place(seen.place)
        self._ended()

    @Slot(object)
    def _failed(self, _error: Exception) -> None:
        self._ended()  # the phone stays elsewhere, and bringing it there says what is wrong

    @Slot()
    def _ended(self) -> None:
        self._job = None
        if self._is_due:
            self._look()


def _look_at(screen: PhoneScreen, recorder: Recorder, folder: Path) -> _Seen:
    # Imported here: the engine of replays takes its time to load, and the start does not wait.
    from collector.replay.next_screen import differences, next_screen, screen_of

    moment = newest_moment(screen, time.monotonic_ns(), dt.datetime.now(dt.UTC))
    if not recorder.flush(_FLUSH_S):
        return _Seen(recorder, None)
    place, index = recorder.place.wanted, recorder.next_index
    stored = open_trajectory(folder)
    expected = next_screen(stored, index, recorder.screen_at_end)
    is_there = expected is not None and not differences(expected, screen_of(moment))
    return _Seen(recorder, place if is_there else None)
