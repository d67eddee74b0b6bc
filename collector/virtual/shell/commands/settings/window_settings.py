"""``wm`` besides size, density and rotation: what windows may ask of the display, and what phones refuse."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.android_versions import ANDROID_10, ANDROID_11, ANDROID_12
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.services.service import unknown

_NEVER = 1 << 16
_FIXED = ("disabled", "enabled", "default", "enabled_if_no_auto_rotation")
_IGNORES, _BLUR, _FIX = "wm_ignore_orientation_request", "disable_window_blurs", "wm_fixed_to_user_rotation"
"""Keys of the global settings that keep the values; the first and the last are the phone's own."""


def _value(process: Process, key: str, otherwise: str) -> str:
    return process.machine.phone.settings.get("global", key) or otherwise


def set_ignores(process: Process, words: list[str]) -> int:
    """``set-ignore-orientation-request true|1|false|0``."""
    if words[:1] not in (["true"], ["1"], ["false"], ["0"]):
        given = words[0] if words else ""
        raise CommandError(f"Error: expecting true, 1, false, 0, but we get {given}", 255)
    process.machine.phone.settings.put("global", _IGNORES, "1" if words[0] in ("true", "1") else "0")
    return 0


def get_ignores(process: Process, words: list[str]) -> int:
    """``get-ignore-orientation-request``."""
    del words
    on = "true" if _value(process, _IGNORES, "0") == "1" else "false"
    process.line(f"ignoreOrientationRequest {on} for displayId=0")
    return 0


def fixed_rotation(process: Process, words: list[str]) -> int:
    """``fixed-to-user-rotation disabled|enabled|default``; without a word the state."""
    if not words:
        process.line(_value(process, _FIX, "default"))
        return 0
    if words[0] not in _FIXED:
        raise CommandError(f"Error: expecting enabled, disabled or default, but we got: {words[0]}", 255)
    process.machine.phone.settings.put("global", _FIX, words[0])
    return 0


def blur(process: Process, words: list[str]) -> int:
    """``disable-blur 0|1``; without a word the state."""
    if words:
        if words[0] not in ("true", "1", "false", "0"):
            raise CommandError(f"Error: expected true, 1, false, 0, but got {words[0]}", 255)
        process.machine.phone.settings.put("global", _BLUR, "1" if words[0] in ("true", "1") else "0")
        return 0
    on = "false" if _value(process, _BLUR, "0") == "1" else "true"
    process.line(f"Blur supported on device: true\nBlur enabled: {on}")
    return 0


def reset(process: Process, words: list[str]) -> int:
    """Give the display back its size, density and rotation."""
    del words
    phone = process.machine.phone
    phone.override_size(None)
    phone.override_density(None)
    phone.settings.put("global", _IGNORES, "0")
    phone.settings.put("global", _FIX, "default")
    process.line("Reset all settings for displayId=0")
    return 0


def scaling(process: Process, words: list[str]) -> int:
    """``scaling auto|off``: this display draws at the size that was set in any case."""
    del process
    if words[:1] not in (["auto"], ["off"]):
        raise CommandError("Error: scaling must be 'auto' or 'off'", 255)
    return 0


def overscan(process: Process, words: list[str]) -> int:
    """``overscan reset|LEFT,TOP,RIGHT,BOTTOM``, up to Android 10."""
    del process
    if words[:1] != ["reset"] and (not words or words[0].count(",") != 3):
        raise CommandError(f"Error: bad rectangle arg: {words[0] if words else ''}", 255)
    return 0


def tracing(process: Process, words: list[str]) -> int:
    """A phone that people can buy records no windows."""
    del process, words
    raise CommandError("Error: Tracing is not supported on user builds.", 255)


_Run = Callable[[Process, list[str]], int]
_COMMANDS: dict[str, tuple[int, int, _Run]] = {
    "set-ignore-orientation-request": (ANDROID_12, _NEVER, set_ignores),
    "get-ignore-orientation-request": (ANDROID_12, _NEVER, get_ignores),
    "fixed-to-user-rotation": (ANDROID_11, _NEVER, fixed_rotation),
    "set-fix-to-user-rotation": (ANDROID_10, ANDROID_10, fixed_rotation),
    "disable-blur": (ANDROID_12, _NEVER, blur),
    "reset": (ANDROID_12, _NEVER, reset),
    "scaling": (0, _NEVER, scaling),
    "overscan": (0, ANDROID_10, overscan),
    "tracing": (ANDROID_10, _NEVER, tracing),
}
"""By name: the first and the last SDK that have it."""


def window_setting(process: Process, name: str, words: list[str]) -> int:
    """Run one of these commands, or say that this Android version has none of this name."""
    first, last, run = _COMMANDS.get(name, (_NEVER, 0, None))
    if run is None or not first <= process.machine.phone.profile.sdk <= last:
        return unknown(process, name)
    return run(process, words)
