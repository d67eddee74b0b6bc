"""Measure how long programs take to start: the command's ``--version``, and the window until it is painted.

A start is measured several times: the first after its files left the memory of this computer, then warm.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

STARTS = 10
WINDOWS = 5
LONGEST_S = 60
WINDOW = """
import os, sys
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QMainWindow
from studio.app.main import Options, open_studio

class Watcher(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and isinstance(watched, QMainWindow):
            print("painted", flush=True)
            os._exit(0)
        return False

application = QApplication(["waymark-studio"])
application.installEventFilter(watcher := Watcher())
sys.exit(open_studio(Options(alone=True)))
"""
"""Ends when the window of the program that runs it is painted for the first time."""


@dataclass(frozen=True)
class Times:
    """Seconds of starts of one program."""

    name: str
    first: float
    """With files read from the disk."""
    median: float
    least: float

    @property
    def line(self) -> str:
        first, median, least = (f"{value * 1000:.0f} ms" for value in (self.first, self.median, self.least))
        return f"{self.name}: first {first}, then {median} in the median, {least} at least"


def of_command(name: str, command: Sequence[str | Path], files: Path | None = None) -> Times:
    """Starts of ``COMMAND --version``; ``files`` is what leaves the memory before the first."""
    return _measure(f"{name} --version", [*command, "--version"], files, STARTS, {})


def of_window(name: str, command: Sequence[str | Path], files: Path | None = None) -> Times:
    """Starts up to the first paint of the window. ``command`` takes the words of Python."""
    with tempfile.TemporaryDirectory(prefix="waymark-") as place:
        script = Path(place, "window.py")
        script.write_text(WINDOW, encoding="utf-8")
        environment = {"WAYMARK_HOME": place, "QT_QPA_PLATFORM": "offscreen", "PYTHONDONTWRITEBYTECODE": ""}
        return _measure(f"{name}, window painted", [*command, script], files, WINDOWS, environment)


def _measure(
    name: str, command: Sequence[str | Path], files: Path | None, starts: int, environment: dict[str, str]
) -> Times:
    """One start more than ``starts``: the first is told apart."""
    words = [*map(str, command)]
    if files:
        forget(files)
    first, *warm = (_seconds(words, environment) for _start in range(starts + 1))
    return Times(name, first, statistics.median(warm), min(warm))


def _seconds(words: list[str], environment: dict[str, str]) -> float:
    began = time.perf_counter()
    done = subprocess.run(words, capture_output=True, timeout=LONGEST_S, env=os.environ | environment)
    seconds = time.perf_counter() - began
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, words, done.stdout, done.stderr)
    return seconds


def forget(place: Path) -> None:
    """Let files leave the memory of this computer, as after its own start; only Linux can be asked."""
    if not hasattr(os, "posix_fadvise"):
        return
    for path in [place] if place.is_file() else place.rglob("*"):
        if path.is_file() and not path.is_symlink():
            descriptor = os.open(path, os.O_RDONLY)
            os.fsync(descriptor)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)
