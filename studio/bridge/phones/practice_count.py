"""How far the recordings are followed that the phone in use plays, read again while it is in use."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from collector.device.apps.practice import read_practice
from collector.model.phone.practice import Practice
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.phones.devices import Devices
from studio.bridge.phones.followed_phone import FollowedPhone
from studio.bridge.phones.phone import PhoneLink

_EVERY_MS = 2000


class PracticeCount(QObject):
    """Asks the virtual phone in use, and goes on asking one that plays recordings. GUI thread."""

    changed = Signal()

    def __init__(self, runner: JobRunner, devices: Devices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self.practice: Practice | None = None
        """What the phone said last; None for one that plays no recordings."""
        self._job: Job | None = None
        self._phone = FollowedPhone(source_changed=self._source_changed)
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._timer.timeout.connect(self._ask)
        devices.current_changed.connect(self._follow)
        self._follow(devices.current)

    @Slot(object)
    def _follow(self, link: PhoneLink | None) -> None:
        self._phone.follow(link)
        self._timer.stop()
        self._show(None)
        self._ask()

    @Slot(str)
    def _source_changed(self, name: str) -> None:
        if name:
            self._ask()

    @Slot()
    def _ask(self) -> None:
        link = self._phone.link
        if link is None or self._job is not None or not link.is_live or not link.info.is_virtual:
            return
        device = link.session.device
        self._job = self._runner.run(
            lambda job: (link, read_practice(device, job.cancel_event)),
            success=self._read, failure=self._failed,
        )  # fmt: skip
        self._job.stopped.connect(self._ended)

    @Slot(object)
    def _read(self, read: tuple[PhoneLink, Practice | None]) -> None:
        self._ended()
        link, practice = read
        if link is not self._phone.link:
            self._ask()
            return
        if practice is not None:
            self._timer.start()
        self._show(practice)

    @Slot(object)
    def _failed(self, _error: Exception) -> None:
        self._ended()  # the mirror shows that a phone is away

    @Slot()
    def _ended(self) -> None:
        self._job = None

    def _show(self, practice: Practice | None) -> None:
        if practice != self.practice:
            self.practice = practice
            self.changed.emit()
