"""How this program starts itself as another process."""

from __future__ import annotations

import sys
from pathlib import Path

AS_PYTHON = "--python"
"""What a frozen program takes as its first word to work as Python (packaging/frozen/as_python.py)."""


def is_frozen() -> bool:
    """Whether this is the application of PyInstaller, which has no interpreter."""
    return bool(getattr(sys, "frozen", False))


def waymark_command() -> list[str]:
    """The words that run ``waymark``. A frozen program has no interpreter: it takes the verbs itself.

    On Windows the frozen window has no output that another process could read: the command beside it has.
    """
    if is_frozen():
        return [_frozen_program()]
    # -P: a file of the current folder that is named like a module is not imported in its place.
    return [sys.executable, "-P", "-m", "collector.cli.main"]


def python_command() -> list[str]:
    """The words that run Python with this program's packages, as for ``-P -m MODULE`` or a file."""
    return [_frozen_program(), AS_PYTHON] if is_frozen() else [sys.executable]


def _frozen_program() -> str:
    command = Path(sys.executable).with_name("waymark.exe")
    return str(command) if sys.platform == "win32" and command.is_file() else sys.executable
