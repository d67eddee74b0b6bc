"""A window on thousands of trajectories: how long it stands still at each workspace, and its memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.budgets.table import Budget, Row
from tests.helpers.large_sample import large_sample

TRAJECTORIES = 20_000
GOLDENS = 7_000
"""Rules are tried on all of them."""
_GAP_MS, _MB = 100, 450
_PORT = "5983"
_PLACES = ("states", "rules", "review", "run", "metrics", "review", "states", "rules")
# Prints of each act the processor time of the window's thread in its longest turn, then the memory.
_WINDOW = """
import json, sys, time
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

app = QApplication(["waymark-studio"])
from studio.app.studio import Studio
from studio.commands.workspaces import AVAILABLE_WORKSPACES
from studio.settings import Settings
from studio.theme import theme
from studio.widgets.window_frame.command_palette import CommandPalette

theme.install(app, "dark", motion=False)
studio = Studio(Settings(Path(sys.argv[1]).parent / "settings.yaml"))
studio.window.resize(1440, 900)
studio.show()
studio.start(sys.argv[1])
longest, last = [0.0], [time.thread_time()]

def beat():
    now = time.thread_time()
    longest[0], last[0] = max(longest[0], now - last[0]), now

timer = QTimer(interval=5)
timer.timeout.connect(beat)
timer.start()

def act(name, work):
    longest[0] = 0.0
    work()
    until = time.monotonic() + 60
    quiet = time.monotonic() + 2
    while time.monotonic() < until and (time.monotonic() < quiet or studio.tasks.jobs):
        app.processEvents()
        time.sleep(0.001)
    beat()
    print(json.dumps([name, longest[0] * 1000]), flush=True)

act("open", lambda: studio.project_library.open(Path(sys.argv[1])))
for place in sys.argv[2:]:
    act(place, lambda: studio.window.show_workspace(place))
act("palette", lambda: studio.commander.run("view.palette"))
for letter in "todo":
    act("palette, a key", lambda: QTest.keyClicks(studio.window.findChild(CommandPalette).field, letter))
pages = next(line for line in open("/proc/self/status") if line.startswith("VmRSS:"))
print(json.dumps(["memory", int(pages.split()[1]) / 1024]), flush=True)
studio.window.close()
studio.close()
"""


def rows() -> Iterator[Row]:
    """Opened without an index, then with it; each workspace comes to the front the first time, then again.

    Then Rules with thousands of golden trajectories, until it has tried every rule on every state.
    """
    with tempfile.TemporaryDirectory() as name:
        project = large_sample(Path(name) / "many", TRAJECTORIES)
        environment = _environment(name)
        first, *_others = _lines(environment, str(project))  # fills the index and the caches
        row = f"window on {TRAJECTORIES:,} trajectories: longest turn, open without an index, CPU"
        yield Row(row, [first[1]], Budget("max", _GAP_MS))
        # pip compiles each module when it installs it. Here Python compiles it when it is imported first:
        # pyqtgraph's modules take 200 ms in one turn of Metrics.
        _lines(environment, str(project), *dict.fromkeys(_PLACES))
        told = _lines(environment, str(project), *_PLACES)
        seen: set[str] = set()
        for what, figure in told:
            if what == "memory":
                budget = Budget("max", _MB, unit="MB")
                yield Row(f"window on {TRAJECTORIES:,} trajectories, memory", [figure], budget, unit="MB")
                continue
            again = ", again" if what in seen else ""
            seen.add(what)
            row = f"window on {TRAJECTORIES:,} trajectories: longest turn, {what}{again}, CPU"
            yield Row(row, [figure], Budget("max", _GAP_MS))
    yield from _rows_of_goldens()


def _rows_of_goldens() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        project = large_sample(Path(name) / "goldens", GOLDENS, of_goldens=True)
        environment = _environment(name)
        _lines(environment, str(project), "rules")  # fills the index and the caches, and compiles
        told = dict(_lines(environment, str(project), "rules"))
    what = f"window on {GOLDENS:,} golden trajectories"
    yield Row(f"{what}: longest turn, rules, CPU", [told["rules"]], Budget("max", _GAP_MS))
    yield Row(f"{what}, memory", [told["memory"]], Budget("max", _MB, unit="MB"), unit="MB")


def _environment(folder: str) -> dict[str, str]:
    homes = dict.fromkeys(("WAYMARK_HOME", "XDG_CACHE_HOME"), f"{folder}/home")
    kept = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": f"{folder}/bytecode"}
    # No adb server of anybody else is asked for phones.
    alone = {"QT_QPA_PLATFORM": "offscreen", "ANDROID_ADB_SERVER_PORT": _PORT}
    return os.environ | homes | kept | alone


def _lines(environment: dict[str, str], *arguments: str) -> list[tuple[str, float]]:
    done = subprocess.run(
        [sys.executable, "-c", _WINDOW, *arguments],
        env=environment, capture_output=True, timeout=1_200, check=True,
    )  # fmt: skip
    return [(what, figure) for what, figure in map(json.loads, done.stdout.splitlines())]
