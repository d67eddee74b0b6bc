"""``screencap``, ``uiautomator`` and ``wm``: the content and the size of the screen."""

from __future__ import annotations

import re
import struct
import zlib

import numpy as np

from collector.model.geometry import Size
from collector.virtual.android_versions import ANDROID_11
from collector.virtual.shell.commands.packages.main_classes import run_killable
from collector.virtual.shell.commands.settings.window_settings import window_setting
from collector.virtual.shell.options import read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.process_table import KILLED
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import FAILED, unknown

_RGBA_8888 = 1
_SRGB = 1
_RGBA, _UP = 6, 2
"""The kind of pixels of a PNG, and the filter of its rows."""
_DEFAULT_DUMP = "/sdcard/window_dump.xml"
_IDLE_MS = 1000
_IDLE_LIMIT_SECONDS = 10.0
_CAPTURE_SECONDS = 0.25
_START_SECONDS = 0.8
_SLOW_CAPTURE_SECONDS = 1.6
"""How long a screenshot takes on a phone that packs it slowly."""
_STALL_POLL_S = 0.2
_SEVERAL_DISPLAYS = """[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first display found, however this default is not guaranteed to be consistent across captures. A display id should be specified.
A display ID can be specified with the [-d display-id] option.
See "dumpsys SurfaceFlinger --display-id" for valid display IDs.
"""  # noqa: E501 - to the letter
_NO_THEME = """java.io.FileNotFoundException: /data/system/theme_config/theme_compatibility.xml: open failed: ENOENT (No such file or directory)
\tat libcore.io.IoBridge.open(IoBridge.java:492)
\tat miui.content.res.ThemeCompatibilityLoader.getVersion(Unknown Source:11)"""  # noqa: E501 - to the letter
_NO_ROOT = "ERROR: null root node returned by UiTestAutomationBridge."
_TAKEN = "java.lang.IllegalStateException: UiAutomationService already registered!"
_OUTPUTS = frozenset({"/dev/tty", "/dev/stdout", "/proc/self/fd/1"})


_SCREENCAP_USAGE = """usage: screencap [-ahp] [-d display-id] [FILENAME]
   -h: this message
   -a: captures all the active displays. This appends an integer postfix to the FILENAME.
       e.g., FILENAME_0.png, FILENAME_1.png. If both -a and -d are given, it ignores -d.
   -d: specify the display ID to capture
       see "dumpsys SurfaceFlinger --display-id" for valid display IDs.
   -p: outputs in png format.

If FILENAME ends with .png it will be saved as a png.
If FILENAME is not given, the results will be printed to stdout."""


@command("screencap")
def screencap(process: Process) -> int:
    """Print the screenshot: PNG with ``-p`` or to a ``.png`` file, else raw pixels after a header of
    four words."""
    options = read_options("screencap", process.arguments, "hpa", "d")
    if "h" in options:
        raise CommandError(_SCREENCAP_USAGE)
    process.simulate_duration(_CAPTURE_SECONDS)
    quirks = process.machine.phone.profile.quirks
    if "slow-screenshots" in quirks:
        process.sleep(_SLOW_CAPTURE_SECONDS)
    while "stalled-screencap" in process.machine.faults:
        process.sleep(_STALL_POLL_S)
    name = options.operands[0] if options.operands else ""
    data = _picture(process, png="p" in options or name.endswith(".png"))
    if "screenshot-warning" in quirks and not options.get("d"):
        process.out(_SEVERAL_DISPLAYS)
    if not name or name in _OUTPUTS:
        process.stdout.write(data)
        return 0
    try:
        process.machine.files.write(process.path(name), data)
    except OSError as error:
        raise CommandError(f"Error opening file: {name} ({error.strerror})") from None
    return 0


