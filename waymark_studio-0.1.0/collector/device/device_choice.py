"""Choose the phone a command works on."""

from __future__ import annotations

from collector.device.errors import DeviceError
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.model.i18n import _


def choose_device(serial: str = "", server: AdbServer | None = None) -> AdbDevice:
    """Return the phone with this serial, or the only ready one. Starts adb; raises DeviceError."""
    server = server or AdbServer()
    server.ensure()
    if serial:
        return AdbDevice(serial, server)
    ready = [listed.serial for listed in server.devices() if listed.is_ready]
    if not ready:
        raise DeviceError(
            _("No phone is connected"), "", _("Plug one in, connect to one, or run: waymark device virtual")
        )
    if len(ready) > 1:
        raise DeviceError(
            _("Several phones are connected"),
            "",
            _("Name one with --device: {known}", known=", ".join(ready)),
        )
    return AdbDevice(ready[0], server)
