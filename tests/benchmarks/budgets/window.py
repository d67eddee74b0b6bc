"""From starting the process to the window's first paint, with what a second start finds in its caches."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from tests.benchmarks.budgets.table import Budget, Row

_ROUNDS = 5
_FOLDERS = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
_START = """
import sys, time
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow

class FirstPaint(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and isinstance(watched, QMainWindow):
            QTimer.singleShot(0, watched, lambda: done(watched))
        return False

def done(window):
    if sys.stdout.closed:
        return
    print(time.monotonic_ns(), flush=True)
    sys.stdout.close()
    window.close()

app = QApplication(["waymark-studio"])
app.installEventFilter(watcher := FirstPaint())
from studio.app.main import Options, open_studio
sys.exit(open_studio(Options(alone=True)))
"""


def rows() -> Iterator[Row]:
    """The first start fills the caches and is not counted."""
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | dict.fromkeys(_FOLDERS, home) | {"QT_QPA_PLATFORM": "offscreen"}
        samples = [_start(environment) for _round in range(_ROUNDS + 1)][1:]
    yield Row("window on screen, from the start of Python, warm", samples, Budget("median", 1000))


def _start(environment: dict[str, str]) -> float:
    begun = time.monotonic_ns()
    done = subprocess.run(
        [sys.executable, "-c", _START], env=environment, capture_output=True, timeout=60, check=False
    )
    if not done.stdout.strip():
        raise RuntimeError(f"the window did not paint: {done.stderr.decode()[-800:]}")
    return (int(done.stdout.split()[0]) - begun) / 1e6
