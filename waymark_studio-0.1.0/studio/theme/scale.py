"""Change the scale of all windows while the program runs.

Qt reads ``QT_SCALE_FACTOR`` once, and has no public call to change it later. It exports the call that its own
tests use; ``docs/decisions/scale-by-qt.md`` says why this private symbol is worth it. Where it is missing,
:func:`set_scale` returns False and the scale of the settings holds from the next start.
"""

from __future__ import annotations

import ctypes
import logging
import os
import sys
from collections.abc import Callable

_log = logging.getLogger(__name__)
_LIBRARIES = {"win32": "Qt6Gui.dll", "darwin": "QtGui"}
_SYMBOL = "_ZN15QHighDpiScaling15setGlobalFactorEd"
_SYMBOL_MSVC = "?setGlobalFactor@QHighDpiScaling@@SAXN@Z"


def _global_factor_setter() -> Callable[[float], None] | None:
    """``QHighDpiScaling::setGlobalFactor`` of the Qt that is loaded; None when it does not export it."""
    name = _LIBRARIES.get(sys.platform, "libQt6Gui.so.6")
    try:
        # Only a library that is loaded already: never another Qt of the system.
        mode = getattr(os, "RTLD_NOLOAD", 0) | getattr(os, "RTLD_NOW", 0)
        setter = getattr(ctypes.CDLL(name, mode=mode), _SYMBOL_MSVC if sys.platform == "win32" else _SYMBOL)
    except (OSError, AttributeError) as error:
        _log.info("the scale cannot be changed while the program runs: %s", error)
        return None
    setter.argtypes, setter.restype = [ctypes.c_double], None

    def set_factor(factor: float) -> None:
        setter(factor)

    return set_factor


def set_scale(factor: float) -> bool:
    """Scale all later windows by ``factor``; call it while there is none. False where that cannot be done."""
    setter = _global_factor_setter()
    if setter is None:
        return False
    setter(factor)
    return True


def can_change_scale() -> bool:
    """Whether :func:`set_scale` works with the Qt that is loaded."""
    return _global_factor_setter() is not None
