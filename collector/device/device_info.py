"""Read model, Android version, screen, battery, foreground app and app versions of a phone."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from collector.adb.dumpsys import (
    ComponentName,
    parse_battery,
    parse_display_sizes,
    parse_focus,
    parse_focused_app,
    parse_input_method,
    parse_keyboard_frame,
    parse_resumed_activity,
    parse_rotation,
    parse_secure_windows,
    parse_top_activity,
)
from collector.adb.properties import parse_getprop, parse_wm_density, parse_wm_size
from collector.adb.quoting import join
from collector.device.errors import DeviceError
from collector.device.foreground import Foreground
from collector.device.protocols import Cancel, Device
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.text.one_line import one_line
from collector.phone_profiles.profile import PhoneNames

DEFAULT_DENSITY = 420
_log = logging.getLogger(__name__)
_VERSION = re.compile(r"\bversionName=(\S{1,100})")
_LOCALES = ("persist.sys.locale", "ro.product.locale")
_LONGEST = 100
"""Characters of a property."""


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """Properties that do not change while a phone runs, and its battery level when it was asked."""

    serial: str
    """adb's name of the phone."""
    model: str = ""
    manufacturer: str = ""
    android: str = ""
    sdk: int = 0
    build: str = ""
    seed: str = ""
    """Seed of a virtual phone; empty for hardware."""
    serial_number: str = ""
    """``ro.serialno``, which is the name of a virtual phone."""
    variation: str = ""
    """Variation of a virtual phone; empty for hardware."""
    language: str = ""
    """BCP 47 tag of the language, such as ``zh-CN``; empty when the phone does not tell it."""
    battery: int | None = None

    @property
    def is_virtual(self) -> bool:
        return bool(self.seed)

    @property
    def name(self) -> str:
        return self.model or self.serial

    @property
    def names(self) -> PhoneNames:
        """By what its profile is found."""
        return PhoneNames(self.manufacturer, self.model, self.android)

    def as_dict(self) -> dict[str, object]:
        """Return the known properties for the header of a trajectory."""
        known: dict[str, object] = {
            # Of a virtual phone adb's name is only a port, another one at each start.
            "serial": self.serial_number if self.is_virtual and self.serial_number else self.serial,
            "model": self.model,
            "manufacturer": self.manufacturer,
            "android": self.android,
            "sdk": self.sdk,
            "build": self.build,
            "language": self.language,
            "virtual": self.is_virtual,
        }
        if self.seed.isdecimal():
            known |= {"seed": int(self.seed), "variation": self.variation}
        return {key: value for key, value in known.items() if key == "seed" or value not in ("", 0)}


@dataclass(frozen=True, slots=True)
class Display:
    """The screen in its present rotation, in the pixels of trees and actions."""

    size: Size
    rotation: int = 0
    density: int = DEFAULT_DENSITY


def read_device_info(device: Device, cancel: Cancel | None = None) -> DeviceInfo:
    """Read properties and battery. Raises DeviceError."""
    properties = parse_getprop(device.shell("getprop", cancel=cancel).text)
    battery = parse_battery(device.shell("dumpsys battery", cancel=cancel).text)
    return device_info_of(device.serial, properties, battery.level)


def device_info_of(serial: str, properties: Mapping[str, str], battery: int | None = None) -> DeviceInfo:
    """Return the device information in the properties of a phone, each on one line of plain characters."""

    def of(name: str) -> str:
        return one_line(properties.get(name, ""), _LONGEST)

    sdk = of("ro.build.version.sdk")
    return DeviceInfo(
        serial,
        of("ro.product.model"),
        of("ro.product.manufacturer"),
        of("ro.build.version.release"),
        int(sdk) if sdk.isdecimal() and len(sdk) < 5 else 0,
        of("ro.build.display.id"),
        of("ro.waymark.seed"),
        of("ro.serialno"),
        of("ro.waymark.variation"),
        next((of(name) for name in _LOCALES if of(name)), ""),
        battery,
    )


def read_display(device: Device, cancel: Cancel | None = None) -> Display:
    """Read present size, rotation and density, with the overrides of ``wm``. Raises DeviceError."""
    text = device.shell("wm size; wm density; dumpsys display | grep -m 4 orientation=", cancel=cancel).text
    size, density = parse_wm_size(text).current, parse_wm_density(text).current
    rotation = parse_rotation(text)
    if size is None or rotation is None:
        window = device.shell("dumpsys window displays", cancel=cancel).text
        sizes = parse_display_sizes(window)
        rotation = parse_rotation(window) or 0 if rotation is None else rotation
        if sizes is not None:
            # ``dumpsys window`` gives the size already rotated.
            return Display(sizes[1], rotation, density or DEFAULT_DENSITY)
        size = size or Size(0, 0)
    rotated = size.transposed if rotation % 2 else size
    return Display(rotated, rotation, density or DEFAULT_DENSITY)


# Without ``-a`` a phone leaves out the frames and insets of its windows, so that the keyboard has no place.
_FOREGROUND = (
    "dumpsys window -a | grep -E "
    "'Window #|[^p]fl=|rame=\\[|mGivenContentInsets|touchable region|mCurrentFocus|mFocusedApp'; "
    "dumpsys input_method | grep -m 1 mInputShown="
)
_RESUMED = "dumpsys activity activities | grep -E 'ResumedActivity|mFocusedActivity'"


def read_foreground(device: Device, cancel: Cancel | None = None) -> Foreground:
    """Read what is in front; empty where no command of any Android version tells it. Raises DeviceError."""
    text = device.shell(_FOREGROUND, cancel=cancel).text
    focus = parse_focus(text)
    component = (focus.component if focus else None) or parse_focused_app(text)
    if component is None:
        component = parse_resumed_activity(device.shell(_RESUMED, cancel=cancel).text)
    if component is None:
        top = parse_top_activity(device.shell("dumpsys activity top", cancel=cancel).text)
        component = top[0] if top else ComponentName("", "")
    title = focus.title if focus else ""
    return Foreground(
        component.package,
        component.activity,
        title,
        secure=title in parse_secure_windows(text),
        keyboard=parse_keyboard_frame(text) if parse_input_method(text).shown else None,
    )


def display_name(info: DeviceInfo) -> str:
    """Return the phone's name for a person: ``Pixel 7``, or of a virtual phone ``phone-2 (virtual)``."""
    return _("{name} (virtual)", name=info.serial_number or info.name) if info.is_virtual else info.name


def is_keyboard_shown(device: Device, cancel: Cancel | None = None) -> bool:
    """Ask whether the soft keyboard is open. Raises DeviceError."""
    return parse_input_method(device.shell("dumpsys input_method", cancel=cancel).text).shown


def read_app_version(device: Device, package: str, cancel: Cancel | None = None) -> str:
    """Return the version name of a package; empty when it is not installed. Raises DeviceError."""
    line = f"{join(('dumpsys', 'package', package))} | grep -m 1 versionName="
    match = _VERSION.search(device.shell(line, cancel=cancel).text)
    return one_line(match[1], _LONGEST) if match else ""


def read_app_versions(
    device: Device, packages: Iterable[str], cancel: Cancel | None = None
) -> dict[str, str]:
    """Return package -> version name of those the phone answers for; stop at the first failure."""
    versions = {}
    for package in packages:
        try:
            version = read_app_version(device, package, cancel)
        except DeviceError as error:
            _log.info("the version of %s is not known: %s", package, error)
            break
        if version:
            versions[package] = version
    return versions
