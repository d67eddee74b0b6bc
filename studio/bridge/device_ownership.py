"""The window's leases of its phones: taken when a phone answers, given back when its link is closed."""

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


class PhoneOwnership(QObject):
    """The lease of one phone. While another program has it, the person's input and all work on it wait.

    It asks again every second, and goes on by itself once the phone is free. GUI thread; nothing waits.
    """

    changed = Signal()
    """:attr:`owner` or :attr:`is_forced` changed."""

    def __init__(self, runner: JobRunner, recording: Recording, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner, self._recording = runner, recording
        self._link: PhoneLink | None = None
        self._lease: DeviceLease | None = None
        self._job: Job | None = None
        self.owner: LeaseOwner | None = None
        """The other program that has the phone; None while this one may use it."""
        self.is_forced = False
        """Whether the person uses the phone although another program has it."""
        self._retry = QTimer(self, interval=_RETRY_MS)
        self._retry.timeout.connect(self._try)
        self._leaving = QTimer(self, singleShot=True, interval=0)
        self._leaving.timeout.connect(self._give_back)

    @property
    def sentence(self) -> str:
        """Which other program has the phone; empty when none has."""
        if self.owner is None or self._link is None:
            return ""
        return _("{phone} is in use by {owner}", phone=self._link.name, owner=self.owner.words)

    def use_anyway(self) -> None:
        """Use the phone although another program has it, until its link is closed."""
        if self.owner is not None and self._link is not None:
            self.is_forced = True
            self._link.set_taken("")
            self.changed.emit()

    def follow(self, link: PhoneLink) -> None:
        """Keep the lease of the phone behind a link, which may be another one to the same phone."""
        self._link, self._job = link, None
        link.source_changed.connect(self._try)
        link.back.connect(self._ask_again)
        if link.is_live:
            self._try()

    def leave(self) -> None:
        """Give the phone back, whose link is closed, unless it is only opened anew."""
        self._link, self._job = None, None
        self._retry.stop()
        self._leaving.start()

    @Slot()
    def _give_back(self) -> None:
        if self._link is not None:
            return
        lease, self._lease = self._lease, None
        self.is_forced = False
        if lease is not None:
            self._runner.run(lambda _job: lease.release())
        self._show(None)

    def close(self) -> None:
        """Give the phone back; this call writes the disk. At the end only."""
        self._retry.stop()
        self._link = None
        if self._lease is not None:
            self._lease.release()

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

        def work(job: Job) -> _Attempt:
            identity = read_identity(link.session.device, job.cancel_event)
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
        self.describe()
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

    def describe(self) -> None:
        """Tell other programs whether a task is recorded on the phone."""
        lease, link = self._lease, self._link
        if lease is None or link is None:
            return
        activity = RECORDING if self._recording.of(link.serial).is_active else MIRROR
        if lease.activity != activity:
            self._runner.run(lambda _job: lease.set_activity(activity))


class DeviceOwnership(QObject):
    """Keeps the leases of the phones that have a link, and says who has the one in front."""

    changed = Signal()
    """What is known of the phone in front changed."""

    def __init__(
        self, runner: JobRunner, devices: Devices, recording: Recording, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runner, self._devices, self._recording = runner, devices, recording
        self._phones: dict[str, PhoneOwnership] = {}
        self._no_phone = PhoneOwnership(runner, recording, self)
        devices.links.opened.connect(self._opened)
        devices.links.closed.connect(self._closed)
        devices.current_changed.connect(self.changed)
        recording.active_changed.connect(self._describe)

    @property
    def _front(self) -> PhoneOwnership:
        return self._phones.get(self._devices.links.front, self._no_phone)

    @property
    def owner(self) -> LeaseOwner | None:
        """The other program that has the phone in front; None while this one may use it."""
        return self._front.owner

    @property
    def is_forced(self) -> bool:
        """Whether the person uses the phone in front although another program has it."""
        return self._front.is_forced

    @property
    def sentence(self) -> str:
        """Which other program has the phone in front; empty when none has."""
        return self._front.sentence

    def use_anyway(self) -> None:
        """Use the phone in front although another program has it, until its link is closed."""
        self._front.use_anyway()

    def close(self) -> None:
        """Give all phones back; this call writes the disk. At the end only."""
        for phone in self._phones.values():
            phone.close()

    @Slot(object)
    def _opened(self, link: PhoneLink) -> None:
        if link.serial not in self._phones:
            phone = self._phones[link.serial] = PhoneOwnership(self._runner, self._recording, self)
            phone.changed.connect(self._phone_changed)
        self._phones[link.serial].follow(link)

    @Slot(object)
    def _closed(self, link: PhoneLink) -> None:
        self._phones[link.serial].leave()

    @Slot()
    def _phone_changed(self) -> None:
        if self.sender() is self._front:
            self.changed.emit()

    @Slot()
    def _describe(self) -> None:
        for phone in self._phones.values():
            phone.describe()
