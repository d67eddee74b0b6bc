"""The start of the command and of the window, with what a second start finds in its caches."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial

from tests.benchmarks.budgets.table import Budget, Row, paired

_ROUNDS = 5
_FOLDERS = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
_WAYMARK = [sys.executable, "-m", "collector.cli.main"]
_PASS = [sys.executable, "-c", "pass"]
_ADBUTILS = [sys.executable, "-m", "adbutils", "--help"]
# Prints when the window has painted, and when its front workspace can be used.
_START = """
import json, sys, time
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow

class FirstPaint(QObject):
    painted = 0
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and isinstance(watched, QMainWindow) and not self.painted:
            self.painted = 1
            QTimer.singleShot(0, watched, lambda: self.note(watched))
        return False
    def note(self, window):
        self.painted = time.monotonic_ns()
        self.look(window)
    def look(self, window):
        if not (window.is_loaded and window.current):
            QTimer.singleShot(1, window, lambda: self.look(window))
            return
        print(json.dumps([self.painted, time.monotonic_ns()]), flush=True)
        window.close()

app = QApplication(["waymark-studio"])
app.installEventFilter(watcher := FirstPaint())
from studio.app.main import Options, open_studio
sys.exit(open_studio(Options(alone=True)))
"""


def rows() -> Iterator[Row]:
    """The first start fills the caches and is not counted."""
    with tempfile.TemporaryDirectory() as home:
        folders = dict.fromkeys(_FOLDERS, home)
        # Bytecode is kept, as in an installation, whatever the variables of the caller say.
        cache = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": f"{home}/bytecode"}
        environment = os.environ | folders | cache | {"QT_QPA_PLATFORM": "offscreen"}
        yield from _commands(environment)
        starts = [_start(environment) for _round in range(_ROUNDS + 1)][1:]
    painted = "window on screen, from the start of Python, warm"
    yield Row(painted, [start[0] for start in starts], Budget("median", 1000))
    yield Row("workspace of the window ready, likewise", [start[1] for start in starts])


def _commands(environment: dict[str, str]) -> Iterator[Row]:
    # The bars of 0.25 s and 0.4 s, as multiples of what the rivals take on a quiet machine.
    rivals = (("--version", 5, "python -c pass", _PASS), ("--help", 1, "adbutils --help", _ADBUTILS))
    for option, limit, name, rival in rivals:
        ours, theirs = paired(
            partial(_run, [*_WAYMARK, option], environment), partial(_run, rival, environment), 2 * _ROUNDS
        )
        yield Row(f"waymark {option}, warm", ours, Budget("median", limit, of_rival=True), name, theirs)


def _run(command: list[str], environment: dict[str, str]) -> None:
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, timeout=60, check=True)


def _start(environment: dict[str, str]) -> tuple[float, float]:
    """Milliseconds until the window has painted, and until its workspace is ready."""
    begun = time.monotonic_ns()
    done = subprocess.run(
        [sys.executable, "-c", _START], env=environment, capture_output=True, timeout=60, check=False
    )
    if not done.stdout.strip():
        raise RuntimeError(f"the window did not paint: {done.stderr.decode()[-800:]}")
    painted, ready = json.loads(done.stdout.splitlines()[0])
    return (painted - begun) / 1e6, (ready - begun) / 1e6
