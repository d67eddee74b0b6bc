"""Quirks of makers that show while a phone is checked: a detector each, beside the step that it belongs to.

A detector reads what the phone printed in the steps, or sends a command that changes nothing: what it names
does not exist, or is set to what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from collector.adb.getevent import parse_devices
from collector.adb.properties import parse_getprop, parse_wm_size
from collector.device.device_info import read_foreground
from collector.device.video.screencap_source import take_screenshot
from collector.device_check.step import CheckStepRun

_NOBODY = "waymark.no.such.app"
"""A package that no phone has: a phone that permits a command says that it is unknown."""
_SLOW_MS = 1500
_X, _Y = 0x35, 0x36
_TOOLS = ("md5sum", "sha1sum", "timeout", "xxd")
"""Programs that every phone has since Android 6."""
_DUMP_FILE = "/data/local/tmp/waymark-check.xml"
_DUMP = f"uiautomator dump {_DUMP_FILE} 2>&1"
_DISPLAY = re.compile(r"^Display \d+ \(HWC display", re.MULTILINE)
_LOGICAL = re.compile(r"^ +Display (\d+):\n(?: +m\w+=.*\n){0,3} +mHasContent=true$", re.MULTILINE)
_OP = "VIBRATE"

Detector = Callable[[CheckStepRun], bool]


def quirks_at(step: str, run: CheckStepRun) -> Iterable[str]:
    """Ids of the quirks that a step showed, after it ended. Raises DeviceError."""
    return [quirk for quirk, (belongs, detects) in DETECTORS.items() if belongs == step and detects(run)]


def _said(run: CheckStepRun, command: str) -> str:
    """All that a command prints."""
    result = run.device.shell(command)
    return result.text + result.error_text


def _says(command: str, words: str) -> Detector:
    """Detects a phone that answers a command with these words."""
    return lambda run: words in _said(run, command)


def _property(run: CheckStepRun, name: str) -> str:
    return parse_getprop(run.observed.get("getprop", "")).get(name, "")


def _is_device(run: CheckStepRun, kind: str) -> bool:
    return kind in _property(run, "ro.build.characteristics").split(",")


# -- pictures and video ----------------------------------------------------------
def _takes_seconds(run: CheckStepRun) -> bool:
    taken = run.observed.get("screencap.ms", "")
    return taken.isdecimal() and int(taken) >= _SLOW_MS


def _shows_dark_display(run: CheckStepRun) -> bool:
    """Asked where the step found that screenshots do not work."""
    if not any(ability.id == "pictures.screencap" and not ability.works for ability in run.abilities):
        return False
    frame = take_screenshot(run.device, run.cancel)
    return frame.looks_black and not read_foreground(run.device, run.cancel).secure


def _begins_with_warning(run: CheckStepRun) -> bool:
    return run.device.exec_out("screencap -p | head -c 9", cancel=run.cancel) == b"[Warning]"


def _lacks_program(name: str) -> Detector:
    return lambda run: not run.device.shell(["command", "-v", name]).text.strip()


def _server_says(words: str) -> Detector:
    """Detects a phone on which scrcpy's server said so in the steps until now."""
    return lambda run: any(words in text for name, text in run.observed.items() if "scrcpy" in name)


# -- trees -------------------------------------------------------------------------
def _gave_up(words: str) -> Detector:
    """Detects a phone on which the dumps of the step failed with these words."""
    return lambda run: words in run.observed.get("uiautomator.error", "")


def _dumps_say(words: str) -> Detector:
    """Detects a phone that says so in one of two dumps; they are made once, and only where dumps work."""

    def detects(run: CheckStepRun) -> bool:
        if "uiautomator.error" in run.observed:
            return False
        if "dumps" not in run.observed:
            line = f"{_DUMP}; {_DUMP}; rm -f {_DUMP_FILE}"
            run.observe("dumps", run.device.shell(line, timeout=25.0, cancel=run.cancel).text)
        return words in run.observed["dumps"]

    return detects


# -- screen ------------------------------------------------------------------------
def _is_lowered(run: CheckStepRun) -> bool:
    size = parse_wm_size(_said(run, "wm size"))
    return size.physical is not None and size.override not in (None, size.physical)


def _is_wide_upright(run: CheckStepRun) -> bool:
    size = parse_wm_size(_said(run, "wm size")).physical
    return size is not None and size.width > size.height and not _is_device(run, "tv")


def _has_several_displays(run: CheckStepRun) -> bool:
    return len(_DISPLAY.findall(_said(run, "dumpsys SurfaceFlinger --display-id"))) > 1


