"""The user's name, and folders of the user's settings, logs, crash reports, undo journals and caches."""

from __future__ import annotations

import getpass
import os
import stat
import sys
import tempfile
from pathlib import Path

_NAME = "waymark-studio"


def user_name() -> str:
    """Name of the user's account; empty where the system knows none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def config_folder() -> Path:
    """Folder of the settings file; ``WAYMARK_HOME`` puts everything in one place."""
    return _folder("config", "XDG_CONFIG_HOME", ".config")


def state_folder() -> Path:
    """Folder of logs and crash reports."""
    return _folder("state", "XDG_STATE_HOME", ".local/state")


def shared_folder() -> Path:
    """Folder for what all programs of this account tell each other, whatever ``WAYMARK_HOME`` says.

    It lies in the folder of temporary files: nothing in it is worth keeping once the programs have ended.
    """
    if not hasattr(os, "getuid"):
        return Path(tempfile.gettempdir()) / _NAME
    folder = Path(tempfile.gettempdir()) / f"{_NAME}-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return state_folder()
    # Anybody may make a folder of this name there: that of another account is not trusted.
    own = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return folder if own else state_folder()


def data_folder() -> Path:
    """Folder of what the studio keeps for the person, such as their copy of the sample project."""
    return _folder("data", "XDG_DATA_HOME", ".local/share")


def cache_folder() -> Path:
    """Folder of large files that are made again when they are missing, such as copies of emulators."""
    return _folder("cache", "XDG_CACHE_HOME", ".cache")


def _folder(kind: str, variable: str, fallback: str) -> Path:
    own = os.environ.get("WAYMARK_HOME")
    if own:
        return Path(own) / kind
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", str(Path.home()))) / _NAME / kind
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / _NAME / kind
    return Path(os.environ.get(variable) or Path.home() / fallback) / _NAME
