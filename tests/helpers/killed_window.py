"""The real window, killed with SIGKILL while it records, and a witness of what it had committed."""

from __future__ import annotations

import contextlib
import io
import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collector.cli.main import main
from collector.model.task import Task
from collector.store import layout, trajectory_files
from collector.store.check import ERROR
from collector.store.project import Project
from collector.store.reader import open_trajectory
from collector.store.writer import TrajectoryWriter
from studio.app.demo.studio_process import StudioProcess
from tests.helpers.virtual import adb_server, virtual_process

PATIENCE_S = 30.0
TASK = Task("shop-14", "Sign in and put a poster into the cart", "Shop", "com.waymark.shop")
_LONGEST_S = 1.2
_HURRIED_S = 0.12
_IN_COMMIT_S = 0.005
# What a person does, as commands of the window, and how often.
_DEEDS: tuple[tuple[int, str, dict[str, str]], ...] = (
    (4, "device.home", {}),
    (4, "device.back", {}),
    (4, "record.wait", {}),
    (4, "record.open-app", {"package": "com.waymark.shop"}),
    (2, "record.undo", {}),
    (1, "record.redo", {}),
)
_ONLY_WHEN = {"record.undo": "record.undoable", "record.redo": "record.redoable"}


class Window(StudioProcess):
    """``waymark studio PROJECT`` as a process of its own, without a screen."""

    def __init__(self, project: Path, home: Path, adb_port: int, *, input_server: bool = False) -> None:
        """``input_server`` lets :class:`studio.app.demo.qt_driver.QtDriver` click in it."""
        module = "studio.app.demo.qt_driver_host" if input_server else "collector.cli.main"
        environment = {
            "WAYMARK_HOME": str(home),
            "ANDROID_ADB_SERVER_PORT": str(adb_port),
            "QT_QPA_PLATFORM": "offscreen",
        }
        home.mkdir(exist_ok=True)
        super().__init__(["-m", module, "studio", str(project)], environment, home)

    def run(self, command: str, **arguments: str) -> None:
        """Run a command of the window, as a key press does."""
        self._request({"run": command, "arguments": arguments})

    @property
    def folder(self) -> Path:
        """Of the trajectory being recorded."""
        return Path(self.recording["folder"])

    @property
    def recording(self) -> dict[str, Any]:
        """What the window says of the recording, its count of committed steps included."""
        answer: dict[str, Any] = self.ask("state")["recording"]
        return answer

    def until(self, question: str, met: Any, what: str) -> Any:
        return self.wait(question, met, what, PATIENCE_S)

    def until_ready(self) -> None:
        """The project is open, the task chosen and the phone live."""
        self.until("state", lambda state: state["context"].get("project.open"), "the project")
        self.run("record.next-task", task=TASK.id)
        self.until("state", lambda state: state["phone"]["live"], "the phone")

    def until_steps(self, count: int) -> None:
        self.until("state", lambda state: state["recording"]["steps"] >= count, f"{count} steps")

    def kill(self) -> None:
        """SIGKILL: no handler, no flush, no farewell."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        if self._process.returncode is None:
            super().close()
            return
        self._socket.abort()
        self._log.close()


@dataclass
class Witness:
    """What could be read of a recording from outside at the moment of the kill."""

    folder: Path | None = None
    steps: dict[int, dict[str, Any]] = field(default_factory=dict)
    """``seq`` -> whole line of ``steps.jsonl``."""
    said: int = 0
    """Steps the window last said were committed."""
    captured: int = 0

    def look(self) -> None:
        if self.folder is not None:
            self.steps = step_lines(self.folder)


def step_lines(folder: Path) -> dict[int, dict[str, Any]]:
    """The whole lines of ``steps.jsonl`` by ``seq``; a torn last line is none."""
    path = folder / layout.STEPS
    whole = path.read_bytes().rpartition(b"\n")[0] if path.exists() else b""
    return {line["seq"]: line for line in map(json.loads, whole.splitlines())}


def taken_back(folder: Path) -> set[int]:
    """``seq`` of steps that an edit of the journal took out: they can be had again by undo or redo."""
    changes = trajectory_files.read_lines(folder / layout.EDITS).lines
    return {line["seq"] for change in changes for splice in change["splices"] for line in splice["removed"]}


@contextlib.contextmanager
def phone_for_windows(place: Path) -> Iterator[tuple[Path, int]]:
    """A project with one task and the port of an adb server with a virtual phone on it."""
    project = Project.create(place / "project")
    project.save_tasks([TASK])
    with (
        adb_server() as server,
        virtual_process("--size", "720x1600", "--density", "320") as (_process, address),
    ):
        server.connect(address)
        yield project.folder, server.port


def record_and_kill(window: Window, draw: random.Random) -> Witness:
    """Begin a recording, act, and kill at a moment drawn: any, or while something is being written."""
    moment, in_commit = draw.random() * _LONGEST_S, draw.random() < 0.5
    witness = Witness()
    end = time.monotonic() + moment
    window.run("record.start")
    while time.monotonic() < end:
        told = window.recording
        witness.folder = Path(told["folder"]) if told["folder"] else None
        witness.said, witness.captured = told["steps"], told["captured"]
        if witness.folder is not None:
            _act(window, draw)
        # A person in a hurry; not a wait for anything.
        time.sleep(draw.random() * _HURRIED_S)
    if in_commit and witness.folder is not None:
        window.run("record.wait")
        _spin_until_written(witness.folder, draw.random() * _IN_COMMIT_S)
    witness.look()
    window.kill()
    return witness


def _act(window: Window, draw: random.Random) -> None:
    _weight, command, arguments = draw.choices(_DEEDS, [deed[0] for deed in _DEEDS])[0]
    needs = _ONLY_WHEN.get(command)
    if needs is None or window.ask("state")["context"].get(needs):
        window.run(command, **arguments)


def _spin_until_written(folder: Path, longer: float) -> None:
    """Until the next file of a state appears, and then some, to fall anywhere into a commit."""
    states = folder / layout.STATES
    before = set(states.iterdir())
    limit = time.monotonic() + 1
    while set(states.iterdir()) == before and time.monotonic() < limit:
        pass
    limit = time.monotonic() + longer
    while time.monotonic() < limit:
        pass


def waymark(*words: str) -> tuple[int, Any]:
    """Exit status of a command and the one JSON document it printed."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status = main([*words, "--json"])
    return status, json.loads(said.getvalue())


