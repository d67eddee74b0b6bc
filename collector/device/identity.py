"""Who a phone is, whatever connection adb has to it."""

from __future__ import annotations

from dataclasses import dataclass

from collector.device.protocols import Cancel, Device
from collector.model.i18n import _
from collector.model.text.one_line import one_line

_QUESTIONS = "getprop ro.serialno; getprop ro.waymark.seed; cat /proc/sys/kernel/random/boot_id"
_LONGEST = 100
_SHARED_SERIALS = ("unknown", "EMULATOR")
"""How the serial numbers of phones without a number of their own begin."""


@dataclass(frozen=True, slots=True)
class PhoneIdentity:
    """What a phone says about itself, and adb's name for it."""

    address: str
    """adb's serial: of one phone there may be several, as by cable and by Wi-Fi."""
    serial_number: str = ""
    """``ro.serialno``; empty when the phone has none of its own."""
    seed: str = ""
    """Seed of a virtual phone; empty for hardware."""
    boot: str = ""
    """Id of this start of the phone; empty when it does not tell."""

    @property
    def is_virtual(self) -> bool:
        return bool(self.seed)

    @property
    def is_unique(self) -> bool:
        """Whether no other phone has the same serial number. Virtual phones may share name and seed."""
        return bool(self.serial_number) and not self.is_virtual

    @property
    def name(self) -> str:
        """What to call it: the name and seed of a virtual phone, the serial number of another."""
        if self.is_virtual:
            return _("{name}, seed {seed}", name=self.serial_number or self.address, seed=self.seed)
        return self.serial_number or self.address

    @property
    def key(self) -> str:
        """A text that only this phone has, through every connection, until it is restarted."""
        if self.is_unique:
            return self.serial_number
        return f"{self.serial_number or 'phone'}-{self.boot}" if self.boot else self.address

    @property
    def lasting_key(self) -> str:
        """As :attr:`key`, but one that an emulator keeps when it is restarted: adb's name for it."""
        return self.key if self.is_unique or self.is_virtual else self.address


def read_identity(device: Device, cancel: Cancel | None = None) -> PhoneIdentity:
    """Ask a phone who it is. Raises DeviceError."""
    lines = [one_line(line, _LONGEST) for line in device.shell(_QUESTIONS, cancel=cancel).text.splitlines()]
    serial, seed, boot = (*lines, "", "", "")[:3]
    shared = not serial or serial.startswith(_SHARED_SERIALS)
    return PhoneIdentity(device.serial, "" if shared else serial, seed, boot)