def _picture(process: Process, *, png: bool) -> bytes:
    """The screenshot after the faults: possibly truncated, dark, or another size than it says."""
    faults = process.machine.faults
    picture = process.machine.phone.capture()
    size, rgba = picture.size, picture.rgba.tobytes()
    if "black-screencap" in faults:
        rgba = b"\0\0\0\xff" * (len(rgba) // 4)
    side = faults.value("huge-screencap", "side")
    claimed = Size(side, side) if side else size
    header = struct.pack("<4I", claimed.width, claimed.height, _RGBA_8888, _SRGB)
    data = _png(size, rgba, claimed) if png else header + rgba
    if "truncated-screencap" in faults:
        return data[: len(data) * faults.value("truncated-screencap", "percent") // 100]
    return data


def _png(size: Size, rgba: bytes, claimed: Size) -> bytes:
    """A PNG file whose header says ``claimed``.

    Rows are written as differences to the row above, which costs a third of Pillow's time.
    """
    rows = np.frombuffer(rgba, np.uint8).reshape(size.height, size.width * 4)
    filtered = np.empty((size.height, 1 + rows.shape[1]), np.uint8)
    filtered[:, 0] = _UP
    filtered[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
    header = struct.pack(">IIBBBBB", claimed.width, claimed.height, 8, _RGBA, 0, 0, 0)
    # Level 1 takes a tenth of the default level's time for a fifth more bytes.
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(filtered.data, 1)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(name)))
        for name, data in chunks
    )


@command("uiautomator")
def uiautomator(process: Process) -> int:
    """``dump [--compressed] [file]``: the hierarchy of the active window."""
    return run_killable(process, _uiautomator, "uiautomator")


def _uiautomator(process: Process) -> int:
    words = process.arguments
    if words[:1] != ["dump"]:
        process.err("Usage: uiautomator <subcommand> [options]")
        return 1
    operands = [word for word in words[1:] if not word.startswith("--")]
    name = operands[0] if operands else _DEFAULT_DUMP
    process.simulate_duration(_START_SECONDS)
    faults = process.machine.faults
    process.sleep(faults.value("slow-dump", "ms") / 1000)
    if "automation-taken" in faults:
        process.machine.phone.log("E", "AndroidRuntime", _TAKEN)
        process.err("Killed")
        return KILLED
    if "idle-error" in faults or (process.machine.realistic and not _wait_for_idle(process)):
        process.err("ERROR: could not get idle state.")
        return 0
    quirks = process.machine.phone.profile.quirks
    if "noisy-dumps" in quirks:
        process.err(_NO_THEME)
    data = process.machine.phone.hierarchy_xml(compressed="--compressed" in words)
    is_empty = "empty-dumps" in quirks and process.machine.count_dump() % 2
    if not data or is_empty or "null-root" in faults:
        process.err(_NO_ROOT)
        return 0
    data = faults.damaged_dump(data)
    if name in _OUTPUTS:
        process.stdout.write(data)
    else:
        try:
            process.machine.files.write(process.path(name), data)
        except OSError as error:
            raise CommandError(
                f"java.io.FileNotFoundException: {name}: open failed: {error.strerror}"
            ) from None
    # The misspelling is Android's.
    process.line(f"UI hierchary dumped to: {name}")
    return 0


def _wait_for_idle(process: Process) -> bool:
    """Wait until nothing changes for a second; False after ten seconds."""
    waited = 0.0
    while (quiet := process.machine.phone.quiet_ms) < _IDLE_MS:
        pause = max(0.01, (_IDLE_MS - quiet) / 1000)
        waited += pause
        if waited > _IDLE_LIMIT_SECONDS:
            return False
        process.sleep(pause)
    return True


