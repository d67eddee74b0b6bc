"""What the phone says of its packages, its keyboard and its hardware input."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from collector.model.geometry import Point
from collector.model.phone.touch import TouchAction
from collector.virtual.ui.effects import Component

SET_UP_AT = dt.datetime(2026, 11, 1, 9, 0)
"""When the apps of a new phone were installed."""


@dataclass(frozen=True, slots=True)
class PackageInfo:
    """The package manager's data about an app."""

    name: str
    package: str
    label: str
    version: str
    version_code: int
    uid: int
    launcher: Component | None
    activities: tuple[Component, ...]
    permissions: tuple[str, ...]
    """The permissions that the app requests."""
    granted: frozenset[str]
    system: bool
    is_home: bool = False
    """Whether it is the home screen, which has no icon on itself."""
    apk: str = ""
    """Path of its file."""
    installer: str = ""
    """The package that installed it; empty for what came with the phone or with adb."""
    sdks: tuple[int, int] = (24, 24)
    """The lowest SDK that it runs on, and that which it is made for."""
    installed_at: dt.datetime = SET_UP_AT
    updated_at: dt.datetime = SET_UP_AT


@dataclass(frozen=True, slots=True)
class ResolvedActivity:
    """An activity that answers an intent, as the package manager describes it."""

    package: PackageInfo
    component: Component
    exported: bool
    single_top: bool
    by_data: bool
    """Whether the scheme of the intent's URI selected it."""


@dataclass(frozen=True, slots=True)
class InputMethod:
    """The on-screen keyboard: whether it is visible, its bounds, and the id of the focused field."""

    shown: bool
    target: str
    frame: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class PanelTouch:
    """A touch on the panel, as its driver reports it; ``point`` is in the screen rotated by ``rotation``."""

    action: TouchAction
    pointer: int
    point: Point
    rotation: int
    uptime_ns: int


@dataclass(frozen=True, slots=True)
class HardwareKey:
    """A press of a hardware key, as its driver reports it; ``code`` is Android's key code."""

    code: int
    down: bool
    uptime_ns: int
