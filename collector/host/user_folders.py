"""The user's name, and folders of the user's settings, logs, crash reports, undo journals and caches."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from collector.host.private_files import OTHERS, close_to_others, make_private_folder

_NAME = "waymark-studio"
_LONGEST_RUNTIME = 70
"""Characters: the system takes names of sockets up to about 100, with the name of the socket."""


def user_name() -> str:
    """Name of the user's account; empty where the system knows none."""
    import getpass  # it and tempfile load twenty modules, which `waymark --version` does not wait for

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def config_folder() -> Path:
    """Folder of the settings file; ``WAYMARK_HOME`` puts everything in one place."""
    return _folder("config", "XDG_CONFIG_HOME", ".config")


def state_folder() -> Path:
    """Folder of what the program keeps for itself: logs, crash reports, undo journals."""
    return _folder("state", "XDG_STATE_HOME", ".local/state")


def log_folder() -> Path:
    """Folder of log files and crash reports."""
    return state_folder() / "logs"


def data_folder() -> Path:
    """Folder of what the studio keeps for the person, such as their copy of the sample project."""
    return _folder("data", "XDG_DATA_HOME", ".local/share")


def cache_folder() -> Path:
    """Folder of large files that are made again when they are missing, such as copies of emulators.

    ``XDG_CACHE_HOME`` moves it on every system. On Windows it is not among what follows a person to other
    computers, and on macOS not among what is backed up.
    """
    if not os.environ.get("XDG_CACHE_HOME") and not os.environ.get("WAYMARK_HOME"):
        if sys.platform == "win32":
            local = os.environ.get("LOCALAPPDATA", str(Path.home() / "AppData" / "Local"))
            return Path(local) / _NAME / "cache"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / _NAME
    return _folder("cache", "XDG_CACHE_HOME", ".cache")


def runtime_folder() -> Path:
    """Folder of sockets and locks, made for this account alone, whatever ``WAYMARK_HOME`` says.

    All programs of the account share it, and nothing in it is worth keeping once they have ended. Raises
    OSError when no folder can be made that no other account can write to.
    """
    for parent, name in _runtime_places():
        folder = parent / name
        if len(str(folder)) <= _LONGEST_RUNTIME and _is_own(folder):
            return folder
    folder = state_folder() / "runtime"
    make_private_folder(folder)
    return folder


def close_user_folders() -> None:
    """Close the folders of this module that exist to other accounts, as older versions left them open."""
    for folder in (config_folder(), state_folder(), data_folder(), cache_folder()):
        with contextlib.suppress(OSError):
            close_to_others(folder)


def _runtime_places() -> Iterator[tuple[Path, str]]:
    """Where the folder may lie, the best place first."""
    import tempfile

    if not hasattr(os, "getuid"):
        yield Path(tempfile.gettempdir()), _NAME  # of the account alone on Windows
        return
    given = os.environ.get("XDG_RUNTIME_DIR", "")
    if Path(given).is_absolute():
        yield Path(given), _NAME
    # Programs that were started without a login session lack the variable.
    yield Path("/run/user") / str(os.getuid()), _NAME
    yield Path(tempfile.gettempdir()), f"{_NAME}-{os.getuid()}"


def _is_own(folder: Path) -> bool:
    """Whether the folder exists, or can be made, and is closed to all other accounts.

    In a place such as /tmp anybody may make a folder of this name first: it is not taken.
    """
    if not folder.parent.is_dir():
        return False
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return stat.S_ISDIR(found.st_mode)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & OTHERS


def _folder(kind: str, variable: str, fallback: str) -> Path:
    own = os.environ.get("WAYMARK_HOME")
    if own:
        return Path(own) / kind
    if sys.platform == "win32" and kind != "cache":
        return Path(os.environ.get("APPDATA", str(Path.home()))) / _NAME / kind
    if sys.platform == "darwin" and kind != "cache":
        return Path.home() / "Library" / "Application Support" / _NAME / kind
    return Path(os.environ.get(variable) or Path.home() / fallback) / _NAME
