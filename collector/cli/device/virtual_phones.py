"""Virtual phones for a run: each a process of its own, connected to adb while the run needs it."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field, replace

from collector.device.device_lease import EXPERIMENT_RUN, DeviceLease, lease_device
from collector.device.errors import DeviceError
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.model.i18n import _
from collector.run.phones.phone_facts import PhoneFacts, sides
from collector.run.phones.provider import RUN_PROGRAM
from collector.virtual.fleet.phone_options import PhoneOptions
from collector.virtual.fleet.phone_process import PhoneProcess


class VirtualRunPhone:
    """A :class:`~collector.run.phones.provider.RunPhone` that ends with the run, or with its process."""

    is_virtual = True

    def __init__(self, name: str, options: PhoneOptions) -> None:
        """Start the phone. Raises UserError."""
        self.name = name
        self._options = options
        self._process = PhoneProcess(options)
        self._device: AdbDevice | None = None
        self._lease: DeviceLease | None = None
        self._start()

    @property
    def device(self) -> AdbDevice:
        assert self._device is not None
        return self._device

    @property
    def pid(self) -> int | None:
        """The process id of the phone."""
        return self._process.pid

    def restart(self) -> None:
        """Put a new process in its place. Raises UserError."""
        self.release()
        self._process = PhoneProcess(self._options)
        self._start()

    def release(self) -> None:
        """End the phone."""
        if self._lease is not None:
            self._lease.release()
            self._lease = None
        if self._device is not None:
            with contextlib.suppress(DeviceError):  # a server that is gone has forgotten it
                AdbServer().disconnect(self._device.serial)
            self._device = None
        self._process.stop()

    def _start(self) -> None:
        try:
            self._process.start()
            address = self._process.wait_ready()
            AdbServer().connect(address)
            self._device = AdbDevice(address)
            self._lease = lease_device(self._device, RUN_PROGRAM, EXPERIMENT_RUN)
        except BaseException:
            self.release()
            raise


@dataclass(frozen=True, slots=True)
class VirtualPhones:
    """A :class:`~collector.run.phones.provider.PhoneProvider` of virtual phones that it starts."""

    count: int
    options: PhoneOptions = field(default_factory=PhoneOptions)

    def known(self) -> tuple[PhoneFacts, ...]:
        """Their screen."""
        size, density = sides(self.options.size), self.options.density
        return (PhoneFacts(is_virtual=True, size=size, density=density),)

    def acquire(self, number: int) -> VirtualRunPhone:
        """Start a phone. Raises UserError."""
        options = replace(self.options, name=f"run-{number + 1}")
        return VirtualRunPhone(_("virtual {number}", number=number + 1), options)
