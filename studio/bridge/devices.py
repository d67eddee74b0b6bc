"""The phones of this computer on the GUI's side: which there are, what ails them, which one is in use."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal, Slot

from collector.device.adb_device import AdbDevice
from collector.device.adb_server import AdbServer, ListedDevice
from collector.device.device_info import DeviceInfo, Display, read_device_info, read_display
from collector.device.device_tracker import DevicesChanged, DeviceTracker
from collector.device.doctor import examine, state_words
from collector.device.errors import DeviceError
from collector.device.host_checks import check_host
from collector.device.session import DeviceSession
from collector.model.errors import UserError
from collector.model.finding import Finding
from collector.model.i18n import _
from studio.bridge.event_bridge import EventBridge
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.phone import PhoneLink
from studio.settings import Settings

READY = "device"
_MOST_ADDRESSES = 12
MakeTracker = Callable[[AdbServer], DeviceTracker]
MakeLink = Callable[[str], PhoneLink]
_PARTING_S = 10.0
"""How long a connection waits for the end of the one before."""


@dataclass(frozen=True, slots=True)
class DeviceEntry:
    """One phone adb lists, and what it said of itself so far."""

    serial: str
    state: str
    """As adb says it."""
    facts: DeviceInfo | None = None
    display: Display | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def words(self) -> str:
        """The state in plain words."""
        return state_words(self.state)

    @property
    def is_ready(self) -> bool:
        return self.state == READY

    @property
    def name(self) -> str:
        """What a person calls it: ``Pixel 7 (virtual)``."""
        if self.facts is None:
            return self.serial
        return _("{name} (virtual)", name=self.facts.name) if self.facts.is_virtual else self.facts.name


class Devices(QObject):
    """Follows the adb server and lends the phone in use. GUI thread; no method waits for a phone."""

    changed = Signal(object)
    """A tuple of :class:`DeviceEntry`, also when only a finding changed."""
    current_changed = Signal(object)
    """The :class:`PhoneLink` in use now, or None."""
    computer_changed = Signal(object)
    """A tuple of findings about this computer."""
    failed = Signal(object)
    """The error of something that was asked for."""

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
        self._make_link = make_link or self._new_link
        self.entries: tuple[DeviceEntry, ...] = ()
        self.computer: tuple[Finding, ...] = ()
        self.current: PhoneLink | None = None
        self._awaited = ""
        self._parted: set[str] = set()
        self._partings: dict[str, threading.Event] = {}
        self._tracker: DeviceTracker | None = None
        self._bridge: EventBridge | None = None

    # -- life --------------------------------------------------------------
    def start(self) -> None:
        """Begin to follow the adb server of the settings."""
        self._tracker = self._make_tracker(self._server())
        self._bridge = EventBridge(self)
        self._bridge.happened.connect(self._listed)
        self._bridge.listen(self._tracker.events)
        self._tracker.start()
        self.check_computer()

    def restart(self) -> None:
        """Follow another server, after the settings changed; the phone in use is let go."""
        self._stop_tracker()
        self._let_go()
        self._listed(DevicesChanged(()))
        self.start()

    def close(self) -> None:
        """Stop following and let go of the phone in use."""
        self._stop_tracker()
        if self.current is not None:
            self.current.close()
            self.current = None

    def _stop_tracker(self) -> None:
        if self._bridge is not None:
            self._bridge.close()
            self._bridge.deleteLater()
            self._bridge = None
        if self._tracker is not None:
            self._tracker.close()
            self._tracker = None

    # -- what is known -----------------------------------------------------
    def entry(self, serial: str) -> DeviceEntry | None:
        """The phone with this serial, when adb lists it."""
        return next((entry for entry in self.entries if entry.serial == serial), None)

    @property
    def addresses(self) -> list[str]:
        """Addresses connected to before, the latest first."""
        return list(self._settings["device.recent-addresses"])

    # -- what is asked -----------------------------------------------------
    def connect_address(self, text: str, *, remember: bool = True) -> Job | None:
        """``adb connect``; the phone becomes the one in use when it answers, ``failed`` tells otherwise."""
        tracker = self._tracker
        address = text.strip()
        problem = address_problem(address)
        if problem or tracker is None:
            self.failed.emit(UserError(problem or _("Phones are not followed yet"), "", _("Try again")))
            return None
        address = address if ":" in address else f"{address}:5555"

        parting = self._partings.pop(address, None)

        def work(_job: Job) -> str:
            if parting is not None:  # else adb would part after it connected
                parting.wait(_PARTING_S)
            tracker.connect(address)
            return address

        success = self._connected_and_kept if remember else self._connected
        title = _("Connect {address}", address=address)
        return self._runner.run(work, title=title, success=success, failure=self._tell)

    def disconnect_address(self, serial: str) -> Job | None:
        """Part from a phone reached by address and do not come back to it."""
        if self.current is not None and self.current.serial == serial:
            self._let_go()
        tracker = self._tracker
        if tracker is None:
            return None
        self._parted.add(serial)
        parting = self._partings[serial] = threading.Event()

        def work(_job: Job) -> None:
            try:
                tracker.forget(serial)
            finally:
                parting.set()

        return self._runner.run(work, failure=self._tell)

    def use(self, serial: str) -> None:
        """Make a phone the one in use; every workspace follows."""
        if self.current is not None and self.current.serial == serial:
            return
        self._drop_link()
        self.current = self._make_link(serial)
        self.current_changed.emit(self.current)
        self.current.start()

    def renew_link(self) -> None:
        """Open the phone in use anew, as the settings say now."""
        if self.current is not None:
            serial = self.current.serial
            self._drop_link()
            self.use(serial)

    def check(self, serial: str) -> Job | None:
        """Ask the doctor about one phone again; ``changed`` follows."""
        entry = self.entry(serial)
        return self._look(ListedDevice(entry.serial, entry.state)) if entry else None

    def check_computer(self) -> Job:
        """Look for adb and a scrcpy server again; ``computer_changed`` follows."""
        server = self._server()
        jar = self._settings["device.scrcpy-server"]
        return self._runner.run(lambda _job: tuple(check_host(server, jar)), success=self._took_computer)

    # -- how ---------------------------------------------------------------
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

    def _drop_link(self) -> None:
        if self.current is not None:
            self.current.close()
            self.current.deleteLater()
            self.current = None

    def _let_go(self) -> None:
        if self.current is not None:
            self._drop_link()
            self.current_changed.emit(None)

    @Slot(object)
    def _listed(self, event: DevicesChanged) -> None:
        known = {entry.serial: entry for entry in self.entries}
        entries = []
        for listed in event.devices:
            before = known.get(listed.serial)
            if before is not None and before.state == listed.state:
                entries.append(before)
            else:
                entries.append(DeviceEntry(listed.serial, listed.state, before.facts if before else None))
                self._look(listed)
        self.entries = tuple(entries)
        self.changed.emit(self.entries)
        self._use_by_itself()

    def _use_by_itself(self) -> None:
        """The phone just connected to comes into use, and so does the only one there is."""
        # adb lists a phone for a moment after it was parted from.
        self._parted &= {entry.serial for entry in self.entries}
        ready = [
            entry.serial for entry in self.entries if entry.is_ready and entry.serial not in self._parted
        ]
        if self._awaited in ready:
            awaited, self._awaited = self._awaited, ""
            self.use(awaited)
        elif len(ready) == 1 and self.current is None:
            self.use(ready[0])

    def _look(self, listed: ListedDevice) -> Job:
        def work(_job: Job) -> DeviceEntry:
            found = DeviceEntry(listed.serial, listed.state, findings=tuple(examine(listed)))
            if listed.state != READY:
                return found
            device = AdbDevice(listed.serial)
            try:
                return replace(found, facts=read_device_info(device), display=read_display(device))
            except DeviceError:
                # The doctor has the sentence for it already.
                return found

        return self._runner.run(work, success=self._looked, failure=self._tell)

    @Slot(object)
    def _looked(self, found: DeviceEntry) -> None:
        self.entries = tuple(
            found if (entry.serial, entry.state) == (found.serial, found.state) else entry
            for entry in self.entries
        )
        self.changed.emit(self.entries)

    @Slot(object)
    def _took_computer(self, findings: tuple[Finding, ...]) -> None:
        self.computer = findings
        self.computer_changed.emit(findings)

    @Slot(object)
    def _connected(self, address: str) -> None:
        self._awaited = address
        self._use_by_itself()

    @Slot(object)
    def _connected_and_kept(self, address: str) -> None:
        kept = [address, *(one for one in self.addresses if one != address)]
        self._settings.set("device.recent-addresses", kept[:_MOST_ADDRESSES])
        self._connected(address)

    @Slot(object)
    def _tell(self, error: Exception) -> None:
        self.failed.emit(error)


def address_problem(text: str) -> str:
    """Why a text is no address of a phone, in a sentence; empty when it is one."""
    host, colon, port = text.rpartition(":")
    if not colon:
        host = text
    if not host or any(letter.isspace() or letter in "/;" for letter in host):
        return _("Write the address as 192.168.1.20:5555")
    if colon and not (port.isdigit() and 0 < int(port) < 65536):
        return _("{port} is no port; it is a number up to 65535", port=port or "''")
    return ""