def _has_desktop(run: CheckStepRun) -> bool:
    return any(number != "0" for number in _LOGICAL.findall(_said(run, "dumpsys display")))


def _has_several_focuses(run: CheckStepRun) -> bool:
    lines = _said(run, "dumpsys window displays | grep mCurrentFocus=").splitlines()
    return len(lines) > 1 and any(line.strip().endswith("=null") for line in lines)


# -- touches -------------------------------------------------------------------------
def _counts_otherwise(run: CheckStepRun) -> bool:
    screens = [each for each in parse_devices(run.observed.get("getevent", "")) if each.is_touchscreen]
    if not screens:
        return False
    size = run.display.size.transposed if run.display.rotation % 2 else run.display.size
    (_least, across), (_lowest, down) = (screens[0].axes[axis] for axis in (_X, _Y))
    # Drivers name the number of pixels, or the last of them.
    return not (0 <= size.width - across <= 1 and 0 <= size.height - down <= 1)


def _has_no_touchscreen(run: CheckStepRun) -> bool:
    devices = parse_devices(run.observed.get("getevent", ""))
    return _is_device(run, "tv") and not any(device.is_touchscreen for device in devices)


# -- what the shell may do --------------------------------------------------------------
def _op_is_refused(run: CheckStepRun) -> bool:
    """Set an operation of the shell's own app to what it is by default, where nobody set it."""
    if "No operations" not in _said(run, f"appops get com.android.shell {_OP}"):
        return False
    return "MANAGE_APP_OPS_MODES" in _said(run, f"appops set com.android.shell {_OP} allow")


def _lacks_tools(run: CheckStepRun) -> bool:
    found = _said(run, f"for tool in {' '.join(_TOOLS)}; do command -v $tool; done").split()
    return len(found) < len(_TOOLS) and run.info.sdk >= 23


DETECTORS: dict[str, tuple[str, Detector]] = {
    "resolution-override": ("connection", _is_lowered),
    "landscape-natural": ("connection", _is_wide_upright),
    "several-displays": ("connection", _has_several_displays),
    "desktop-display": ("connection", _has_desktop),
    "several-focus-lines": ("connection", _has_several_focuses),
    "low-memory": ("connection", lambda run: _property(run, "ro.config.low_ram") == "true"),
    "installs-refused": (
        "connection", lambda run: _property(run, "persist.security.adbinstall") == "0",
    ),
    "tools-missing": ("storage", _lacks_tools),
    "log-disabled": ("storage", _says("logcat -d -t 1", "Unable to open log device")),
    "other-users-refused": (
        "storage", _says("pm list packages com.android.shell", "does not have permission to access user"),
    ),
    "run-as-refused": ("storage", _says(f"run-as {_NOBODY} id", "Could not set capabilities")),
    "slow-screenshots": ("pictures", _takes_seconds),
    "black-screenshots": ("pictures", _shows_dark_display),
    "screenshot-warning": ("pictures", _begins_with_warning),
    "no-screenrecord": ("video", _lacks_program("screenrecord")),
    "encoder-limit": ("video", _server_says("Retrying with -m")),
    "no-encoder": ("video", _server_says("Failed to initialize video/avc")),
    "never-idle": ("trees", _gave_up("could not get idle state")),
    "automation-taken": ("trees", _gave_up("Killed")),
    "empty-dumps": ("trees", _dumps_say("null root node")),
    "noisy-dumps": ("trees", _dumps_say("theme_compatibility.xml")),
    "input-refused": ("input", _says("input keyevent 0", "INJECT_EVENTS")),
    "clipboard-refused": ("text", _server_says("IClipboard")),
    "touch-units-differ": ("touches", _counts_otherwise),
    "touches-unreadable": ("touches", _says("getevent -p", "Permission denied")),
    "no-touchscreen": ("touches", _has_no_touchscreen),
    "settings-refused": (
        "storage", _says("settings delete global waymark_no_such_setting", "WRITE_SECURE_SETTINGS"),
    ),
    "keyboards-refused": ("storage", _says("ime list -s", "WRITE_SECURE_SETTINGS")),
    "grants-refused": (
        "storage",
        _says(f"pm grant {_NOBODY} android.permission.CAMERA", "GRANT_RUNTIME_PERMISSIONS"),
    ),
    "clear-refused": ("storage", _says(f"pm clear {_NOBODY}", "CLEAR_APP_USER_DATA")),
    "app-ops-refused": ("storage", _op_is_refused),
}  # fmt: skip
"""The step after which each quirk is looked for, and how."""
