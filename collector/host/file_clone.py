"""Copies that share their blocks with the original until one of the two is changed."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

_FICLONE = 0x40049409


def clone(source: int, target: int) -> bool:
    """Let the open file ``target`` share the blocks of ``source``; False where the file system cannot."""
    if sys.platform != "linux":
        return False
    import fcntl

    try:
        fcntl.ioctl(target, _FICLONE, source)
    except OSError:
        return False
    return True


def clone_file(source: Path, target: Path) -> bool:
    """Make ``target`` a copy that shares its blocks; False, and nothing is there, where it cannot."""
    with contextlib.suppress(OSError):
        with source.open("rb", buffering=0) as reader, target.open("xb", buffering=0) as writer:
            if clone(reader.fileno(), writer.fileno()):
                return True
        target.unlink()
    return False
