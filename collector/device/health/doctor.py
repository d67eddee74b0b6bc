"""Diagnose problems between this computer and its phones, with a remedy for each."""

from __future__ import annotations

from dataclasses import replace

from collector.device.apps.companion_app import CompanionApp
from collector.device.device_info import DeviceInfo, read_device_info, read_foreground
from collector.device.errors import (
    DeviceError,
    DeviceOffline,
    InputDenied,
    SecureWindow,
    Unauthorized,
)
from collector.device.health.host_checks import check_scrcpy
from collector.device.health.probes import probe_screenshot, probe_tree
from collector.device.protocols import Cancel, Device
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.device.transport.listed_devices import READY, UNUSABLE, ListedDevice
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.model.phone.quirks import known_quirks
from collector.model.text.one_line import one_line
from collector.phone_profiles.registry import find_profile

__all__ = ["diagnose", "examine", "examine_ready", "state_words"]

_OLDEST_SERVER = 39
_AUTOMATION_KEYBOARDS = ("adbkeyboard", "fastinputime", "uiautomator", "appium", "unicodeime")
LITTLE_STORAGE_KB = 100 * 1024


def diagnose(server: AdbServer | None = None) -> list[Finding]:
    """Check adb, then each phone. Takes seconds; errors of a phone become findings."""
    server = server or AdbServer()
    try:
        server.ensure()
        version, devices = server.version(), server.devices()
    except DeviceError as error:
        return [Finding.from_error("no_adb", "problem", error)]
    findings = [Finding("adb", "ok", _("adb answers, server version {version}", version=version))]
    if version < _OLDEST_SERVER:
        findings.append(
            Finding(
                "server_clash", "problem", _("The running adb server is too old"),
                _("Another program started its own adb"),
                _("Close that program, run adb kill-server, and try again"),
            )
        )  # fmt: skip
    if not any(listed.is_ready for listed in devices):
        findings.append(check_scrcpy())
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
        findings += examine(listed, server, thorough=True)
    return findings


def state_words(state: str) -> str:
    """Return a state of ``adb devices`` in plain words."""
    words = {
        READY: _("ready"),
        "offline": _("offline: it does not answer"),
        "unauthorized": _("waiting for Allow on its screen"),
        "authorizing": _("asking for permission"),
        "recovery": _("in recovery mode"),
        "bootloader": _("in the bootloader"),
        "no permissions": _("this computer may not use its USB port"),
        UNUSABLE: _("its serial number has characters that no command takes"),
    }
    return words.get(state, state)


def examine(
    listed: ListedDevice, server: AdbServer | None = None, *, thorough: bool = False,
    cancel: Cancel | None = None,
) -> list[Finding]:  # fmt: skip
    """Check one phone in a second or two; ``thorough`` adds probes, which take as long as the phone does."""
    serial = listed.serial
    if listed.state == "unauthorized":
        return [Finding.from_error("unauthorized", "problem", Unauthorized(serial), serial)]
    if listed.state == UNUSABLE:
        return [
            Finding(
                "unusable", "problem", _("A phone has a serial number that cannot be used"),
                _("It has control characters or no end, and may be meant to deceive"),
                _("Unplug it, unless you know it"), serial,
            )
        ]  # fmt: skip
    if not listed.is_ready:
        return [
            Finding.from_error("offline", "problem", DeviceOffline(serial, state_words(listed.state)), serial)
        ]
    try:
        return examine_ready(AdbDevice(serial, server, cancel), thorough=thorough)
    except DeviceError as error:
        return [Finding.from_error("no_answer", "problem", error, serial)]


def examine_ready(device: Device, *, thorough: bool = False) -> list[Finding]:
    """Check a phone that answers; ``thorough`` also takes a screenshot and a tree. Raises DeviceError."""
    facts, serial = read_device_info(device), device.serial
    ready = Finding("device", "ok", _("{name} is ready", name=facts.name), where=serial)
    checks = [check_scrcpy(virtual=facts.is_virtual), _input(device), _keyboard(device), _storage(device)]
    checks += [_companion(device), _window(device)]
    if thorough:
        protected = checks[-1] is not None
        checks += [None if protected else probe_screenshot(device), probe_tree(device)]
    checks += _quirks(facts)
    return [ready, *(replace(finding, where=serial) for finding in checks if finding)]


def _quirks(facts: DeviceInfo) -> list[Finding]:
    """What is known of such phones, with what a person does about it."""
    profile = find_profile(facts.names)
    return [
        Finding(
            "quirk", "notice", _("Known of such phones: {what}", what=quirk.title), quirk.effect, quirk.mend
        )
        for quirk in known_quirks(profile.quirks)
    ]


def _companion(device: Device) -> Finding:
    status = CompanionApp(device).status()
    if status.is_current:
        return Finding("companion", "ok", status.sentence)
    if not status.is_installed:
        why = _("dialogs cannot be injected; anomalies that change the phone itself can")
    elif not status.is_ours:
        why = _("it shows D-GARA's dialogs alone, and does not say how they were closed")
    else:
        why = _("this program brings a newer one")
    return Finding(
        "no_companion", "notice", status.sentence, why, _("Install it: waymark device companion install")
    )


def _input(device: Device) -> Finding | None:
    """Press a key without meaning: some makers forbid even that until a setting is switched on."""
    result = device.shell("input keyevent 0")
    output = result.text + result.error_text
    return Finding.from_error("input_denied", "problem", InputDenied()) if "INJECT_EVENTS" in output else None


def _keyboard(device: Device) -> Finding | None:
    """Find keyboards left behind by automation tools: a person cannot type with them."""
    method = one_line(device.shell("settings get secure default_input_method").text, 200)
    if not method or method == "null":
        return Finding(
            "no_keyboard", "notice", _("No keyboard is chosen on the phone"), "",
            _("Choose one in its settings, or text fields stay without a keyboard"),
        )  # fmt: skip
    if not any(word in method.lower() for word in _AUTOMATION_KEYBOARDS):
        return None
    return Finding(
        "automation_keyboard",
        "notice",
        _("An automation tool's keyboard is switched on: {name}", name=method),
        _("It does not let a person type on the phone itself"),
        _("Choose the usual keyboard in the phone's settings"),
    )


def _window(device: Device) -> Finding | None:
    if not read_foreground(device).secure:
        return None
    error = SecureWindow()
    return Finding("secure", "notice", error.what, error.why, error.to_do)


def _storage(device: Device) -> Finding | None:
    free = free_kilobytes(device.shell("df /data/local/tmp").text)
    if free is None or free >= LITTLE_STORAGE_KB:
        return None
    return Finding(
        "storage",
        "problem",
        _("The phone's storage is nearly full"),
        _("{size} MB are free", size=free // 1024),
        _("Free 100 MB"),
    )


def free_kilobytes(text: str) -> int | None:
    """Return the fourth column of the last line of ``df``."""
    lines = [line.split() for line in text.splitlines()]
    words = lines[-1] if lines else []
    return int(words[3]) if len(words) > 3 and words[3].isdecimal() and len(words[3]) < 16 else None
