"""A window with a person in it, its project and its phone; it is killed and started again."""

from __future__ import annotations

import datetime as dt
import json
import random
import re
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from collector.store.files import layout
from collector.store.trajectory import trajectory_files
from tests.helpers.killed_window import Window, removed_by_edits, step_lines
from tests.soak.faulty_window import CLOCK, DISK_FULL, SAID
from tests.soak.memory import Memory
from tests.soak.phones import Phone

_PROGRAM = "tests.soak.faulty_window"
_TASK = "todo-04"
_SETTLED_S = 20.0
"""An undo that was on its way when the window answered is done by then, however loaded the machine is."""
_REMEMBERED, _LAST_EDITS = 12, 3
_CALM_ACTS = 40
"""Acts of which one lets a fault of the disk or of the clock end."""
_DAY_S = 86_400
_LOGGED = 150
"""Lines of a log that tell where the threads of a window were."""
_DONE = ("ok", "info")
"""Kinds of toasts that say what was done."""
_EMPTY = "Nothing was recorded"
"""What a window says of a recording that it does not keep."""
_TRAJECTORY = re.compile(r"\b\d{8}-\d{6}-[0-9a-f]{4}\b")
"""The id of a recording, as it is named for people."""
_ACTIONS: tuple[tuple[int, str, dict[str, str]], ...] = (
    (5, "record.wait", {}), (5, "device.home", {}), (4, "device.back", {}),
    (5, "record.open-app", {"package": "com.waymark.shop"}), (2, "edit.undo", {}), (1, "edit.redo", {}),
    (3, "record.finish", {}), (3, "view.record", {}),
)  # fmt: skip


