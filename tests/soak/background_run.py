"""An experiment that runs while everything breaks; its workers and its runner are killed and replaced."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

from collector.host.sockets import free_port
from tests.helpers.killed_window import waymark
from tests.helpers.virtual import AdbServer, bundled_adb, kill_adb_server

_EXPERIMENT = """format: waymark-experiment
version: 1
description: A run while everything breaks
tasks: [todo-04, settings-03]
agents: [golden, monkey]
conditions: [baseline]
seeds: [{seeds}]
budget: 6
reset: phone
phones: {{virtual: 2, size: 300x666, density: 133}}
"""
_SEEDS = 200
_END_S = 60.0
_LOGGED = 60
"""Lines of the log of a run that tell why it ended."""


class BackgroundRun:
    """``waymark run`` in a project of its own."""

    def __init__(self, folder: Path, hold_s: float) -> None:
        """``hold_s``: seconds that an agent waits before each action."""
        self._hold_s, self._adb = hold_s, AdbServer(bundled_adb(), free_port())
        self.project, self._folder = folder / "project", folder
        self._process: subprocess.Popen[bytes] | None = None
        self.wrong: list[str] = []

    def open(self) -> None:
        seeds = ", ".join(map(str, range(1, _SEEDS + 1)))
        path = self.project / "experiments" / "soak.yaml"
        path.write_text(_EXPERIMENT.format(seeds=seeds), encoding="utf-8")
        self._start()

    def _start(self) -> None:
        words = ["run", "soak", "--project", str(self.project), "--hold", str(self._hold_s)]
        own = {"WAYMARK_HOME": str(self._folder / "home"), "ANDROID_ADB_SERVER_PORT": str(self._adb.port)}
        with (self._folder / "run.log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "collector.cli.main", *words], stdout=log, stderr=log,
                env=os.environ | own,
            )  # fmt: skip

    def look(self) -> None:
        """Go on with the run when its runner is gone."""
        assert self._process is not None
        if (status := self._process.poll()) is not None:
            if status not in (0, -signal.SIGKILL):
                self.wrong.append(f"the run ended with {status}\n{self._last_lines()}")
            self._start()

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait(_END_S)

    def kill_worker(self, draw: random.Random) -> None:
        """Kill one of the processes that the runner started, if there is one."""
        assert self._process is not None
        if workers := _children(self._process.pid):
            os.kill(draw.choice(workers), signal.SIGKILL)

    def end(self) -> None:
        """Stop the run as Ctrl+C does."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            status = self._process.wait(_END_S)
            if status not in (0, 130):
                self.wrong.append(f"the run ended with {status} when it was stopped\n{self._last_lines()}")

    def _last_lines(self) -> str:
        """The end of what the runs printed."""
        lines = (self._folder / "run.log").read_text("utf-8", "replace").splitlines()
        return "\n".join(lines[-_LOGGED:])

    def close(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill()
        kill_adb_server(self._adb.port, self._adb.binary)

    def finished(self) -> int:
        """Episodes with an outcome; each is in the project."""
        status, answer = waymark(
            "trajectory", "list", "experiment:soak", "--project", str(self.project), "--limit", "100000"
        )
        if status:
            self.wrong.append(f"the run's trajectories cannot be listed: {json.dumps(answer)[:200]}")
            return 0
        return len(answer["trajectories"])


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, task.read_text("ascii").split())
        except OSError:
            continue
    return found
