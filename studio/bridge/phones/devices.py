"""The phones adb lists and the one in use, as signals of the GUI thread."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from collector.device.device_entry import DeviceEntry, read_entry
from collector.device.device_lease import EXPERIMENT_RUN, LeaseOwner, lease_owners
from collector.device.device_tracker import DevicesChanged, DeviceTracker
from collector.device.errors import DeviceError
from collector.device.health.host_checks import check_host
from collector.device.mailbox import Mailbox
from collector.device.session import DeviceSession
from collector.device.transport.adb_server import AdbServer
from collector.device.transport.address import parse_address
from collector.device.transport.listed_devices import ListedDevice
from collector.model.errors import UserError
from collector.model.finding import Finding
from collector.model.i18n import _
from studio.bridge.event_bridge import Wake
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.phones.phone_links import MakeLink, PhoneLinks
from studio.settings import Settings

_MAX_ADDRESSES = 12
_EXAMINED_AT_ONCE = 2
_TOLD_AFTER_MS = 50
_OWNER_AFTER_MS = 1000
"""When a phone that came into use by itself is asked for its owner: a run leases one after adb lists it."""
MakeTracker = Callable[[AdbServer], DeviceTracker]
_DISCONNECT_S = 10.0
"""How long a connection waits until the earlier disconnection from its address is done."""


class Devices(QObject):
    """Follow the adb server, and bring its phones into the window. GUI thread; nothing waits for a phone."""

    changed = Signal(object)
    """A tuple of :class:`DeviceEntry`; emitted also when only a finding or ``server_error`` changed."""
    current_changed = Signal(object)
    """The :class:`PhoneLink` now in use, the one in front, or None."""
    owners_changed = Signal(object)
    """The :class:`LeaseOwner` of each phone that another program uses, by serial."""
    computer_changed = Signal(object)
    """A tuple of findings about adb and the scrcpy server of this computer."""
    failed = Signal(object)
    """The error of a command that failed."""

    def __init__(
        self,
        runner: JobRunner,
        settings: Settings,
        *,
        make_tracker: MakeTracker = DeviceTracker,
        make_link: MakeLink | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._runner, self._settings = runner, settings
        self._make_tracker = make_tracker
        self.links = PhoneLinks(make_link or self._new_link, self)
        """The phones of the window."""
        self.links.front_changed.connect(self.current_changed)
        self.entries: tuple[DeviceEntry, ...] = ()
        self.server_error: DeviceError | None = None
        """Why the adb server lists no phones; None while it can be asked."""
        self.computer: tuple[Finding, ...] = ()
        self.owners: dict[str, LeaseOwner] = {}
        self._awaited = ""
        self._awaited_beside = False
        # What is read of many phones is shown at once.
        self._telling = QTimer(self, singleShot=True, interval=_TOLD_AFTER_MS)
        self._telling.timeout.connect(self._tell_entries)
        self._unexamined: dict[str, ListedDevice] = {}
        self._examining = 0
        self._disconnected: set[str] = set()
        self._aside: set[str] = set()
        """Phones that are not to come into use by themselves for now."""
        self._was_front: set[str] = set()
        """Those of them that were in front."""
        self._of_runs: set[str] = set()
        """Virtual phones of runs, which came into use by themselves."""
        self._automatic = ""
        """The phone that came into use by itself, while nobody chose one."""
        self._asking_owner = QTimer(self, singleShot=True, interval=_OWNER_AFTER_MS)
        self._asking_owner.timeout.connect(self._ask_owner)
        self._disconnecting: dict[str, threading.Event] = {}
        self._tracker: DeviceTracker | None = None
        self._newest: Mailbox[DevicesChanged] = Mailbox()
        self._wake: Wake | None = None
        self._unsubscribe: Callable[[], None] = lambda: None

    # -- start and end --------------------------------------------------------------
    def start(self) -> None:
        """Follow the adb server of the settings."""
        self._tracker = self._make_tracker(self._server())
        self._wake = Wake(self)
        self._wake.rung.connect(self._take_list)
        self._unsubscribe = self._tracker.events.subscribe(self._note_list)
        self._tracker.start()
        self.check_computer()

    def restart(self) -> None:
        """Follow another server after the settings changed; releases all phones."""
        self._stop_tracker()
        for serial in self.links.serials:
            self.links.release(serial)
        self._list_changed(DevicesChanged(()))
        self.start()

    def close(self) -> None:
        """Stop following and release all phones."""
        self._stop_tracker()
        self._telling.stop()
        self._asking_owner.stop()
        self.links.close()

    def _stop_tracker(self) -> None:
        self._unsubscribe()
        if self._wake is not None:
            self._wake.close()
            self._wake.deleteLater()
            self._wake = None
        if self._tracker is not None:
            self._tracker.close()
            self._tracker = None

    # -- state -------------------------------------------------------------
    @property
    def current(self) -> PhoneLink | None:
        """The phone in use: the one in front."""
        return self.links.current

    def name(self, serial: str) -> str:
        """The name of a phone for a person, with its serial where another of the window is called so, too."""
        own = self._name_of(serial)
        is_shared = any(other != serial and self._name_of(other) == own for other in self.links.serials)
        return f"{own}, {serial}" if is_shared else own

    def _name_of(self, serial: str) -> str:
        """What a phone is called by itself; its serial while it did not answer."""
        link, entry = self.links.link(serial), self.entry(serial)
        if link is not None and link.info.model:
            return link.name
        return entry.name if entry is not None else serial

    def entry(self, serial: str) -> DeviceEntry | None:
        """Return the entry of a serial; None when adb does not list it."""
        return next((entry for entry in self.entries if entry.serial == serial), None)

    @property
    def addresses(self) -> list[str]:
        """Addresses used before, the latest first."""
        return list(self._settings["device.recent-addresses"])

    # -- commands ----------------------------------------------------------
    def connect_address(self, text: str, *, remember: bool = True, beside: bool = False) -> Job | None:
        """Run ``adb connect``. The phone comes into use when it answers; otherwise ``failed`` is emitted.

        With ``beside`` the phone in use stays in the window.
        """
        tracker = self._tracker
        try:
            address = parse_address(text)
        except ValueError as error:
            self.failed.emit(UserError(str(error), "", _("Try again")))
            return None
        if tracker is None:
            self.failed.emit(UserError(_("Phones are not followed yet"), "", _("Try again")))
            return None
        disconnected = self._disconnecting.pop(address, None)
        self._awaited_beside = beside

        def work(job: Job) -> str:
            if disconnected is not None:  # adb would otherwise disconnect after it connected
                disconnected.wait(_DISCONNECT_S)
            tracker.connect(address, job.cancel_event)
            return address

        success = self._connected_and_remembered if remember else self._connected
        title = _("Connect {address}", address=address)
        return self._runner.run(work, title=title, success=success, failure=self._fail)

    def disconnect_address(self, serial: str) -> Job | None:
        """Disconnect from an address and do not reconnect to it."""
        self.links.release(serial)
        tracker = self._tracker
        if tracker is None:
            return None
        self._disconnected.add(serial)
        disconnected = self._disconnecting[serial] = threading.Event()

        def work(job: Job) -> None:
            try:
                tracker.forget(serial, job.cancel_event)
            finally:
                disconnected.set()

        return self._runner.run(work, failure=self._fail)

    def use(self, serial: str, *, beside: bool = False) -> None:
        """Make a phone the one in use, see :meth:`PhoneLinks.use`; every workspace switches to it."""
        self._automatic = ""
        self.links.use(serial, beside=beside)

    def set_aside(self, serial: str) -> PhoneLink | None:
        """Release a phone, and use it not by itself until :meth:`take_back`; returns its link that closes."""
        link = self.links.link(serial)
        if serial == self.links.front:
            self._was_front.add(serial)
        self._aside.add(serial)
        self.links.release(serial)
        return link

    def take_back(self, serial: str) -> None:
        """Use a phone that was set aside again, when it was in front before and is still there."""
        self._aside.discard(serial)
        if serial in self._was_front:
            self._was_front.discard(serial)
            if self.entry(serial) is not None:
                self.links.use(serial)

    def check(self, serial: str) -> None:
        """Examine one phone again; ``changed`` follows."""
        entry = self.entry(serial)
        if entry is not None:
            self._examine(ListedDevice(entry.serial, entry.state))

    def read_owners(self) -> None:
        """Read which phones other programs use; ``owners_changed`` follows when that changed."""
        keys = {entry.serial: entry.identity.key for entry in self.entries if entry.identity is not None}
        if keys:
            self._runner.run(lambda _job: _owners(keys), success=self._owners_read)

    def check_computer(self) -> Job:
        """Check adb and the scrcpy server again; ``computer_changed`` follows."""
        server = self._server()
        jar = self._settings["device.scrcpy-server"]
        return self._runner.run(lambda _job: tuple(check_host(server, jar)), success=self._computer_checked)

    # -- inside ------------------------------------------------------------
    def _new_link(self, serial: str) -> PhoneLink:
        return PhoneLink(serial, self._make_session, self)

    def _make_session(self, serial: str) -> DeviceSession:
        return DeviceSession(
            serial,
            frame_source=self._settings["device.frame-source"],
            tree_source=self._settings["device.tree-source"],
            server_jar=self._settings["device.scrcpy-server"],
            server=self._server(),
        )

    def _server(self) -> AdbServer:
        return AdbServer(program=self._settings["device.adb-path"])

    def _note_list(self, event: DevicesChanged) -> None:
        """Take the newest list on the tracker's thread: a server may send more of them than can be shown."""
        self._newest.put(event)
        if (wake := self._wake) is not None:
            wake.ring()

    @Slot()
    def _take_list(self) -> None:
        event = self._newest.take()
        if event is not None:
            self._list_changed(event)

    def _list_changed(self, event: DevicesChanged) -> None:
        known = {entry.serial: entry for entry in self.entries}
        entries, unknown = [], []
        for listed in event.devices:
            before = known.get(listed.serial)
            if before is not None and before.state == listed.state:
                entries.append(before)
            else:
                entries.append(DeviceEntry(listed.serial, listed.state, before.info if before else None))
                unknown.append(listed)
        self.entries, self.server_error = tuple(entries), event.error
        self.changed.emit(self.entries)
        listed_now = {entry.serial for entry in entries}
        self._unexamined = {key: one for key, one in self._unexamined.items() if key in listed_now}
        for listed in unknown:
            self._examine(listed)
        self._use_automatically()

    def _use_automatically(self) -> None:
        """Use the phone just connected, or the only ready one while none is in use."""
        # adb still lists a phone for a moment after its disconnection.
        listed = {entry.serial for entry in self.entries}
        self._disconnected &= listed
        self._of_runs &= listed
        ready = [
            entry.serial
            for entry in self.entries
            if entry.is_ready and entry.serial not in self._disconnected | self._aside
        ]
        if self._awaited in ready:
            awaited, self._awaited = self._awaited, ""
            self.use(awaited, beside=self._awaited_beside)
        elif len(ready) == 1 and self.current is None and ready[0] not in self._of_runs:
            self.use(ready[0])
            self._automatic = ready[0]
            self._asking_owner.start()

    @Slot()
    def _ask_owner(self) -> None:
        entry = self.entry(self._automatic)
        if entry is None or entry.identity is None:
            if entry is not None and entry.is_ready:  # it is still being asked who it is
                self._asking_owner.start()
        elif entry.identity.is_virtual:
            keys = {entry.serial: entry.identity.key}
            self._runner.run(lambda _job: _owners(keys), success=self._leave_to_run)

    @Slot(object)
    def _leave_to_run(self, owners: dict[str, LeaseOwner]) -> None:
        """Take a virtual phone that nobody chose out of the window: it ends with its run."""
        serial, self._automatic = self._automatic, ""
        owner = owners.get(serial)
        if owner is not None and owner.activity == EXPERIMENT_RUN:
            self._of_runs.add(serial)
            self.links.remove(serial)

    def _examine(self, listed: ListedDevice) -> None:
        self._unexamined[listed.serial] = listed
        self._examine_next()

    def _examine_next(self) -> None:
        """Examine phones, so few at once that silent ones hold up no other work."""
        while self._unexamined and self._examining < _EXAMINED_AT_ONCE:
            self._examining += 1
            self._read_entry(self._unexamined.pop(next(iter(self._unexamined))))

    def _read_entry(self, listed: ListedDevice) -> None:
        self._runner.run(
            lambda job: read_entry(listed, job.cancel_event),
            success=self._entry_read,
            failure=self._not_examined,
        )

    @Slot(object)
    def _not_examined(self, error: Exception) -> None:
        self._examining -= 1
        self._fail(error)
        self._examine_next()

    @Slot(object)
    def _entry_read(self, new: DeviceEntry) -> None:
        self._examining -= 1
        self._examine_next()
        self.entries = tuple(
            new if (entry.serial, entry.state) == (new.serial, new.state) else entry for entry in self.entries
        )
        self._telling.start()

    @Slot()
    def _tell_entries(self) -> None:
        self.changed.emit(self.entries)

    @Slot(object)
    def _owners_read(self, owners: dict[str, LeaseOwner]) -> None:
        if owners != self.owners:
            self.owners = owners
            self.owners_changed.emit(owners)

    @Slot(object)
    def _computer_checked(self, findings: tuple[Finding, ...]) -> None:
        self.computer = findings
        self.computer_changed.emit(findings)

    @Slot(object)
    def _connected(self, address: str) -> None:
        # The list without the phone may have been overtaken by the one with it again.
        self._disconnected.discard(address)
        self._awaited = address
        self._use_automatically()

    @Slot(object)
    def _connected_and_remembered(self, address: str) -> None:
        addresses = [address, *(known for known in self.addresses if known != address)]
        self._settings.set("device.recent-addresses", addresses[:_MAX_ADDRESSES])
        self._connected(address)

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        self.failed.emit(error)


def _owners(keys: dict[str, str]) -> dict[str, LeaseOwner]:
    """The other programs that use phones, by serial, from the serials' lease keys."""
    others = {owner.key: owner for owner in lease_owners() if owner.pid != str(os.getpid())}
    return {serial: others[key] for serial, key in keys.items() if key in others}
