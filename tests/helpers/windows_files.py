"""Files as on Windows, on Linux: one that this process has open is not removed or moved, nor its folder."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_MOVING = ("replace", "rename", "unlink", "remove", "rmdir")


def keep_open_files(patch: pytest.MonkeyPatch) -> None:
    """Let the functions of ``os`` that move and remove refuse what is open, and be on Windows."""
    for name in _MOVING:
        patch.setattr(os, name, _refusing(getattr(os, name)))
    patch.setattr("sys.platform", "win32")


def _refusing(plain: Callable[..., Any]) -> Callable[..., Any]:
    def move(path: Any, *rest: Any, **named: Any) -> Any:
        opened = _open_below(_place(path, named.get("dir_fd") or named.get("src_dir_fd")))
        if opened:
            raise PermissionError(errno.EACCES, f"this process has it open: {opened[0]}", str(path))
        return plain(path, *rest, **named)

    return move


def _place(path: Any, folder: int | None) -> str:
    if folder is not None:
        return str(Path(f"/proc/self/fd/{folder}").readlink() / path)
    return str(Path(path).absolute())


def _open_below(place: str) -> list[str]:
    """The files below a place, or the one at it, that this process has open; folders do not count."""
    found = []
    for number in os.listdir("/proc/self/fd"):  # noqa: PTH208
        try:
            named = os.readlink(f"/proc/self/fd/{number}")  # noqa: PTH115
        except OSError:
            continue
        if (named == place or named.startswith(f"{place}/")) and not Path(named).is_dir():
            found.append(named)
    return found
