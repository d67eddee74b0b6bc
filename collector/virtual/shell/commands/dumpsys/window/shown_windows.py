"""The windows of the window manager: those that are shown, and those that wait behind them."""

from __future__ import annotations

from dataclasses import dataclass

from collector.model.geometry import Rect
from collector.virtual.android_versions import ANDROID_11
from collector.virtual.shell.commands.dumpsys.window.records import SYSTEM_UI
from collector.virtual.system.phone import Phone
from collector.virtual.system.phone_state.activities import ActivityRecord
from collector.virtual.system.windows.input_methods import method_in_use

BARS_DP = (28, 24)
"""Height in dp of the status bar, and of the strip that the gesture bar stands in."""
_TITLES = {"keyboard": "InputMethod"}


@dataclass(frozen=True, slots=True)
class WindowRow:
    """A window; ``frame`` in px of the rotated screen."""

    title: str
    kind: str
    package: str
    frame: Rect
    visible: bool = True
    task: int = 0
    """Of an activity's windows, the id of their task."""
    record: ActivityRecord | None = None
    keys: Rect | None = None
    """Of the keyboard's window, the part that takes touches."""


def bar_heights(phone: Phone) -> tuple[int, int]:
    """Height in px of the status bar and of the navigation bar."""
    above, below = (round(height * phone.density / 160) for height in BARS_DP)
    return above, below


def window_rows(phone: Phone) -> list[WindowRow]:
    """Every window, the front one first, as Android orders them."""
    size, sdk = phone.size, phone.profile.sdk
    _above, below = bar_heights(phone)
    screen = Rect(0, 0, size.width, size.height)
    owners, waiting = _of_tasks(phone)
    bars: list[WindowRow] = []
    keyboard: list[WindowRow] = []
    apps: list[WindowRow] = []
    shown = phone.windows()
    for title, kind, package, frame in shown:
        if kind == "keyboard":
            keyboard.append(_keyboard(phone, Rect(*frame), visible=True))
            continue
        task, record = owners.get(title, (0, None))
        row = WindowRow(_TITLES.get(kind, title), kind, package, Rect(*frame), True, task, record)
        (bars if kind in ("status_bar", "toast", "heads_up", "shade") else apps).append(row)
    titles = {title for title, *_rest in shown}
    navigation = Rect(0, size.height - below, size.width, size.height)
    rows = [WindowRow("NavigationBar0", "navigation", SYSTEM_UI, navigation)]
    if sdk >= ANDROID_11 and "NotificationShade" not in titles:
        rows.append(WindowRow("NotificationShade", "shade", SYSTEM_UI, screen, visible=False))
    rows += bars
    rows += keyboard or [
        _keyboard(phone, Rect(0, size.height * 3 // 5, size.width, size.height), visible=False)
    ]
    rows += apps
    rows += [row for row in waiting if row.title not in titles]
    home_in_front = any(row.record is not None and row.record.activity.home for row in apps)
    wallpaper = "com.android.systemui.wallpapers.ImageWallpaper"
    rows.append(WindowRow(wallpaper, "wallpaper", SYSTEM_UI, screen, visible=home_in_front))
    return rows


def _of_tasks(phone: Phone) -> tuple[dict[str, tuple[int, ActivityRecord]], list[WindowRow]]:
    """Task and activity by title of a window, and the windows of activities that cannot be seen."""
    screen = Rect(0, 0, phone.size.width, phone.size.height)
    owners: dict[str, tuple[int, ActivityRecord]] = {}
    waiting = []
    for task in phone.services.tasks.tasks():
        for record in task.records:
            title = str(record.component)
            if title not in owners:
                owners[title] = task.number, record
                package = record.component.package
                waiting.append(WindowRow(title, "activity", package, screen, False, task.number, record))
    return owners, waiting


def _keyboard(phone: Phone, keys: Rect, *, visible: bool) -> WindowRow:
    """The window of the keyboard: below the status bar, with touches on its keys alone."""
    above, _below = bar_heights(phone)
    frame = Rect(0, above, phone.size.width, phone.size.height)
    method = method_in_use(phone.services.input_methods.current, set(phone.services.packages.uids))
    return WindowRow("InputMethod", "keyboard", method.package, frame, visible, keys=keys)
