"""How this program starts itself as another process."""

from __future__ import annotations

import sys
from pathlib import Path


def waymark_command() -> list[str]:
    """The words that run ``waymark``. A frozen program has no interpreter: it takes the verbs itself.

    On Windows the frozen window has no output that another process could read: the command beside it has.
    """
    if getattr(sys, "frozen", False):
        command = Path(sys.executable).with_name("waymark.exe")
        return [str(command) if sys.platform == "win32" and command.is_file() else sys.executable]
    # -P: a file of the current folder that is named like a module is not imported in its place.
    return [sys.executable, "-P", "-m", "collector.cli.main"]
