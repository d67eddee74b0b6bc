"""One phone of the adb list, with what the phone and the doctor say about it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from collector.device.device_info import DeviceInfo, Display, display_name, read_device_info, read_display
from collector.device.errors import DeviceError
from collector.device.health.doctor import examine, state_words
from collector.device.identity import PhoneIdentity, read_identity
from collector.device.protocols import Cancel
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.listed_devices import READY, ListedDevice
from collector.model.finding import Finding


@dataclass(frozen=True, slots=True)
class DeviceEntry:
    """One phone adb lists, and what is known about it so far."""

    serial: str
    state: str
    """As adb writes it."""
    info: DeviceInfo | None = None
    display: Display | None = None
    findings: tuple[Finding, ...] = ()
    identity: PhoneIdentity | None = None
    """Who it is behind adb's name; None until it has answered."""

    @property
    def words(self) -> str:
        """The state in plain words."""
        return state_words(self.state)

    @property
    def is_ready(self) -> bool:
        """Whether the phone takes commands."""
        return self.state == READY

    @property
    def name(self) -> str:
        """The phone's name for a person, as in ``Pixel 7 (virtual)``; its serial until it has answered."""
        return display_name(self.info) if self.info is not None else self.serial


def read_entry(listed: ListedDevice, cancel: Cancel | None = None) -> DeviceEntry:
    """Ask the doctor and, when it is ready, the phone; waits a second or two, or until ``cancel`` is set."""
    entry = DeviceEntry(listed.serial, listed.state, findings=tuple(examine(listed, cancel=cancel)))
    if not listed.is_ready:
        return entry
    device = AdbDevice(listed.serial, cancel=cancel)
    try:
        info, display = read_device_info(device), read_display(device)
        return replace(entry, info=info, display=display, identity=read_identity(device))
    except DeviceError:
        # The doctor's findings already say why.
        return entry
