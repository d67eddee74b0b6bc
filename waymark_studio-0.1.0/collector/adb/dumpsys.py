"""Parse ``dumpsys`` of window, activity, display, battery and input_method, Android 4 to 16.

Parsers accept any text, return what they recognize and never raise. The text may be hostile: repetitions have
limits where another part of the pattern could take the same characters, and numbers have few digits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from collector.adb.properties import display_size
from collector.model.geometry import Rect, Size

_FOCUS = re.compile(r"m(CurrentFocus|FocusedApp)=(.*)")
_RESUMED = re.compile(r"\b(topResumedActivity|mResumedActivity|ResumedActivity|mFocusedActivity)[:=]\s*(.*)")
_COMPONENT = re.compile(r"(?:^|[\s{])([A-Za-z][\w.]{0,255})/([\w.$]{1,255})")
_WINDOW_TITLE = re.compile(
    r"Window\{\w+ (?:u\d+ )?(?:paused=\w+ )?([^}\n]{1,300}?)(?: paused=\w+| EXITING){0,9}\}"
)
"""Titles may contain spaces: ``Application Error: com.example``."""
_TOP_ACTIVITY = re.compile(
    r"^[ \t]*ACTIVITY ([^\s/]{1,255})/(\S{1,255}) \w{1,40} pid=(\d{1,9}|\(not running\))", re.MULTILINE
)
_ORIENTATION = re.compile(r"DisplayViewport\{[^}]{0,400}?orientation=(\d)")
_ROTATION = re.compile(r"\bm?(?:Current)?Rotation=(?:ROTATION_)?(\d{1,9})", re.IGNORECASE)
_SIZE_NOW = re.compile(r"\bcur=(\d{1,5})x(\d{1,5})\b")
_SIZE_FIRST = re.compile(r"\binit=(\d{1,5})x(\d{1,5})\b")
_FIELD = re.compile(r"^[ \t]*([A-Za-z][A-Za-z ]{0,80}):[ \t]*([^\r\n]*)", re.MULTILINE)
_SHOWN = re.compile(r"\bmInputShown=(true|false)")
_METHOD = re.compile(r"\bmCurMethodId=(\S+)")
_WINDOW_HEAD = re.compile(r"^[ \t]*Window #\d+ ", re.MULTILINE)
_FLAGS = re.compile(r"\bfl=(#[0-9a-fA-F]+|[A-Z0-9_ |]+)")
_FLAG_SECURE = 0x2000
_N = r"-?\d{1,9}"
_INSETS = re.compile(r"mGivenContentInsets=\[(\d{1,9}),(\d{1,9})\]\[(\d{1,9}),(\d{1,9})\]")
_TOUCHABLE = re.compile(rf"touchable region=SkRegion\(((?:\({_N},{_N},{_N},{_N}\)){{1,500}})\)")
_CORNERS = re.compile(rf"\(({_N}),({_N}),({_N}),({_N})\)")
_FRAME = re.compile(rf"\bm?[fF]rame=\[({_N}),({_N})\]\[({_N}),({_N})\]")


@dataclass(frozen=True, slots=True)
class ComponentName:
    """A package and the full name of an activity in it."""

    package: str
    activity: str

    def __str__(self) -> str:
        return f"{self.package}/{self.activity}"

    @classmethod
    def of(cls, package: str, activity: str) -> ComponentName:
        """Expand the activity: ``.Main`` of ``org.shop`` is ``org.shop.Main``."""
        return cls(package, package + activity if activity.startswith(".") else activity)


@dataclass(frozen=True, slots=True)
class WindowFocus:
    """The focused window: its title, and its component if it is an activity."""

    title: str
    component: ComponentName | None


def parse_focus(text: str) -> WindowFocus | None:
    """Return the focused window from ``dumpsys window``; None when nothing is focused.

    Phones with several displays print a line for each; the last one that names a component
    wins, then the focused app, then a window without a component (a shade, a dialog).
    """
    windows: list[WindowFocus] = []
    apps: list[WindowFocus] = []
    for match in _FOCUS.finditer(text):
        component = _component(match[2])
        title = _WINDOW_TITLE.search(match[2])
        if match[1] == "CurrentFocus" and title:
            windows.append(WindowFocus(title[1], component))
        elif match[1] == "FocusedApp" and component:
            apps.append(WindowFocus(str(component), component))
    named = [window for window in windows if window.component]
    for candidates in (named, windows, apps):
        if candidates:
            return candidates[-1]
    return None


def parse_focused_app(text: str) -> ComponentName | None:
    """Return the focused app, behind any focused window, from ``dumpsys window``."""
    apps = [_component(match[2]) for match in _FOCUS.finditer(text) if match[1] == "FocusedApp"]
    return next((app for app in reversed(apps) if app), None)


def parse_resumed_activity(text: str) -> ComponentName | None:
    """Return the resumed activity from ``dumpsys activity activities`` of any Android version."""
    components: dict[str, ComponentName] = {}
    for match in _RESUMED.finditer(text):
        component = _component(match[2])
        if component:
            components.setdefault(match[1], component)
    order = ("topResumedActivity", "mResumedActivity", "ResumedActivity", "mFocusedActivity")
    return next((components[name] for name in order if name in components), None)


def parse_top_activity(text: str) -> tuple[ComponentName, int | None] | None:
    """Return the last activity of ``dumpsys activity top``, which is on top, and its process id."""
    matches = _TOP_ACTIVITY.findall(text)
    if not matches:
        return None
    package, activity, pid = matches[-1]
    return ComponentName.of(package, activity), int(pid) if pid.isdigit() else None


def _component(text: str) -> ComponentName | None:
    match = _COMPONENT.search(text)
    return ComponentName.of(match[1], match[2]) if match else None


def parse_rotation(text: str) -> int | None:
    """Return quarter turns (0 to 3) from ``dumpsys display``, ``window`` or ``input``; None if absent."""
    match = _ORIENTATION.search(text)
    if match:
        return int(match[1])
    match = _ROTATION.search(text)
    if not match:
        return None
    value = int(match[1])
    turns = value // 90 if value % 90 == 0 else value
    return turns if turns <= 3 else None


def parse_display_sizes(text: str) -> tuple[Size, Size] | None:
    """Return natural and present size of the first display of ``dumpsys window displays``."""
    first, now = _SIZE_FIRST.search(text), _SIZE_NOW.search(text)
    if not first or not now:
        return None
    sizes = display_size(first[1], first[2]), display_size(now[1], now[2])
    return (sizes[0], sizes[1]) if sizes[0] is not None and sizes[1] is not None else None


@dataclass(frozen=True, slots=True)
class BatteryStatus:
    """The state of the battery; temperature in tenths of a degree Celsius."""

    level: int | None = None
    plugged: bool = False
    status: int | None = None
    temperature: int | None = None
    frozen: bool = False


def parse_battery(text: str) -> BatteryStatus:
    """Parse ``dumpsys battery``; ``frozen`` means that values were set by hand and not reset."""
    fields = {name.strip().lower(): value.strip() for name, value in _FIELD.findall(text)}
    plugged = any(value == "true" for name, value in fields.items() if name.endswith("powered"))
    level = _integer(fields.get("level"))
    return BatteryStatus(
        level if level is not None and 0 <= level <= 100 else None,
        plugged,
        _integer(fields.get("status")),
        _integer(fields.get("temperature")),
        "UPDATES STOPPED" in text,
    )


def _integer(text: str | None) -> int | None:
    return int(text) if text and re.fullmatch(r"-?\d{1,9}", text) else None


@dataclass(frozen=True, slots=True)
class InputMethodState:
    """Whether a soft keyboard is on screen, and which."""

    shown: bool = False
    method: str = ""


def parse_input_method(text: str) -> InputMethodState:
    """Parse ``dumpsys input_method``."""
    shown, method = _SHOWN.search(text), _METHOD.search(text)
    return InputMethodState(bool(shown and shown[1] == "true"), method[1] if method else "")


def parse_keyboard_frame(text: str) -> Rect | None:
    """Return the frame of the soft keyboard from ``dumpsys window windows``; None if it has no area.

    Its window may cover the whole screen and be transparent above the keys: the touchable region, or else
    the insets, tell where the keys begin.
    """
    for section in _WINDOW_HEAD.split(text)[1:]:
        if "InputMethod}" not in section.partition("\n")[0]:
            continue
        match = _FRAME.search(section)
        frame = Rect(*map(int, match.groups())) if match else None
        return _within(frame, section) if frame and not frame.is_empty else None
    return None


def _within(frame: Rect, section: str) -> Rect | None:
    touchable, insets = _TOUCHABLE.search(section), _INSETS.search(section)
    if touchable:
        left, top, right, bottom = zip(
            *(map(int, corners) for corners in _CORNERS.findall(touchable[1])), strict=True
        )
        return frame.intersection(Rect(min(left), min(top), max(right), max(bottom)))
    if insets and any(int(group) for group in insets.groups()):
        before, above, behind, below = map(int, insets.groups())
        inner = Rect(frame.left + before, frame.top + above, frame.right - behind, frame.bottom - below)
        return inner if not inner.is_empty else None
    return frame


def parse_secure_windows(text: str) -> frozenset[str]:
    """Return the titles of protected windows (FLAG_SECURE) from ``dumpsys window windows``."""
    titles = set()
    for section in _WINDOW_HEAD.split(text)[1:]:
        title, flags = _WINDOW_TITLE.search(section), _FLAGS.search(section)
        if title and flags and _is_secure(flags[1]):
            titles.add(title[1])
    return frozenset(titles)


def _is_secure(flags: str) -> bool:
    """Read the flag by name on newer releases and as a number on older ones."""
    if flags.startswith("#"):
        return bool(int(flags[1:], 16) & _FLAG_SECURE)
    return "SECURE" in re.split(r"[ |]+", flags)
