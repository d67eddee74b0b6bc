"""SIGKILL at random moments of a recording: no committed step is lost, and it always reopens."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from collector.store.files.errors import Locked
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.recover import needs_recovery, recover
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png

ROOT = Path(__file__).resolve().parents[3]
KILLS = 50
CHILD = """
import os, pathlib, sys
from collector.model.trajectory import TrajectoryHeader
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml

def say(*words):
    # In one write: half a line of a killed process would run into the next one's.
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())

def record(folder):
    writer = TrajectoryWriter.create(pathlib.Path(folder), TrajectoryHeader("one", "t"))
    number = 0
    while True:
        writer.append(step(number), png(shade=number % 256), xml())
        say("+", number)
        if number % 7 == 3:
            say("?", "delete")
            writer.delete(len(writer) - 2)
            say("-", number - 1)
        number += 1

# One interpreter for all rounds: each recording runs in a fork, which is what gets killed.
for line in sys.stdin:
    child = os.fork()
    if not child:
        record(line.strip())
    say("pid", child)
    os.waitpid(child, 0)
    say("gone")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
def test_fifty_kills_lose_no_committed_step(tmp_path: Path) -> None:
    draw = random.Random(20260412)
    with subprocess.Popen(
        [sys.executable, "-c", CHILD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        for number in range(KILLS):
            folder = tmp_path / str(number)
            folder.mkdir()
            committed, deleting = _record_and_kill(
                process, folder, draw.randint(1, 20), draw.random() * 0.004
            )
            _check(folder / "one", committed, deleting)
        process.stdin.close()  # type: ignore[union-attr]


def _record_and_kill(
    process: subprocess.Popen, folder: Path, kill_after: int, delay: float
) -> tuple[set[int], bool]:
    """The steps the child said were committed, and whether a deletion was on its way."""
    process.stdin.write(f"{folder}\n")
    process.stdin.flush()
    committed: set[int] = set()
    deleting, killed, pid = False, False, 0
    for lines, line in enumerate(process.stdout, start=1):
        word, _, rest = line.strip().partition(" ")
        if word == "pid":
            pid = int(rest)
        elif word == "gone":
            return committed, deleting
        elif word == "?":
            deleting = True
        elif word == "-":
            committed.discard(int(rest))
            deleting = False
        else:
            committed.add(int(rest))
        if pid and not killed and lines >= kill_after:
            _spin(delay)
            os.kill(pid, signal.SIGKILL)
            killed = True
    raise AssertionError("the recording process ended by itself")


def _spin(seconds: float) -> None:
    """Spread the kills over the whole of a commit instead of always hitting its beginning."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def _check(folder: Path, committed: set[int], deleting: bool) -> None:
    if not (folder / "trajectory.json").exists():
        assert not committed  # killed before there was a trajectory
        return
    assert needs_recovery(folder)
    with pytest.raises(Locked) as offered:
        TrajectoryWriter.open(folder)
    assert offered.value.stale
    before = {step.t_ms // 100 for step in open_trajectory(folder).steps}
    recover(folder)
    trajectory = open_trajectory(folder)
    assert not trajectory.problems
    assert trajectory.header.status == "recovered"
    numbers = {step.t_ms // 100 for step in trajectory.steps}
    assert numbers == before
    lost = committed - numbers
    assert not lost or (deleting and len(lost) == 1), f"lost {lost}"
    assert len(numbers - committed) <= 1  # at most the step in flight came through
    for step in trajectory.steps:
        assert trajectory.screenshot(step) == png(shade=(step.t_ms // 100) % 256)
    with TrajectoryWriter.open(folder) as writer:
        assert len(writer) == len(trajectory.steps)
