"""Connected phones of whatever computer a worker runs on: each worker takes one that is free there."""

from __future__ import annotations

from dataclasses import dataclass

from collector.device.errors import DeviceError, DeviceTaken
from collector.device.transport.adb_server import AdbServer
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.phones.connected_phones import ConnectedPhone, ConnectedPhones
from collector.run.phones.phone_facts import PhoneFacts


@dataclass(frozen=True, slots=True)
class FreePhones:
    """A :class:`~collector.run.phones.provider.PhoneProvider` for workers on many machines.

    Two workers on one machine are two processes: the lease of a phone keeps the second from it.
    """

    count: int
    serials: tuple[str, ...] = ()
    """The only ones to use, as adb lists them on their machine; empty for all."""

    def known(self) -> tuple[PhoneFacts, ...]:
        """Nothing: they are at other machines."""
        return ()

    def acquire(self, number: int) -> ConnectedPhone:
        """Take the first phone that is connected and free. Raises UserError when there is none."""
        server = AdbServer()
        server.ensure()
        listed = [phone.serial for phone in server.devices() if phone.is_ready]
        problems = []
        for serial in listed:
            if self.serials and serial not in self.serials:
                continue
            try:
                return ConnectedPhones((serial,)).acquire(0)
            except DeviceTaken as error:
                problems.append(error.what)
            except DeviceError as error:
                problems.append(str(error))
        raise UserError(
            _("Worker {number} has no phone on its machine", number=number + 1),
            "; ".join(problems) or _("adb lists there: {serials}", serials=", ".join(listed) or "-"),
            _("Connect one, or start Ray there with fewer phones in its resources"),
        )
