"""What is wrong between this computer and its phones, in plain words, with the mend."""

from __future__ import annotations

from dataclasses import dataclass

from collector.device.connection import AdbConnectionDevice
from collector.device.errors import DeviceError, DeviceOffline, ScrcpyFailed, Unauthorized
from collector.device.facts import read_facts, read_foreground
from collector.device.server import AdbServer, Listed
from collector.device.server_jar import find_server_jar
from collector.model.errors import UserError
from collector.model.words import _

_OLDEST_SERVER = 39
_LITTLE_STORAGE_KB = 100 * 1024


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at. ``severity`` is ok, notice or problem; ``serial`` is empty for this computer."""

    code: str
    severity: str
    what: str
    why: str = ""
    to_do: str = ""
    serial: str = ""


def diagnose(server: AdbServer | None = None) -> list[Finding]:
    """Look at adb, then at each phone; takes seconds and raises nothing a phone can cause."""
    server = server or AdbServer()
    try:
        server.ensure()
        version, devices = server.version(), server.devices()
    except DeviceError as error:
        return [_problem("no_adb", error)]
    findings = [Finding("adb", "ok", _("adb answers, server version {version}", version=version))]
    if version < _OLDEST_SERVER:
        findings.append(
            Finding(
                "server_clash", "problem", _("The running adb server is too old"),
                _("Another program started its own adb"),
                _("Close that program, run adb kill-server, and try again"),
            )
        )  # fmt: skip
    if not devices:
        findings.append(
            Finding(
                "no_device", "problem", _("No phone is connected"), "",
                _("Plug one in with USB debugging on, connect to an address, or start a virtual phone"),
            )
        )  # fmt: skip
    if len(devices) > 1:
        findings.append(Finding("several", "notice", _("Several phones are connected"), "", _("Choose one")))
    for listed in devices:
        findings += examine(listed, server)
    return findings


def state_words(state: str) -> str:
    """A state of ``adb devices`` in plain words."""
    words = {
        "device": _("ready"),
        "offline": _("offline: it does not answer"),
        "unauthorized": _("waiting for Allow on its screen"),
        "authorizing": _("asking for permission"),
        "recovery": _("in recovery mode"),
        "bootloader": _("in the bootloader"),
        "no permissions": _("this computer may not use its USB port"),
    }
    return words.get(state, state)


def examine(listed: Listed, server: AdbServer | None = None) -> list[Finding]:
    """Look at one phone; takes a second or two."""
    serial = listed.serial
    if listed.state == "unauthorized":
        return [_problem("unauthorized", Unauthorized(serial), serial)]
    if listed.state != "device":
        return [_problem("offline", DeviceOffline(serial, state_words(listed.state)), serial)]
    try:
        return _of_ready(AdbConnectionDevice(serial, server), serial)
    except DeviceError as error:
        return [_problem("no_answer", error, serial)]


def _of_ready(device: AdbConnectionDevice, serial: str) -> list[Finding]:
    facts = read_facts(device)
    findings = [Finding("device", "ok", _("{name} is ready", name=facts.name), serial=serial)]
    try:
        jar = find_server_jar(virtual=facts.is_virtual)
        findings.append(
            Finding("scrcpy", "ok", _("scrcpy server {version}", version=jar.version), jar.origin)
        )
    except ScrcpyFailed as error:
        findings.append(Finding("no_scrcpy", "notice", error.what, error.why, error.to_do, serial))
    if facts.manufacturer.lower() in ("xiaomi", "redmi", "poco"):
        findings.append(
            Finding(
                "miui", "notice", _("Xiaomi phones refuse injected input at first"), "",
                _('Switch on "USB debugging (Security settings)" in the developer options'), serial,
            )
        )  # fmt: skip
    if read_foreground(device).secure:
        findings.append(
            Finding("secure", "notice", _("The window in front is protected and shows black"), serial=serial)
        )
    free = _free_kilobytes(device.shell("df /data/local/tmp").text)
    if free is not None and free < _LITTLE_STORAGE_KB:
        findings.append(
            Finding(
                "storage", "problem", _("The phone's storage is nearly full"), "", _("Free 100 MB"), serial
            )
        )
    return findings


def _free_kilobytes(text: str) -> int | None:
    """The fourth column of the last line of ``df``."""
    lines = [line.split() for line in text.splitlines()]
    words = lines[-1] if lines else []
    return int(words[3]) if len(words) > 3 and words[3].isdigit() else None


def _problem(code: str, error: UserError, serial: str = "") -> Finding:
    return Finding(code, "problem", error.what, error.why, error.to_do, serial)
