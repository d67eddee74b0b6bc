"""The window's lease of the phone in use: taken when the phone answers, given back when another is used."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from collector.device.device_lease import MIRROR, RECORDING, DeviceLease, LeaseOwner, lease_phone
from collector.device.identity import read_identity
from collector.model.i18n import _
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.phones.devices import Devices
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.recording import Recording

PROGRAM = "Waymark Studio"
_RETRY_MS = 1000


@dataclass(frozen=True, slots=True)
class _Attempt:
    """What came of asking for the lease of ``link``."""

    link: PhoneLink
    lease: DeviceLease
    owner: LeaseOwner | None


class DeviceOwnership(QObject):
    """Follows the phone in use. While another program has it, the person's input and all work on it wait.

    It asks again every second, and goes on by itself once the phone is free. GUI thread; nothing waits.
    """

    changed = Signal()
    """:attr:`owner` changed."""

    def __init__(
        self, runner: JobRunner, devices: Devices, recording: Recording, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runner, self._devices, self._recording = runner, devices, recording
        self._link: PhoneLink | None = None
        self._lease: DeviceLease | None = None
        self._job: Job | None = None
        self.owner: LeaseOwner | None = None
        """The other program that has the phone in use; None while this one may use it."""
        self.is_forced = False
        """Whether the person uses the phone although another program has it."""
        self._retry = QTimer(self, interval=_RETRY_MS)
        self._retry.timeout.connect(self._try)
        devices.current_changed.connect(self._phone_changed)
        recording.state_changed.connect(self._describe)
        self._phone_changed(devices.current)

    @property
    def sentence(self) -> str:
        """Which other program has the phone; empty when none has."""
        if self.owner is None or self._link is None:
            return ""
        return _("{phone} is in use by {owner}", phone=self._link.name, owner=self.owner.words)

    def use_anyway(self) -> None:
        """Use the phone although another program has it, until another phone is used."""
        if self.owner is not None and self._link is not None:
            self.is_forced = True
            self._link.set_taken("")
            self.changed.emit()

    def close(self) -> None:
        """Give the phone back; this call writes the disk. At the end only."""
        self._retry.stop()
        self._link = None
        if self._lease is not None:
            self._lease.release()

    @Slot(object)
    def _phone_changed(self, link: PhoneLink | None) -> None:
        before, lease = self._link, self._lease
        self._link, self._job = link, None
        # A link that is only renewed shows the same phone: the lease stays.
        if lease is not None and (link is None or link.serial != lease.identity.address):
            self._lease, self.is_forced = None, False
            self._runner.run(lambda _job: lease.release())
            self._show(None)
        if before is not link and link is not None:
            link.source_changed.connect(self._try)
            link.back.connect(self._ask_again)
            if link.is_live:
                self._try()
        if link is None:
            self._retry.stop()

    @Slot()
    def _try(self) -> None:
        """Ask for the lease behind the window, unless it is held already."""
        if self._lease is None or not self._lease.is_held:
            self._ask_again()

    @Slot()
    def _ask_again(self) -> None:
        """Ask for the lease, also after the phone was away: another one may answer at its address."""
        link, lease = self._link, self._lease
        if link is None or self._job is not None or not link.is_live:
            return

        def work(_job: Job) -> _Attempt:
            identity = read_identity(link.session.device)
            wanted = lease
            if wanted is None or wanted.identity != identity:
                if wanted is not None:
                    wanted.release()
                wanted = lease_phone(identity, PROGRAM, MIRROR)
            return _Attempt(link, wanted, wanted.take())

        self._job = self._runner.run(work, success=self._tried, failure=self._not_tried)

    @Slot(object)
    def _tried(self, attempt: _Attempt) -> None:
        lease = attempt.lease
        if attempt.link is not self._link:
            if lease is not self._lease:
                self._runner.run(lambda _job: lease.release())
            return
        self._job, self._lease = None, lease
        self._describe()
        if attempt.owner is None:
            self._retry.stop()
            self.is_forced = False
        else:
            self._retry.start()
        self._show(attempt.owner)

    @Slot(object)
    def _not_tried(self, _error: Exception) -> None:
        """The phone did not answer: the mirror says that, and its next picture asks again."""
        self._job = None

    def _show(self, owner: LeaseOwner | None) -> None:
        link, before, self.owner = self._link, self.owner, owner
        if link is not None and not self.is_forced:
            link.set_taken(self.sentence)
        if owner != before:
            self.changed.emit()

    @Slot()
    def _describe(self) -> None:
        """Tell other programs whether a task is recorded."""
        lease = self._lease
        activity = RECORDING if self._recording.is_active else MIRROR
        if lease is not None and lease.activity != activity:
            self._runner.run(lambda _job: lease.set_activity(activity))
