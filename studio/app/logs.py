"""Set up logging: a rotating file, and warnings on stderr."""

from __future__ import annotations

import logging
import logging.handlers
from io import TextIOWrapper
from pathlib import Path

from collector.host.private_files import make_private_file, make_private_folder
from collector.host.user_folders import log_folder
from collector.model.i18n import N_

_FORMAT = "%(asctime)s %(levelname)-7s %(threadName)s %(name)s: %(message)s"
_BYTES, _BACKUPS = 2_000_000, 4
ENDED_LATE = N_("The window did not end in time and was ended; what was recorded is kept")
"""What the program says when the deadline of quitting ends it."""


class _PrivateFileHandler(logging.handlers.RotatingFileHandler):
    """Rotating files that no other account can read."""

    def _open(self) -> TextIOWrapper:
        make_private_file(Path(self.baseFilename))
        return super()._open()


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
        make_private_folder(path.parent)
        file = _PrivateFileHandler(path, maxBytes=_BYTES, backupCount=_BACKUPS, encoding="utf-8")
    except OSError as error:
        root.warning("no log file is written: %s", error)
        return path
    file.setFormatter(logging.Formatter(_FORMAT))
    root.addHandler(file)
    return path
