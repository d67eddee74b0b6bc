"""The signals that ask a program to end: Ctrl+C, and what the system sends."""

from __future__ import annotations

import signal
import sys

ENDING_SIGNALS: tuple[signal.Signals, ...] = (signal.SIGINT, signal.SIGTERM)
"""On Windows with that of Ctrl+Break and of a console that is closed."""
if sys.platform == "win32":
    ENDING_SIGNALS += (signal.SIGBREAK,)
