"""The insets of the display: what bars, gestures and the keyboard take from the screen."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.geometry import Rect
from collector.virtual.android_versions import ANDROID_11, ANDROID_12, ANDROID_14
from collector.virtual.shell.commands.dumpsys.window.records import hash_code, truth, window_name
from collector.virtual.shell.commands.dumpsys.window.shown_windows import bar_heights
from collector.virtual.system.phone import Phone

_NONE = Rect(0, 0, 0, 0)
_STATUS, _NAVIGATION = "StatusBar", "NavigationBar0"
_EDGE_DP = 30
"""Width of the strip at each side where a swipe goes back."""


@dataclass(frozen=True, slots=True)
class InsetsSource:
    """A source by its names before and since Android 14, the window it comes from, and its side."""

    old_name: str
    name: str
    number: str
    window: str
    frame: Rect
    side: str
    visible: bool = True


def insets_sources(phone: Phone) -> list[InsetsSource]:
    """What takes room from the screen now."""
    width, height = phone.size.width, phone.size.height
    above, below = bar_heights(phone)
    edge = round(_EDGE_DP * phone.density / 160)
    top, bottom = Rect(0, 0, width, above), Rect(0, height - below, width, height)
    status, bar = f"{hash_code('insets StatusBar')[:4]}", f"{hash_code('insets NavigationBar0')[:4]}"
    method = phone.input_method
    keys = Rect(*method.frame) if method.shown else _NONE
    left, right = Rect(0, 0, edge, height), Rect(width - edge, 0, width, height)
    gestures, mandatory, tappable = "systemGestures", "mandatorySystemGestures", "tappableElement"
    side = "BOTTOM" if method.shown else "NONE"
    return [
        InsetsSource("STATUS_BAR", "statusBars", f"{status}0000", _STATUS, top, "TOP"),
        InsetsSource("NAVIGATION_BAR", "navigationBars", f"{bar}0001", _NAVIGATION, bottom, "BOTTOM"),
        InsetsSource("LEFT_GESTURES", gestures, f"{bar}0004", _NAVIGATION, left, "LEFT"),
        InsetsSource("RIGHT_GESTURES", gestures, f"{bar}0024", _NAVIGATION, right, "RIGHT"),
        InsetsSource("TOP_MANDATORY_GESTURES", mandatory, f"{status}0005", _STATUS, top, "TOP"),
        InsetsSource("BOTTOM_MANDATORY_GESTURES", mandatory, f"{bar}0005", _NAVIGATION, bottom, "BOTTOM"),
        InsetsSource("TOP_TAPPABLE_ELEMENT", tappable, f"{status}0006", _STATUS, top, "TOP"),
        InsetsSource("BOTTOM_TAPPABLE_ELEMENT", tappable, f"{bar}0006", _NAVIGATION, _NONE, "NONE"),
        InsetsSource("IME", "ime", "3", "InputMethod", keys, side, method.shown),
    ]


def insets_lines(phone: Phone) -> list[str]:
    """The part of a dump of the display about insets; since Android 10."""
    size = phone.size
    sources = insets_sources(phone)
    title = phone.focused_window
    control = window_name(title) if title else "null"
    lines = [
        "",
        "  WindowInsetsStateController" if phone.profile.sdk >= ANDROID_11 else "  InsetsStateController",
        "    InsetsState",
        f"      mDisplayFrame=Rect(0, 0 - {size.width}, {size.height})",
        *(f"        {_source(phone, source)}" for source in sources),
    ]
    if phone.profile.sdk < ANDROID_11:
        return lines
    lines += ["    Control map:", f"      {control}:"]
    lines.append("    InsetsSourceProviders:")
    for source in reversed(sources):
        ime = source.name == "ime"
        place = source.frame
        lines += [
            f"      {'Ime' if ime else ''}InsetsSourceProvider",
            f"        mSource={_source(phone, source)}",
            f"        mSourceFrame=Rect({place.left}, {place.top} - {place.right}, {place.bottom})",
            f"        {_holder(phone)}={window_name(source.window)}",
        ]
        if ime:
            lines += [f"        mControlTarget={control}", f"        mImeShowing={truth(source.visible)}"]
    return lines


def _holder(phone: Phone) -> str:
    return "mWindowContainer" if ANDROID_12 <= phone.profile.sdk < ANDROID_14 else "mWin"


def _source(phone: Phone, source: InsetsSource) -> str:
    if phone.profile.sdk < ANDROID_14:
        named = f"type=ITYPE_{source.old_name} frame={source.frame}"
        return f"InsetsSource {named} visible={truth(source.visible)}"
    return (
        f"InsetsSource id={source.number} type={source.name} frame={source.frame} "
        f"visible={truth(source.visible)} flags= sideHint={source.side}"
    )