@dataclass(frozen=True)
class Outcome:
    """One kill, and what was found afterwards."""

    seen: int
    """Steps that were whole on the disk at the kill."""
    kept: int
    """Steps there after the recovery, those taken back by an undo not counted."""
    undone: int
    in_flight: int
    """Steps captured in memory that had not been committed; nobody was told they were."""
    mended: tuple[str, ...]


def reopen(project: Path, witness: Witness) -> Outcome:
    """Open, verify, recover and check what a kill left; AssertionError when anything committed is gone."""
    folder = witness.folder
    if folder is None or not (folder / layout.HEADER).exists():
        # Killed before there was a trajectory: at most an empty folder is left, and is cleared away.
        status, _said = waymark("project", "recover", str(project))
        assert status == 0
        _check_whole(project)
        return Outcome(0, 0, 0, 0, ())
    assert not open_trajectory(folder).problems
    _status, said = waymark("trajectory", "verify", folder.name, "--project", str(project))
    assert not [one for one in said["problems"] if one["severity"] == ERROR]
    status, said = waymark("project", "recover", str(project))
    assert status == 0
    recovered = [one for one in said["recovered"] if one["trajectory"].endswith(folder.name)]
    assert len(recovered) == 1, said
    _check_whole(project)
    kept, undone = step_lines(folder), taken_back(folder)
    for seq, line in witness.steps.items():
        # An undo numbers the steps behind it anew; all else of a committed line stays as it was.
        assert seq in undone or _but_place(kept[seq]) == _but_place(line)
    stored = open_trajectory(folder)
    assert stored.header.status == "recovered"
    assert [step.index for step in stored.steps] == list(range(len(kept)))
    with TrajectoryWriter.open(folder) as writer:
        assert len(writer) == len(kept)
    in_flight = max(0, witness.captured - len(kept.keys() | undone))
    return Outcome(len(witness.steps), len(kept), len(undone), in_flight, tuple(recovered[0]["mended"]))


def _but_place(line: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name != "index"}


def _check_whole(project: Path) -> None:
    status, said = waymark("project", "check", str(project))
    assert (status, said["problems"]) == (0, []), said["problems"]