class Station:
    """One of the two places of work."""

    def __init__(self, folder: Path, phone: Phone, seed: int, pace_s: float) -> None:
        self.name, self.project = folder.name, folder / "project"
        self._folder, self._phone, self._seed, self._pace_s = folder, phone, seed, pace_s
        self._window: Window | None = None
        self._desk = folder / "desk"
        """Where the person saves files, and makes folders."""
        self._desk.mkdir()
        self._acts: deque[str] = deque(maxlen=_REMEMBERED)
        self.memory = Memory()
        self.recordings: set[Path] = set()
        self._steps: dict[Path, dict[int, dict[str, Any]]] = {}
        """What was on the disk of each recording when its window was killed or closed."""
        self._wrong: list[str] = []

    def open(self) -> None:
        """Start the window on the project."""
        self._window = Window(
            self.project, self._folder / "home", self._phone.adb.port,
            program=(_PROGRAM, str(self._folder), str(self._seed), str(self._pace_s)), folder=self._desk,
        )  # fmt: skip
        self._seed += 100
        self.memory.begin()

    def close(self) -> None:
        if self._window is not None:
            self._window.kill()
            self._window.close()
            self._window = None

    # -- work ----------------------------------------------------------------
    def act(self, draw: random.Random) -> str:
        """Let the window do one thing; its name. Raises TourError when it does not answer."""
        self._phone.look()
        if draw.randrange(_CALM_ACTS) == 0:
            self.recover()
        window = self._alive()
        state = window.ask("state")
        self._note(window, state["recording"])
        _weight, command, arguments = draw.choices(_ACTIONS, [action[0] for action in _ACTIONS])[0]
        if not state["recording"]["folder"] and state["phone"]["live"]:
            command, arguments = "record.start", {}
            window.run("view.record")
            window.run("record.next-task", task=_TASK)
            state["workspace"] = "record"
        if command.startswith(("record.", "edit.")) and state["workspace"] != "record":
            window.run("view.record")
        self._acts.append(f"{dt.datetime.now():%H:%M:%S} {command}, with {state['recording']['steps']} steps")
        window.run(command, **arguments)
        return command

    def _note(self, window: Window, recording: Mapping[str, Any]) -> None:
        """Remember what the window says is committed of the recording in front.

        An undo may go on meanwhile: the disk is asked first then, and what the window says later counts.
        """
        if not recording["folder"]:
            return
        folder, said = Path(recording["folder"]), recording["steps"]
        self.recordings.add(folder)
        lines, end = step_lines(folder), time.monotonic() + _SETTLED_S
        answers = [(said, len(lines))]
        while len(lines) < said and time.monotonic() < end:
            again = window.ask("state")["recording"]
            if again["folder"] != recording["folder"]:
                return
            said, lines = again["steps"], step_lines(folder)
            answers.append((said, len(lines)))
        if len(lines) < said:
            edits = trajectory_files.read_lines(folder / layout.EDITS).lines[-_LAST_EDITS:]
            about = [f"said and on the disk: {answers[:_REMEMBERED]}", *self._acts, *map(str, edits)]
            told = "\n  ".join([*about, self._last_log()])
            self._wrong.append(f"{folder.name}: {said} steps said, {len(lines)} on the disk\n  {told}")
        self._steps[folder] = lines

    def _alive(self) -> Window:
        if self._window is None:
            self.open()
        assert self._window is not None
        return self._window

    def measure(self) -> None:
        if self._window is not None:
            self.memory.sample(self._window.pid)

    def came_to_grief(self, why: str) -> None:
        """The window did not do as it was asked: a command that needs arguments may be refused, no more."""
        if self._window is None or not self._window.is_running:
            self._wrong.append("\n  ".join([f"{self.name}: {why}", *self._acts, self._last_log()]))
            self.close()

    # -- faults --------------------------------------------------------------
    def fill_disk(self) -> None:
        (self._folder / DISK_FULL).touch()

    def set_clock(self, draw: random.Random) -> None:
        """Let the clock jump by up to a day, forwards or back."""
        (self._folder / CLOCK).write_text(str(draw.randint(-_DAY_S, _DAY_S)))

    def recover(self) -> None:
        """There is room on the disk again, and the clock is right."""
        (self._folder / DISK_FULL).unlink(missing_ok=True)
        (self._folder / CLOCK).unlink(missing_ok=True)

    def kill(self) -> None:
        self.close()

    def end(self) -> None:
        """Close the window as a person does. Raises TourError when it does not end well."""
        if self._window is None:
            return
        self._window.close()
        if self._window.ended_late:
            self._wrong.append(f"{self.name}: the deadline had to end the window\n{self._last_log()}")
        self._window = None

    def _last_log(self) -> str:
        """The end of the window's log: where its threads were."""
        logs = sorted(self._folder.rglob("studio.log"), key=lambda path: path.stat().st_mtime)
        return "\n".join(logs[-1].read_text("utf-8", "replace").splitlines()[-_LOGGED:]) if logs else ""

    # -- what is found -------------------------------------------------------
    def toasts(self) -> list[dict[str, str]]:
        """What the window said to people, and what should not have happened."""
        path = self._folder / SAID
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []

    def wrong(self) -> list[str]:
        """Steps that were committed and are gone, recordings that were said to be saved and are not there."""
        # In its project and in the sample, which the person may have opened; in the trash too.
        there = {path.name for path in self._folder.rglob("*") if path.is_dir()}
        wrong = list(self._wrong)
        for entry in self.toasts():
            if entry["kind"] == "offence":
                wrong.append(f"{self.name}: {entry['what']}")
            elif entry["kind"] in _DONE:
                named = set(_TRAJECTORY.findall(f"{entry['what']} {entry['why']}"))
                if entry["what"] == _EMPTY:
                    wrong += [f"{self.name}: {entry['what']}: {name} is there" for name in named & there]
                    continue
                wrong += [f"{self.name}: {entry['what']}: {name} is nowhere" for name in named - there]
        for folder, before in self._steps.items():
            if not folder.exists():
                if before and folder.name not in there:
                    wrong.append(f"{self.name}: {folder.name} is gone")
                continue
            missing = before.keys() - step_lines(folder).keys() - removed_by_edits(folder)
            wrong += [f"{self.name}: {folder.name} lost step {seq}" for seq in sorted(missing)]
        return wrong
