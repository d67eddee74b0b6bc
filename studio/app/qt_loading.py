"""Load Qt, and name the packages that the system lacks: Qt itself ends in a traceback, or aborts."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from pathlib import Path

from collector.host.programs import find_program
from collector.host.window_libraries import missing_libraries
from collector.model.errors import UserError
from collector.model.i18n import _

_LIBRARY = re.compile(r"[\w.+-]+\.so[\w.]*")


def load_qt() -> None:
    """Import what every window needs. Raises UserError when a library of the system is missing."""
    try:
        import PySide6.QtNetwork
        import PySide6.QtWidgets  # noqa: F401 - only whether it can be loaded is asked
        from PySide6.QtCore import QLibraryInfo
    except ImportError as error:
        if not _LIBRARY.search(str(error)):
            raise
        raise _refusal(str(error)) from error
    if _shows_on_x():
        _load_platform(Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)))


def _shows_on_x() -> bool:
    """Whether the window will be one of an X server; Qt aborts when it cannot load its plug-in for that."""
    if sys.platform != "linux" or os.environ.get("WAYLAND_DISPLAY"):
        return False
    return os.environ.get("QT_QPA_PLATFORM", "xcb" if os.environ.get("DISPLAY") else "") == "xcb"


def _load_platform(plugins: Path) -> None:
    plugin = plugins / "platforms" / "libqxcb.so"
    if not plugin.is_file():
        return  # another layout of Qt, as of a distribution's package
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        raise _refusal(str(error)) from error


def _refusal(problem: str) -> UserError:
    missing = missing_libraries()
    found = _LIBRARY.search(problem)
    names = ", ".join(missing) or (found[0] if found else problem)
    what = _("The window cannot open: this system lacks {names}", names=names)
    if not missing:
        return UserError(what, "", _("Install the package of this library"))
    packages = " ".join(dict.fromkeys(missing.values()))
    if find_program("apt-get"):
        return UserError(what, "", _("Type {command}", command=f"sudo apt-get install {packages}"))
    return UserError(what, "", _("Install what Debian calls {packages}", packages=packages))
