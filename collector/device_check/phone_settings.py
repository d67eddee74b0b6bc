"""How a phone is set, read before and after a check, so that the comparison shows that it is as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from collector.adb.properties import parse_getprop
from collector.device.protocols import Cancel, Device
from collector.model.i18n import _

_NAMESPACES = ("system", "secure", "global")
_MARK = "=== "
_TEMPORARY = "/data/local/tmp"
_PARTS = {
    **{name: f"settings list {name}" for name in _NAMESPACES},
    "size": "wm size",
    "density": "wm density",
    "night": "cmd uimode night",
    "keyboards": "ime list -s",
    "battery": "dumpsys battery | grep -E 'UPDATES|level|powered'",
    "heat": "dumpsys thermalservice | grep IsStatusOverride",
    "awake": "dumpsys power | grep -E 'mWakefulness='",
    "front": "dumpsys activity activities | grep -m 1 -E 'ResumedActivity'",
    "files": f"ls {_TEMPORARY}",
    "properties": "getprop",
}
_LINE = re.compile(r"([\w.:/-]{1,200})=(.*)")
_FRONT = re.compile(r"\su\d+\s([\w.]+)/")
_OWN = (
    "system accelerometer_rotation", "system user_rotation", "system font_scale", "system screen_off_timeout",
    "system screen_brightness_mode", "system system_locales", "secure default_input_method",
    "secure enabled_input_methods", "secure location_mode", "secure ui_night_mode", "global airplane_mode_on",
    "global wifi_on", "global mobile_data", "global low_power", "global zen_mode",
    "global stay_on_while_plugged_in",
)  # fmt: skip
"""Settings that a check changes, as ``NAMESPACE KEY``."""
_PRIVATE = (
    "secure android_id", "secure bluetooth_address", "secure bluetooth_name", "global device_name",
    "system device_name",
)  # fmt: skip
"""Settings whose values tell one phone from another."""
_PRIVATE_PROPERTIES = ("ro.serialno", "ro.boot.serialno", "net.hostname", "ro.build.host", "ro.build.user")
_OWN_FILES = ("waymark", "scrcpy")


@dataclass(frozen=True, slots=True)
class PhoneSettings:
    """What was read. It holds private values and is never part of a report."""

    settings: Mapping[str, str] = field(default_factory=dict)
    """By ``NAMESPACE KEY``."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """What else a check may change, by a name."""
    files: frozenset[str] = frozenset()
    """Files that a check may leave in the folder for temporary ones."""
    front: str = ""
    """Package of the app in front."""
    properties: Mapping[str, str] = field(default_factory=dict)

    @property
    def private(self) -> Iterator[str]:
        """Words that only this phone has."""
        yield from (self.settings.get(key, "") for key in _PRIVATE)
        yield from (self.properties.get(key, "") for key in _PRIVATE_PROPERTIES)

    @property
    def brand(self) -> str:
        """``ro.product.brand``, which several makers share with a parent."""
        return self.properties.get("ro.product.brand", "")


def read_phone_settings(device: Device, cancel: Cancel | None = None) -> PhoneSettings:
    """Ask a phone, in one command. Raises DeviceError."""
    line = "; ".join(f"echo '{_MARK}{name}'; {command} 2>/dev/null" for name, command in _PARTS.items())
    text = device.shell(line, timeout=30, cancel=cancel).text
    parts = dict(_split(text))
    settings = {
        f"{namespace} {match[1]}": match[2].strip()
        for namespace in _NAMESPACES
        for match in map(_LINE.fullmatch, parts.get(namespace, "").splitlines())
        if match is not None
    }
    facts = {
        name: parts.get(name, "").strip()
        for name in ("size", "density", "night", "keyboards", "battery", "heat", "awake")
    }
    files = (name for name in parts.get("files", "").split() if name.startswith(_OWN_FILES))
    front = _FRONT.search(parts.get("front", ""))
    properties = parse_getprop(parts.get("properties", ""))
    return PhoneSettings(settings, facts, frozenset(files), front[1] if front else "", properties)


def _split(text: str) -> Iterator[tuple[str, str]]:
    for part in text.split(_MARK)[1:]:
        name, _end, rest = part.partition("\n")
        yield name.strip(), rest


def not_restored(before: PhoneSettings, after: PhoneSettings) -> list[str]:
    """What a check changes and that is not as it was, in words, without any value."""
    words = [
        _("The setting {name} is not as it was", name=key)
        for key in _OWN
        if before.settings.get(key) != after.settings.get(key)
    ]
    names = {
        "size": _("the size of the screen"), "density": _("the density of the screen"),
        "night": _("dark mode"), "keyboards": _("the list of keyboards"), "heat": _("the reported heat"),
        "awake": _("whether the screen is on"),
    }  # fmt: skip
    for name, shown in names.items():
        if before.facts.get(name) != after.facts.get(name):
            words.append(_("Not as it was: {what}", what=shown))
    if ("UPDATES" in before.facts.get("battery", "")) != ("UPDATES" in after.facts.get("battery", "")):
        words.append(_("Not as it was: {what}", what=_("the reported battery")))
    words += [
        _("The file {name} stays on the phone", name=name) for name in sorted(after.files - before.files)
    ]
    return words


def changed_meanwhile(before: PhoneSettings, after: PhoneSettings) -> tuple[str, ...]:
    """Settings that no check changes and that differ, by their names: phones change some by themselves."""
    keys = before.settings.keys() | after.settings.keys()
    changed = (key for key in keys if before.settings.get(key) != after.settings.get(key))
    return tuple(sorted(key for key in changed if key not in _OWN))
