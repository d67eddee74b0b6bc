"""``settings`` and ``svc``: switches of the phone."""

from __future__ import annotations

from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import unknown

_NAMESPACES = ("system", "secure", "global")
_RADIOS = {
    "wifi": ("global", "wifi_on"),
    "data": ("global", "mobile_data"),
    "bluetooth": ("global", "bluetooth_on"),
}


@command("settings")
def settings(process: Process) -> int:
    """``get|put|delete|list NAMESPACE [KEY [VALUE]]``."""
    words = list(process.arguments)
    if "--user" in words:
        place = words.index("--user")
        del words[place : place + 2]
    needed = {"get": 3, "put": 4, "delete": 3, "list": 2, "reset": 2}
    if not words or words[0] not in needed:
        return unknown(process, words[0] if words else "")
    if len(words) < needed[words[0]]:
        raise CommandError("Bad arguments", 255)
    if words[1] not in _NAMESPACES:
        raise CommandError(f"Invalid namespace '{words[1]}'", 255)
    return _apply(process, words[0], words[1], words[2:])


def _apply(process: Process, verb: str, namespace: str, words: list[str]) -> int:
    store = process.machine.phone.settings
    if verb == "get":
        value = store.get(namespace, words[0])
        process.line("null" if value is None else value)
    elif verb == "put":
        store.put(namespace, words[0], words[1])
    elif verb == "delete":
        process.line(f"Deleted {int(store.delete(namespace, words[0]))} rows")
    elif verb == "list":
        for key, value in store.list(namespace).items():
            process.line(f"{key}={value}")
    return 0


@command("svc")
def svc(process: Process) -> int:
    """``wifi|data|bluetooth enable|disable``, ``power stayon``."""
    words = process.arguments
    if len(words) >= 2 and words[0] in _RADIOS and words[1] in ("enable", "disable"):
        process.machine.phone.settings.put(*_RADIOS[words[0]], "1" if words[1] == "enable" else "0")
        return 0
    if len(words) >= 3 and words[:2] == ["power", "stayon"]:
        value = "0" if words[2] == "false" else "7"
        process.machine.phone.settings.put("global", "stay_on_while_plugged_in", value)
        return 0
    process.err("Available commands:\n    bluetooth\n    data\n    power\n    wifi")
    return 1
