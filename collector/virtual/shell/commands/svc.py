"""``svc``: switch the phone's radios and power modes."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.android_versions import ANDROID_12
from collector.virtual.shell.process import Process
from collector.virtual.shell.registry import command

_USAGES = {
    "power": (
        "Control the power manager",
        "usage: svc power stayon [true|false|usb|ac|wireless]\n"
        "         Set the 'keep awake while plugged in' setting.\n"
        "       svc power reboot [reason]\n"
        "         Perform a runtime shutdown and reboot device with specified reason.\n"
        "       svc power shutdown\n"
        "         Perform a runtime shutdown and power off the device.\n",
    ),
    "data": (
        "Control mobile data connectivity",
        "usage: svc data [enable|disable]\n         Turn mobile data on or off.\n",
    ),
    "wifi": (
        "Control the Wi-Fi manager",
        "usage: svc wifi [enable|disable]\n         Turn Wi-Fi on or off.\n",
    ),
    "bluetooth": (
        "Control Bluetooth service",
        "usage: svc bluetooth [enable|disable]\n         Turn Bluetooth on or off.\n",
    ),
}
_SCRIPTED = ("wifi", "data", "bluetooth")
"""Android 12 and later handle these with a script that returns failure with its usage."""
_STAY_ON = {"true": "15", "false": "0", "ac": "1", "usb": "2", "wireless": "4"}


@command("svc")
def svc(process: Process) -> int:
    """``wifi|data|bluetooth enable|disable``, ``power stayon``."""
    words = process.arguments
    topic = words[1] if words[:1] == ["help"] and len(words) > 1 else ""
    name = topic or (words[0] if words else "")
    if name not in _USAGES:
        width = max(map(len, _USAGES))
        process.err("Available commands:\n    help     Show information about the subcommands")
        for service, (short, _usage) in _USAGES.items():
            process.err(f"    {service:<{width}}{short}")
        return 0
    run = None if topic else _ACTIONS.get(name)
    if run is not None and run(process, words[1:]):
        return 0
    short, usage = _USAGES[name]
    if name in _SCRIPTED and process.machine.phone.profile.sdk >= ANDROID_12:
        process.out(f"{short}\n\n{usage}\n")
        return 1
    process.err(f"{short}\n\n{usage}")
    return 0


def _wifi(process: Process, words: list[str]) -> bool:
    return _switched(words, process.machine.phone.services.radios.set_wifi)


def _data(process: Process, words: list[str]) -> bool:
    return _switched(words, process.machine.phone.services.radios.set_data)


def _bluetooth(process: Process, words: list[str]) -> bool:
    store = process.machine.phone.settings
    return _switched(words, lambda on: store.put("global", "bluetooth_on", "1" if on else "0"))


def _switched(words: list[str], switch: Callable[[bool], None]) -> bool:
    """Run ``enable`` or ``disable``; False for any other word."""
    if words[:1] not in (["enable"], ["disable"]):
        return False
    switch(words[0] == "enable")
    return True


def _power(process: Process, words: list[str]) -> bool:
    if words[:1] == ["reboot"]:
        process.machine.restart()
        return True
    if words[:1] != ["stayon"] or words[1:2] == [] or words[1] not in _STAY_ON:
        return False
    process.machine.phone.settings.put("global", "stay_on_while_plugged_in", _STAY_ON[words[1]])
    return True


_ACTIONS: dict[str, Callable[[Process, list[str]], bool]] = {
    "bluetooth": _bluetooth,
    "data": _data,
    "power": _power,
    "wifi": _wifi,
}
