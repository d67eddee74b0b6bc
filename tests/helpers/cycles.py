"""Collect reference cycles between tests, on the main thread.

Otherwise any thread of a later test may destroy the objects of a window, and Qt aborts the process.
"""

from __future__ import annotations

import gc
import sys


def collect_due() -> None:
    """Collect what Python would have collected; its automatic collection stays off once Qt is loaded."""
    if "PySide6.QtCore" not in sys.modules:
        return
    gc.disable()
    counts, thresholds = gc.get_count(), gc.get_threshold()
    due = [generation for generation in range(3) if counts[generation] > thresholds[generation]]
    if due:
        gc.collect(due[-1])
