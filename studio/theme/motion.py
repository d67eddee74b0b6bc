"""Whether the system asks for less motion; Qt does not say."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys

_GET_CLIENT_AREA_ANIMATION = 0x1042
_TIMEOUT = 2.0


def system_allows_motion() -> bool:
    """True unless the system says otherwise; may start a program, so not for the GUI thread."""
    if sys.platform == "win32":
        return _windows()
    if sys.platform == "darwin":
        return _said("defaults", "read", "com.apple.universalaccess", "reduceMotion") != "1"
    return _said("gsettings", "get", "org.gnome.desktop.interface", "enable-animations") != "false"


def _windows() -> bool:
    shown = ctypes.c_int(1)
    user32 = ctypes.WinDLL("user32")  # type: ignore[attr-defined,unused-ignore]  # only there
    user32.SystemParametersInfoW(_GET_CLIENT_AREA_ANIMATION, 0, ctypes.byref(shown), 0)
    return bool(shown.value)


def _said(program: str, *words: str) -> str:
    """What a program of the desktop answers; empty where there is none."""
    path = shutil.which(program)
    if path is None:
        return ""
    try:
        done = subprocess.run([path, *words], capture_output=True, text=True, timeout=_TIMEOUT, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()
