"""What a phone says of itself: model, Android, screen, battery, what is in front."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from collector.adb.dumpsys import (
    parse_battery,
    parse_display_sizes,
    parse_focus,
    parse_focused_app,
    parse_resumed_activity,
    parse_rotation,
)
from collector.adb.properties import parse_getprop, parse_wm_density, parse_wm_size
from collector.device.protocols import Cancel, Device
from collector.model.geometry import Size

DEFAULT_DENSITY = 420


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """What does not change while a phone runs, its battery at the time of asking apart."""

    serial: str
    model: str = ""
    manufacturer: str = ""
    android: str = ""
    sdk: int = 0
    build: str = ""
    seed: str = ""
    """Of a virtual phone; empty for hardware."""
    battery: int | None = None

    @property
    def is_virtual(self) -> bool:
        return bool(self.seed)

    @property
    def name(self) -> str:
        return self.model or self.serial

    def as_dict(self) -> dict[str, object]:
        """For a trajectory's header."""
        known = {
            "serial": self.serial,
            "model": self.model,
            "manufacturer": self.manufacturer,
            "android": self.android,
            "sdk": self.sdk,
            "build": self.build,
            "virtual": self.is_virtual,
        }
        return {key: value for key, value in known.items() if value not in ("", 0)}


@dataclass(frozen=True, slots=True)
class Display:
    """The screen as it is turned now, in the pixels of trees and actions."""

    size: Size
    rotation: int = 0
    density: int = DEFAULT_DENSITY


def read_facts(device: Device, cancel: Cancel | None = None) -> DeviceFacts:
    """Ask once, when a phone appears."""
    properties = parse_getprop(device.shell("getprop", cancel=cancel).text)
    battery = parse_battery(device.shell("dumpsys battery", cancel=cancel).text)
    return facts_of(device.serial, properties, battery.level)


def facts_of(serial: str, properties: Mapping[str, str], battery: int | None = None) -> DeviceFacts:
    """The facts in a phone's properties."""
    sdk = properties.get("ro.build.version.sdk", "")
    return DeviceFacts(
        serial,
        properties.get("ro.product.model", ""),
        properties.get("ro.product.manufacturer", ""),
        properties.get("ro.build.version.release", ""),
        int(sdk) if sdk.isdigit() else 0,
        properties.get("ro.build.display.id", ""),
        properties.get("ro.waymark.seed", ""),
        battery,
    )


def read_display(device: Device, cancel: Cancel | None = None) -> Display:
    """Size and rotation now, whatever ``wm`` was told."""
    text = device.shell("wm size; wm density; dumpsys display | grep -m 4 orientation=", cancel=cancel).text
    size, density = parse_wm_size(text).current, parse_wm_density(text).current
    rotation = parse_rotation(text)
    if size is None or rotation is None:
        window = device.shell("dumpsys window displays", cancel=cancel).text
        sizes = parse_display_sizes(window)
        rotation = parse_rotation(window) or 0 if rotation is None else rotation
        if sizes is not None:
            # What window says is turned already.
            return Display(sizes[1], rotation, density or DEFAULT_DENSITY)
        size = size or Size(0, 0)
    turned = size.transposed if rotation % 2 else size
    return Display(turned, rotation, density or DEFAULT_DENSITY)


@dataclass(frozen=True, slots=True)
class Foreground:
    """What is in front. ``title`` is the focused window's, which may be a dialog of another app."""

    package: str = ""
    activity: str = ""
    title: str = ""
    secure: bool = False


_FOREGROUND = "dumpsys window | grep -E 'mCurrentFocus|mFocusedApp|SECURE'"
_RESUMED = "dumpsys activity activities | grep -E 'ResumedActivity|mFocusedActivity'"


def read_foreground(device: Device, cancel: Cancel | None = None) -> Foreground:
    """Package and activity in front; empty where no version of Android's ways tells it."""
    text = device.shell(_FOREGROUND, cancel=cancel).text
    focus = parse_focus(text)
    component = (focus.component if focus else None) or parse_focused_app(text)
    if component is None:
        component = parse_resumed_activity(device.shell(_RESUMED, cancel=cancel).text)
    title = focus.title if focus else ""
    secure = "SECURE" in text
    if component is None:
        return Foreground(title=title, secure=secure)
    return Foreground(component.package, component.activity, title, secure)
