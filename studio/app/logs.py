"""Set up logging: a rotating file, and warnings on stderr."""

from __future__ import annotations

import logging
import logging.handlers
from pathlib import Path

from collector.model.user_folders import state_folder

_FORMAT = "%(asctime)s %(levelname)-7s %(threadName)s %(name)s: %(message)s"
_BYTES, _BACKUPS = 2_000_000, 4


def log_folder() -> Path:
    """Return the folder of log files and crash reports."""
    return state_folder() / "logs"


def log_path() -> Path:
    """Return the path of the log file of the window."""
    return log_folder() / "studio.log"


def start_logging(level: int = logging.INFO) -> Path:
    """Log to ``studio.log`` and return its path; only to stderr when the folder cannot be written."""
    root = logging.getLogger()
    root.setLevel(level)
    screen = logging.StreamHandler()
    screen.setLevel(logging.WARNING)
    screen.setFormatter(logging.Formatter("waymark: %(message)s"))
    root.addHandler(screen)
    path = log_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = logging.handlers.RotatingFileHandler(
            path, maxBytes=_BYTES, backupCount=_BACKUPS, encoding="utf-8"
        )
    except OSError as error:
        root.warning("no log file is written: %s", error)
        return path
    file.setFormatter(logging.Formatter(_FORMAT))
    root.addHandler(file)
    return path
