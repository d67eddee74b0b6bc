"""Skia's list of the fonts of this machine."""

from __future__ import annotations

import contextlib
import os
import tempfile
from functools import lru_cache
from typing import Any

import skia

_STDERR = 2
_OF_NEWER_FONTCONFIG = b"unknown element"


@lru_cache(maxsize=1)
def font_manager() -> Any:
    """The fonts of this machine.

    The fontconfig in Skia's wheel is older than that of Debian 12, and warns on standard error about an
    element of the files of the system that it does not know. Nobody can do anything about it: it is left out.
    """
    with contextlib.ExitStack() as stack:
        try:
            written = stack.enter_context(tempfile.TemporaryFile())
            kept = os.dup(_STDERR)
        except OSError:  # no room for a file, or a program without a console
            return skia.FontMgr()
        try:
            os.dup2(written.fileno(), _STDERR)
            manager = skia.FontMgr()
        finally:
            os.dup2(kept, _STDERR)
            os.close(kept)
        written.seek(0)
        for line in written:
            if _OF_NEWER_FONTCONFIG not in line:
                os.write(_STDERR, line)
    return manager
