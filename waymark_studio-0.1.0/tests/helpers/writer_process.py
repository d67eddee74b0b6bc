"""A process that writes a trajectory, one command after another."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHILD = """
import os, pathlib, sys
from collector.model.trajectory import TrajectoryHeader
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml

writer = None
for line in sys.stdin:
    word, *rest = line.split()
    if word == "create":
        if writer is not None:
            writer.close()
        writer = TrajectoryWriter.create(pathlib.Path(rest[0]), TrajectoryHeader("one", "t"))
    elif word == "append":
        for number in rest:
            writer.append(step(int(number)), png(), xml())
    elif word == "event":
        writer.event(rest[0], int(rest[1]))
    elif word == "tear":
        with (writer.folder / rest[0]).open("ab") as file:
            file.write(b'{"seq":9,"index":2,"t_m')
    elif word == "delete":
        writer.delete(int(rest[0]))
    elif word == "finish":
        writer.finish()
        writer.close()
    os.write(1, b"done\\n")
"""


class WriterProcess:
    """A process that writes a trajectory, one command after another."""

    def __init__(self) -> None:
        self.folder = Path()
        self.process = subprocess.Popen(
            [sys.executable, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip

    def create(self, folder: Path) -> None:
        """Begin a trajectory in ``folder``; the one before is closed."""
        self.do("create", folder)
        self.folder = folder / "one"

    def do(self, *words: object) -> None:
        """Run a command and wait until it is done."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n"

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()
