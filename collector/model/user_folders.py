"""The user's name, and folders of the user's settings, logs, crash reports and undo journals."""

from __future__ import annotations

import getpass
import os
import sys
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


def data_folder() -> Path:
    """Folder of what the studio keeps for the person, such as their copy of the sample project."""
    return _folder("data", "XDG_DATA_HOME", ".local/share")


def _folder(kind: str, variable: str, fallback: str) -> Path:
    own = os.environ.get("WAYMARK_HOME")
    if own:
        return Path(own) / kind
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", str(Path.home()))) / _NAME / kind
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / _NAME / kind
    return Path(os.environ.get(variable) or Path.home() / fallback) / _NAME
