"""How this program starts itself as another process."""

from __future__ import annotations

import sys


def waymark_command() -> list[str]:
    """The words that run ``waymark``. A frozen program has no interpreter: it takes the verbs itself."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    # -P: a file of the current folder that is named like a module is not imported in its place.
    return [sys.executable, "-P", "-m", "collector.cli.main"]
