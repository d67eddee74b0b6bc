"""Kill the real window with SIGKILL while it records, and check what is left on the disk."""

from __future__ import annotations

import contextlib
import io
import json
import random
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collector.cli.main import main
from collector.model.task import Task
from collector.store.files import layout
from collector.store.files.findings import ERROR, NOTICE
from collector.store.project.project import Project
from collector.store.trajectory import trajectory_files
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.writer import TrajectoryWriter
from studio.app.demo.studio_process import StudioProcess
from tests.helpers.phone_server import PhoneServer

PATIENCE_S = 30.0
TASK = Task("shop-14", "Sign in and put a poster into the cart", "Shop", "com.waymark.shop")
_LONGEST_S = 1.2
_HURRIED_S = 0.12
_IN_COMMIT_S = 0.005
# Weight, command and arguments of what a person does.
_ACTIONS: tuple[tuple[int, str, dict[str, str]], ...] = (
    (4, "device.home", {}),
    (4, "device.back", {}),
    (4, "record.wait", {}),
    (4, "record.open-app", {"package": "com.waymark.shop"}),
    (2, "edit.undo", {}),
    (1, "edit.redo", {}),
)
_ONLY_WHEN = {"edit.undo": "undo.possible", "edit.redo": "redo.possible"}


class Window(StudioProcess):
    """``waymark studio PROJECT`` as a process of its own, without a screen."""

    def __init__(
        self, project: Path, home: Path, adb_port: int, *, input_server: bool = False,
        program: Sequence[str] = (), folder: Path | None = None,
    ) -> None:  # fmt: skip
        """``input_server`` lets :class:`studio.app.demo.qt_driver.QtDriver` click in it.

        ``program`` is another module that runs the verb, and the words before it. ``folder`` is the current
        one, in which dialogs of files begin.
        """
        module = "studio.app.demo.qt_driver_host" if input_server else "collector.cli.main"
        environment = {
            "WAYMARK_HOME": str(home),
            "ANDROID_ADB_SERVER_PORT": str(adb_port),
            "QT_QPA_PLATFORM": "offscreen",
        }
        home.mkdir(exist_ok=True)
        super().__init__(["-m", *(program or [module]), "studio", str(project)], environment, home, folder)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    @property
    def folder(self) -> Path:
        """The folder of the trajectory that is being recorded."""
        return Path(self.recording["folder"])

    @property
    def recording(self) -> dict[str, Any]:
        """The state of the recording as the window answers it, with its number of committed steps."""
        answer: dict[str, Any] = self.ask("state")["recording"]
        return answer

    def until(self, question: str, met: Any, what: str) -> Any:
        return self.wait(question, met, what, PATIENCE_S)

    def until_ready(self) -> None:
        """Wait until the project is open and the phone is live; choose the task."""
        self.until("state", lambda state: state["context"].get("project.open"), "the project")
        self.run("record.next-task", task=TASK.id)
        self.until("state", lambda state: state["phone"]["live"], "the phone")

    def until_steps(self, count: int) -> None:
        self.until("state", lambda state: state["recording"]["steps"] >= count, f"{count} steps")

    def kill(self) -> None:
        """Kill the window with SIGKILL: no handler runs and nothing is flushed."""
        self._process.kill()
        self._process.wait()

    def hang_up(self) -> None:
        """Send SIGHUP, as a terminal does that is closed. Raises TourError for a bad end."""
        self._process.send_signal(signal.SIGHUP)
        self._process.wait(PATIENCE_S)
        super().close()

    def close(self) -> None:
        if self._process.returncode is None:
            super().close()
            return
        self._socket.abort()
        self._log.close()


@dataclass
class Witness:
    """What was known of a recording from outside at the moment of the kill."""

    folder: Path | None = None
    steps: dict[int, dict[str, Any]] = field(default_factory=dict)
    """``seq`` -> whole line of ``steps.jsonl``."""
    reported: int = 0
    """Number of committed steps in the last answer of the window."""
    captured: int = 0

    def look(self) -> None:
        if self.folder is not None:
            self.steps = step_lines(self.folder)


def step_lines(folder: Path) -> dict[int, dict[str, Any]]:
    """Return the complete lines of ``steps.jsonl`` by ``seq``, without a torn last line."""
    path = folder / layout.STEPS
    whole = path.read_bytes().rpartition(b"\n")[0] if path.exists() else b""
    return {line["seq"]: line for line in map(json.loads, whole.splitlines())}


def removed_by_edits(folder: Path) -> set[int]:
    """Return the ``seq`` of the steps that an edit removed; undo or redo can bring them back."""
    changes = trajectory_files.read_lines(folder / layout.EDITS).lines
    return {line["seq"] for change in changes for splice in change["splices"] for line in splice["removed"]}


