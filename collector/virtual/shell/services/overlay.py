"""``cmd overlay``: the overlays that choose the navigation of the phone."""

from __future__ import annotations

from collector.virtual.android_versions import ANDROID_8
from collector.virtual.shell.process import Process
from collector.virtual.shell.services.service import FAILED, Service, without_user

_MODES = {
    "com.android.internal.systemui.navbar.gestural": "2",
    "com.android.internal.systemui.navbar.threebutton": "0",
    "com.android.internal.systemui.navbar.twobutton": "1",
}
"""Overlays with the value of ``navigation_mode`` that each stands for."""
overlay = Service(
    "overlay",
    "Overlay manager (overlay) commands:\n  help\n    Print this help text.\n"
    "  list [--verbose] [--user USER_ID] [PACKAGE[:NAME]]\n"
    "    Print information about target and overlay packages.\n"
    "  enable [--user USER_ID] PACKAGE[:NAME]\n"
    "    Enable overlay within or owned by PACKAGE with optional unique NAME.\n"
    "  disable [--user USER_ID] PACKAGE[:NAME]\n"
    "    Disable overlay within or owned by PACKAGE with optional unique NAME.\n"
    "  enable-exclusive [--user USER_ID] [--category] PACKAGE\n"
    "    Enable overlay within or owned by PACKAGE and disable all other overlays\n"
    "    for its target package.\n",
    shell=ANDROID_8,
)


@overlay.command("list")
def _list(process: Process, words: list[str]) -> int:
    """``[x]`` stands before what is enabled."""
    wanted = [word for word in without_user(words) if not word.startswith("-")]
    mode = process.machine.phone.settings.get("secure", "navigation_mode")
    if wanted and wanted[0] not in ("android", *_MODES):
        return 0
    if wanted[:1] in ([], ["android"]):
        process.line("android")
    for name, value in _MODES.items():
        if wanted[:1] in ([], ["android"], [name]):
            process.line(f"[{'x' if value == mode else ' '}] {name}")
    if not wanted:
        process.line()
    return 0


def _enable(process: Process, words: list[str]) -> int:
    names = [word for word in without_user(words) if not word.startswith("-")]
    if not names:
        process.err("Error: expected package name")
        return FAILED
    if names[0] not in _MODES:
        process.err(f"Error: failed to enable overlay {names[0]}")
        return FAILED
    process.machine.phone.settings.put("secure", "navigation_mode", _MODES[names[0]])
    return 0


overlay.command("enable")(_enable)
overlay.command("enable-exclusive")(_enable)


@overlay.command("disable")
def _disable(process: Process, words: list[str]) -> int:
    """Disable an overlay: without one the phone has three buttons."""
    names = [word for word in without_user(words) if not word.startswith("-")]
    if not names or names[0] not in _MODES:
        process.err(f"Error: failed to disable overlay {names[0] if names else ''}".rstrip())
        return FAILED
    settings = process.machine.phone.settings
    if settings.get("secure", "navigation_mode") == _MODES[names[0]]:
        settings.put("secure", "navigation_mode", "0")
    return 0
