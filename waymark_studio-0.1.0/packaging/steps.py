"""Run the steps of a recipe: one after another, or in lanes at the same time; a summary ends it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_LOOK_EVERY_S = 0.1


@dataclass(frozen=True)
class Step:
    """One command of a recipe, with its title in the summary.

    Steps of one lane run one after another; lanes run at the same time.
    """

    title: str
    command: list[str]
    lane: int = 0


@dataclass(frozen=True)
class Place:
    """Where the commands run: their folder and their environment."""

    folder: Path
    environment: Mapping[str, str]


class Run:
    """One run of a step: how it ended, and after how many seconds."""

    def __init__(self, step: Step, place: Place) -> None:
        self.step = step
        self.status: int | None = None
        self.seconds = 0.0
        self._place = place
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0

    def announce(self) -> None:
        """Print the line above the output of the step."""
        print(f"== {self.step.title}: {Path(self.step.command[0]).name}", flush=True)

    def start(self, output: Path | None = None) -> None:
        """Start the command. Without a file its output appears as it comes, and it may ask the terminal."""
        self._started = time.monotonic()
        command, cwd, env = self.step.command, self._place.folder, self._place.environment
        if output is None:
            self._process = subprocess.Popen(command, cwd=cwd, env=env)
            return
        with output.open("wb") as file:
            self._process = subprocess.Popen(
                command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT
            )

    def look(self, *, wait: bool = False) -> bool:
        """Return whether the command has ended, and keep how it ended."""
        if self.status is None and self._process is not None:
            self.status = self._process.wait() if wait else self._process.poll()
            self.seconds = time.monotonic() - self._started
        return self.status is not None

    def stop(self) -> None:
        """End the command if it runs."""
        if self._process is not None and not self.look():
            self._process.terminate()
            self.look(wait=True)


class Lanes:
    """Starts the steps of each lane as the one before ends. Their output goes to a file each."""

    def __init__(self, runs: list[Run], folder: Path) -> None:
        self._runs = runs
        self._folder = folder
        self._lanes = [[run for run in runs if run.step.lane == lane] for lane in {r.step.lane for r in runs}]

    def output(self, run: Run) -> Path:
        """The file of a step's output."""
        return self._folder / f"{self._runs.index(run)}.txt"

    def advance(self) -> None:
        """Start what can be started, then let a moment pass."""
        for lane in self._lanes:
            while lane and lane[0].look():
                del lane[0]
            if lane and not (output := self.output(lane[0])).exists():
                lane[0].start(output)
        time.sleep(_LOOK_EVERY_S)


def follow(steps: list[Step], place: Place) -> int:
    """Run every step, even after a failure, and print a summary; return 0 when all succeeded."""
    started = time.monotonic()
    runs = [Run(step, place) for step in steps]
    try:
        if len({step.lane for step in steps}) > 1:
            _follow_lanes(runs)
        else:
            _follow_each(runs)
    finally:
        for run in runs:
            run.stop()
    if len(runs) > 1:
        print("\n== summary")
        for run in runs:
            print(f"{'FAILED' if run.status else 'ok    '}  {run.seconds:7.1f} s  {run.step.title}")
        succeeded = sum(run.status == 0 for run in runs)
        print(f"{succeeded} of {len(runs)} succeeded, {time.monotonic() - started:.0f} s", flush=True)
    return max((abs(run.status or 0) for run in runs), default=0)


def _follow_each(runs: list[Run]) -> None:
    for run in runs:
        run.announce()
        run.start()
        run.look(wait=True)


def _follow_lanes(runs: list[Run]) -> None:
    """Print the output of one step after another in their order, while all lanes go on."""
    with tempfile.TemporaryDirectory(prefix="waymark-recipe-") as folder:
        lanes = Lanes(runs, Path(folder))
        for run in runs:
            run.announce()
            while not lanes.output(run).exists():
                lanes.advance()
            with lanes.output(run).open("rb") as output:
                is_over = False
                while not is_over:
                    is_over = run.look()  # before the rest of its output is read
                    shutil.copyfileobj(output, sys.stdout.buffer)
                    sys.stdout.flush()
                    lanes.advance()