@contextlib.contextmanager
def phone_for_windows(place: Path, phones: PhoneServer) -> Iterator[tuple[Path, int]]:
    """Yield a project with one task, and the port of an adb server with one virtual phone."""
    project = Project.create(place / "project")
    project.save_tasks([TASK])
    with phones.phone():
        yield project.folder, phones.adb.port


def record_and_kill(window: Window, draw: random.Random) -> Witness:
    """Start a recording, act, and kill the window at a random moment or while it writes a file."""
    moment, in_commit = draw.random() * _LONGEST_S, draw.random() < 0.5
    witness = Witness()
    end = time.monotonic() + moment
    window.run("record.start")
    while time.monotonic() < end:
        state = window.recording
        witness.folder = Path(state["folder"]) if state["folder"] else None
        witness.reported, witness.captured = state["steps"], state["captured"]
        if witness.folder is not None:
            _act(window, draw)
        # The pace of a fast person; nothing is waited for.
        time.sleep(draw.random() * _HURRIED_S)
    if in_commit and witness.folder is not None:
        window.run("record.wait")
        _spin_until_written(witness.folder, draw.random() * _IN_COMMIT_S)
    witness.look()
    window.kill()
    return witness


def _act(window: Window, draw: random.Random) -> None:
    _weight, command, arguments = draw.choices(_ACTIONS, [action[0] for action in _ACTIONS])[0]
    needs = _ONLY_WHEN.get(command)
    if needs is None or window.ask("state")["context"].get(needs):
        window.run(command, **arguments)


def _spin_until_written(folder: Path, longer: float) -> None:
    """Wait for the next file of a state and then ``longer`` seconds, to hit any moment of a commit."""
    states = folder / layout.STATES
    before = set(states.iterdir())
    limit = time.monotonic() + 1
    while set(states.iterdir()) == before and time.monotonic() < limit:
        pass
    limit = time.monotonic() + longer
    while time.monotonic() < limit:
        pass


def waymark(*arguments: str) -> tuple[int, Any]:
    """Run a command; return its exit status and the JSON document that it printed."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        status = main([*arguments, "--json"])
    return status, json.loads(output.getvalue())


@dataclass(frozen=True)
class KillOutcome:
    """The result of one kill, after the recovery."""

    at_kill: int
    """Steps that were complete on the disk at the kill."""
    recovered: int
    """Steps after the recovery, without those removed by an undo."""
    undone: int
    in_flight: int
    """Steps that were captured in memory and not yet committed."""
    repairs: tuple[str, ...]


def reopen(project: Path, witness: Witness) -> KillOutcome:
    """Open, verify, recover and check a killed recording. Fails when a committed step is lost."""
    folder = witness.folder
    if folder is None or not (folder / layout.HEADER).exists():
        # Killed before there was a trajectory: recovery removes the empty folder that may be left.
        status, _answer = waymark("project", "recover", str(project))
        assert status == 0
        _check_project(project)
        return KillOutcome(0, 0, 0, 0, ())
    assert not open_trajectory(folder).problems
    _status, answer = waymark("trajectory", "verify", folder.name, "--project", str(project))
    assert not [finding for finding in answer["problems"] if finding["severity"] == ERROR]
    status, answer = waymark("project", "recover", str(project))
    assert status == 0
    recovered = [entry for entry in answer["recovered"] if entry["trajectory"].endswith(folder.name)]
    assert len(recovered) == 1, answer
    _check_project(project)
    recovered_steps, undone = step_lines(folder), removed_by_edits(folder)
    for seq, line in witness.steps.items():
        # An undo renumbers the steps after it; the rest of a committed line must not change.
        assert seq in undone or _without_index(recovered_steps[seq]) == _without_index(line)
    stored = open_trajectory(folder)
    assert stored.header.status == "recovered"
    assert [step.index for step in stored.steps] == list(range(len(recovered_steps)))
    with TrajectoryWriter.open(folder) as writer:
        assert len(writer) == len(recovered_steps)
    in_flight = max(0, witness.captured - len(recovered_steps.keys() | undone))
    return KillOutcome(
        len(witness.steps), len(recovered_steps), len(undone), in_flight, tuple(recovered[0]["mended"])
    )


def _without_index(line: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name != "index"}


def _check_project(project: Path) -> None:
    status, answer = waymark("project", "check", str(project))
    problems = [problem for problem in answer["problems"] if problem["severity"] != NOTICE]
    assert (status, problems) == (0, [])
