"""Read the reduced-motion setting of the system, which Qt does not provide."""

from __future__ import annotations

import ctypes
import sys

from collector.host.programs import run_program

_GET_CLIENT_AREA_ANIMATION = 0x1042
_TIMEOUT = 2.0


def system_allows_motion() -> bool:
    """False when the system asks for reduced motion. May run a program, so not for the GUI thread."""
    if sys.platform == "win32":
        return _windows()
    if sys.platform == "darwin":
        return _output("defaults", "read", "com.apple.universalaccess", "reduceMotion") != "1"
    return _output("gsettings", "get", "org.gnome.desktop.interface", "enable-animations") != "false"


def _windows() -> bool:
    shown = ctypes.c_int(1)
    user32 = ctypes.WinDLL("user32")  # type: ignore[attr-defined,unused-ignore]  # only there
    user32.SystemParametersInfoW(_GET_CLIENT_AREA_ANIMATION, 0, ctypes.byref(shown), 0)
    return bool(shown.value)


def _output(program: str, *arguments: str) -> str:
    """Output of a desktop program; empty when it is missing or fails."""
    try:
        result = run_program([program, *arguments], seconds=_TIMEOUT)
    except OSError:
        return ""
    return result.stdout.decode("utf-8", "replace").strip()
