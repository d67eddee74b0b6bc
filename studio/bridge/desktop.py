"""Open folders, files and addresses with the programs of the desktop. Nothing else in the product does."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from collector.host.environment import make_environment_safe

_SHOWN = frozenset(
    (".gif", ".html", ".json", ".jsonl", ".log", ".md", ".mkv", ".mp4", ".png", ".txt", ".yaml", ".yml",
     ".zip")
)  # fmt: skip
"""Endings of files that the desktop shows; a file with another one might be a program that it would start."""
_BUNDLES = frozenset((".app", ".bundle", ".command", ".framework", ".plugin", ".prefpane", ".workflow"))
"""Endings of folders that macOS starts as programs."""


def open_on_desktop(path: Path) -> bool:
    """Open a folder in the file manager, or a file in the program for its kind; False when nothing does.

    A file or a folder of a project that the desktop would run is not opened.
    """
    target = path.resolve()
    suffix = target.suffix.lower()
    is_safe = suffix in _SHOWN
    if target.is_dir():
        is_safe = sys.platform != "darwin" or suffix not in _BUNDLES
    if not is_safe:
        return False
    return _open(QUrl.fromLocalFile(str(target)))


def open_address(address: str) -> bool:
    """Open a page of the web in the browser; False when nothing does, or it is no such address."""
    url = QUrl(address)
    return url.scheme() in ("http", "https") and _open(url)


def _open(url: QUrl) -> bool:
    make_environment_safe()  # Qt starts a program that it finds on PATH
    return QDesktopServices.openUrl(url)
