"""The window as a program, with a person in it who acts at random, and with a disk and a clock that can fail.

    python -m tests.soak.faulty_window FOLDER SEED PACE studio PROJECT

``FOLDER`` holds the switches: while it has a file ``disk-full``, no file that is opened to be written finds
room; the number in its file ``clock`` is added to the computer's clock, in seconds. What toasts say, and what
should not happen, is written to ``said.jsonl`` there, a line each; how often the person acted to ``acts``.
"""

from __future__ import annotations

import datetime as dt
import errno
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest

from collector.cli.main import main as waymark
from collector.host.dataclass_methods import compile_methods_late
from collector.recorder.recorder import Recorder
from studio.app import main as program
from studio.app.studio import Studio
from tests.helpers.random_person import RandomPerson

DISK_FULL, CLOCK, SAID, ACTS = "disk-full", "clock", "said.jsonl", "acts"
_COUNTED = 50
"""Acts after which their number is written."""
_WRITING = frozenset("wax+")
_OF_THE_PLATFORM = ("This plugin does not support", "propagateSizeHints")
_LEFT_ALONE = {"project.empty-trash", "project.close", "project.open", "project.new", "trajectory.rename"}
"""The one who watches could not know any more what is to be found on the disk."""


class _Wait:
    """What :class:`RandomPerson` asks of pytest-qt."""

    def wait(self, ms: int) -> None:
        QTest.qWait(ms)


class WalkedStudio(Studio):
    """A studio in which a person acts once a project is open."""

    folder: Path
    seed: int
    pace_s: float
    """Seconds between two acts."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._person = RandomPerson(self, _Wait(), self.seed, _OF_THE_PLATFORM, _LEFT_ALONE)
        self._heard = 0
        self._is_acting = False
        self._opened: Path | None = None
        """The project, to be opened again when a button closes it."""
        self._listening = self._person.listening(self._say)
        self._listening.__enter__()
        self._timer = QTimer(self)  # a change of the language replaces the window
        self._timer.timeout.connect(self.act_in_project)
        self._timer.start(round(1000 * self.pace_s))

    def end_person(self) -> None:
        """Let nobody act any more."""
        self._timer.stop()
        self._listening.__exit__(None, None, None)

    def act_in_project(self) -> None:
        """Let the person do one thing, once a project is open."""
        # Acts let the window work, which may call the timer again.
        if self._is_acting or not self.is_loaded:
            return
        project = self.project_library.project
        if project is None:
            if self._opened is not None:
                self.project_library.open(self._opened)
            self._opened = None
            return
        self._opened = project.folder
        self._is_acting = True
        try:
            self._person.act()
        finally:
            self._is_acting = False
        if self._person.count % _COUNTED == 0:
            with open(self.folder / ACTS, "w", encoding="utf-8") as file:  # noqa: PTH123
                file.write(str(self._person.count))
        for offence in self._person.offences[self._heard :]:
            self._say("offence", offence, "")
        self._heard = len(self._person.offences)

    def _say(self, kind: str, what: str, why: str) -> None:
        # Not by Path.open, which finds no room on a full disk.
        with open(self.folder / SAID, "a", encoding="utf-8") as file:  # noqa: PTH123
            file.write(json.dumps({"kind": kind, "what": what, "why": why}) + "\n")


def fail_when_asked(folder: Path) -> None:
    """Let the disk be full and the clock jump as the switches say."""
    opened, real, full = Path.open, time.time, folder / DISK_FULL

    def opening(path: Path, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        if set(mode) & _WRITING and full.exists():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        return opened(path, mode, *arguments, **options)

    def jumped() -> float:
        try:
            return float((folder / CLOCK).read_text())
        except (OSError, ValueError):
            return 0.0

    def now() -> dt.datetime:
        return dt.datetime.now(dt.UTC) + dt.timedelta(seconds=jumped())

    Path.open = opening  # type: ignore[method-assign, assignment]
    time.time = lambda: real() + jumped()
    assert Recorder.__init__.__kwdefaults__ is not None
    Recorder.__init__.__kwdefaults__["wall"] = now


def main(arguments: list[str]) -> int:
    """Run the verb ``studio`` with a person in it."""
    compile_methods_late()  # as the program does
    WalkedStudio.folder, WalkedStudio.seed = Path(arguments[0]), int(arguments[1])
    WalkedStudio.pace_s = float(arguments[2])
    fail_when_asked(WalkedStudio.folder)
    program.Studio = WalkedStudio  # type: ignore[misc]
    QDesktopServices.openUrl = lambda _url: False  # type: ignore[method-assign, assignment]
    return waymark(arguments[3:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
