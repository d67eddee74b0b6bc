"""Files and folders that no other account of this computer can read, whatever the umask says."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

OTHERS = 0o077
"""The permissions of everybody but the owner."""


def make_private_folder(folder: Path) -> None:
    """Make a folder and its parents for this account alone, and close it when it is open. Raises OSError.

    Parents that exist stay as they are.
    """
    for path in reversed([folder, *folder.parents]):
        if not path.is_dir():
            path.mkdir(mode=0o700, exist_ok=True)
    close_to_others(folder)


def make_private_file(path: Path) -> None:
    """Make an empty file for this account alone; one that exists stays as it is. Raises OSError."""
    with contextlib.suppress(FileExistsError):
        path.touch(mode=0o600, exist_ok=False)


def is_open_to_others(path: Path) -> bool:
    """Whether another account may read or write a file or folder. Not known on Windows.

    Raises OSError.
    """
    return hasattr(os, "getuid") and bool(path.stat().st_mode & OTHERS)


def close_to_others(path: Path) -> None:
    """Take the permissions of others from a file or folder of this account. Raises OSError.

    A folder with the sticky bit, as ``/tmp``, is there for all accounts: it stays open.
    """
    if hasattr(os, "getuid"):
        found = path.stat()
        if found.st_mode & stat.S_ISVTX:
            return
        if found.st_uid == os.getuid() and found.st_mode & OTHERS:
            path.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS)
