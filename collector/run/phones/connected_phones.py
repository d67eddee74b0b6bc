"""Phones that are connected to this computer, as the phones of a run."""

from __future__ import annotations

import contextlib
import logging
import time
from dataclasses import dataclass

from collector.device.boot import wait_until_booted
from collector.device.device_info import read_device_info
from collector.device.device_lease import EXPERIMENT_RUN, DeviceLease, lease_device
from collector.device.errors import DeviceError
from collector.device.health.phone_health import check_phone
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.phones.phone_facts import PhoneFacts, read_phone_facts
from collector.run.phones.provider import RUN_PROGRAM

_COMES_BACK_S = 60.0
_REBOOT_S = 240.0
_POLL_S = 0.5
_log = logging.getLogger(__name__)


class ConnectedPhone:
    """A :class:`~collector.run.phones.provider.RunPhone` that was there before the run."""

    is_virtual = False

    def __init__(self, device: AdbDevice, name: str, lease: DeviceLease) -> None:
        """For :class:`ConnectedPhones` alone."""
        self.name = name
        self._device = device
        self._lease = lease

    @property
    def device(self) -> AdbDevice:
        return self._device

    def restart(self) -> None:
        """Wait for a phone that went away; reboot one that is there and cannot be used. Raises UserError."""
        _await_listed(self._device.serial)
        health = check_phone(self._device)
        if health.is_usable:
            return
        _log.info("%s is rebooted: %s", self.name, health.problem)
        with contextlib.suppress(DeviceError):  # the connection ends with the phone
            self._device.shell("reboot")
        end = time.monotonic() + _REBOOT_S
        # It is listed for a moment longer, and answers until it goes down.
        _await_listed(self._device.serial, gone=True)
        _await_listed(self._device.serial, end - time.monotonic())
        wait_until_booted(self._device, end - time.monotonic())
        health = check_phone(self._device)
        if not health.is_usable:
            raise UserError(_("{name} cannot be used", name=self.name), health.problem)

    def release(self) -> None:
        """Let other programs have it."""
        self._lease.release()


@dataclass(frozen=True, slots=True)
class ConnectedPhones:
    """A :class:`~collector.run.phones.provider.PhoneProvider` of connected phones, by adb's serials."""

    serials: tuple[str, ...]

    @property
    def count(self) -> int:
        return len(self.serials)

    def known(self) -> tuple[PhoneFacts, ...]:
        """What the phones say of themselves; empty when one does not answer."""
        try:
            AdbServer().ensure()
            return tuple(read_phone_facts(AdbDevice(serial)) for serial in self.serials)
        except DeviceError as error:  # the run says so when it takes the phone
            _log.info("the phones of the run are not known before it: %s", error)
            return ()

    def acquire(self, number: int) -> ConnectedPhone:
        """Lease the phone. Raises DeviceError, as DeviceTaken when another program uses it."""
        serial = self.serials[number]
        AdbServer().ensure()
        device = AdbDevice(serial)
        lease = lease_device(device, RUN_PROGRAM, EXPERIMENT_RUN)
        try:
            info = read_device_info(device)
        except DeviceError:
            lease.release()
            raise
        return ConnectedPhone(device, f"{info.model} {serial}".strip(), lease)


def _await_listed(serial: str, seconds: float = _COMES_BACK_S, *, gone: bool = False) -> None:
    """Wait until adb lists a phone as ready; raises UserError. With ``gone``, until it lists it no more."""
    end = time.monotonic() + (min(seconds, _COMES_BACK_S) if gone else seconds)
    server, why = AdbServer(), ""
    while True:
        try:
            why = ""
            server.ensure()
            is_ready = any(listed.is_ready for listed in server.devices() if listed.serial == serial)
            if is_ready is not gone:
                return
            if not is_ready and ":" in serial and not gone:
                server.reconnect(serial)
        except DeviceError as error:
            why = str(error)
        if time.monotonic() >= end:
            break
        time.sleep(_POLL_S)
    if not gone:
        raise UserError(
            _("The phone {serial} does not come back", serial=serial),
            why,
            _("See that it is on and connected"),
        )