_WM_USAGE = """Window manager (window) commands:
  help
      Print this help text.
  size [reset|WxH|WdpxHdp] [-d DISPLAY_ID]
    Return or override display size.
  density [reset|DENSITY] [-d DISPLAY_ID] [-u UNIQUE_ID]
    Return or override display density.
  dismiss-keyguard
    Dismiss the keyguard, prompting user for auth if necessary.
  user-rotation [-d DISPLAY_ID] [free|lock] [rotation]
    Print or set user rotation mode and user rotation.
  fixed-to-user-rotation [-d DISPLAY_ID] [enabled|disabled|default|enabled_if_no_auto_rotation]
    Print or set rotating display for app requested orientation.
  set-ignore-orientation-request [-d DISPLAY_ID] [true|1|false|0]
  get-ignore-orientation-request [-d DISPLAY_ID]
    If app requested orientation should be ignored.
  disable-blur [true|1|false|0]
  reset [-d DISPLAY_ID]
    Reset all override settings.
"""


@command("wm")
def wm(process: Process) -> int:
    """``size``, ``density`` and ``user-rotation``."""
    words = process.arguments
    action = {
        "size": _wm_size,
        "density": _wm_density,
        "dismiss-keyguard": _dismiss_keyguard,
        "user-rotation": _rotation,
        "set-user-rotation": _rotation,
    }
    if not words or words[0] in ("help", "-h"):
        process.out(_WM_USAGE)
        return 0 if words else FAILED
    rest = [word for number, word in enumerate(words[1:], 1) if word != "-d" and words[number - 1] != "-d"]
    run = action.get(words[0])
    return run(process, rest) if run is not None else window_setting(process, words[0], rest)


def _dismiss_keyguard(process: Process, words: list[str]) -> int:
    """Open the lock screen, or ask for what unlocks it."""
    del words
    process.machine.phone.services.lock_screen.dismiss()
    return 0


def _wm_size(process: Process, words: list[str]) -> int:
    phone = process.machine.phone
    if not words:
        process.line(f"Physical size: {phone.profile.size}")
        if phone.size_override:
            process.line(f"Override size: {phone.size_override}")
        return 0
    if words[0] == "reset":
        phone.override_size(None)
        return 0
    match = re.fullmatch(r"(\d{2,5})x(\d{2,5})", words[0])
    size = Size(int(match[1]), int(match[2])) if match else Size(0, 0)
    if not 64 <= min(size.width, size.height) <= max(size.width, size.height) <= 4096:
        raise CommandError(f"Error: bad size {words[0]}", 255)
    phone.override_size(size)
    return 0


def _wm_density(process: Process, words: list[str]) -> int:
    phone = process.machine.phone
    if not words:
        process.line(f"Physical density: {phone.profile.density}")
        if phone.density_override:
            process.line(f"Override density: {phone.density_override}")
        return 0
    if words[0] == "reset":
        phone.override_density(None)
        return 0
    if not words[0].isdecimal() or not 72 <= int(words[0]) <= 1000:
        raise CommandError("Error: density must be >= 72", 255)
    phone.override_density(int(words[0]))
    return 0


def _rotation(process: Process, words: list[str]) -> int:
    """``free``, ``lock`` to the current rotation, or ``lock N``; without arguments print the state."""
    phone, verb = process.machine.phone, process.arguments[0]
    settings = phone.settings
    if verb == "user-rotation" and phone.profile.sdk < ANDROID_11:
        return unknown(process, verb)
    if not words:
        free = settings.is_on("system", "accelerometer_rotation")
        process.line("free" if free else f"lock {settings.get('system', 'user_rotation') or 0}")
        return 0
    if words[0] not in ("free", "lock"):
        message = "argument needs to be either -d, free or lock."
        if verb != "user-rotation":
            message = f"expecting lock or free, but we got: {words[0]}"
        raise CommandError(f"Error: {message}", 255)
    if words[1:] and words[1] not in ("0", "1", "2", "3", "-1"):
        raise CommandError(
            "Error: Invalid argument, rotation must be -1 or a valid rotation constant."
            if words[1].lstrip("-").isdecimal()
            else f'Error: For input string: "{words[1]}"',
            255,
        )
    if words[0] == "lock":
        turn = words[1] if words[1:] and words[1] != "-1" else str(phone.rotation)
        settings.put("system", "user_rotation", turn)
    settings.put("system", "accelerometer_rotation", "1" if words[0] == "free" else "0")
    return 0
