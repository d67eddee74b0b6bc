"""Why an emulator that runs cannot be used: its console, its machine, adb, or Android itself."""

from __future__ import annotations

from collector.device.errors import DeviceError
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.device.transport.emulator_console import ConsoleRefused, run_console_command
from collector.device.transport.listed_devices import READY
from collector.model.i18n import _

_SECONDS = 3.0
"""How long each question may take."""
_STOPPED = "virtual device is stopped"


def why_it_hangs(serial: str, server: AdbServer) -> str:
    """Ask its console, adb and Android, and name the first that fails; empty when all answer."""
    phone = AdbDevice(serial, server)
    try:
        if _STOPPED in run_console_command(phone, ["avd", "status"], timeout=_SECONDS):
            return _("its machine stands still, as its console says")
    except ConsoleRefused:
        pass  # one without the command, or with the token of another account
    except DeviceError as error:
        return error.what
    try:
        state = next((listed.state for listed in server.devices() if listed.serial == serial), "")
        if not state:
            return _("its console answers, and adb does not list it")
        if state != READY:
            return _("its console answers, and adb lists it as {state}", state=state)
        booted = phone.shell("getprop sys.boot_completed", timeout=_SECONDS).text.strip()
        if booted != "1":
            return _("adb answers, and Android has not finished its start")
        if not phone.shell("pm path android", timeout=_SECONDS).text.startswith("package:"):
            return _("Android has started, and its package manager does not answer")
    except DeviceError as error:
        return _("its console answers, and adb does not: {problem}", problem=error.what)
    return ""
