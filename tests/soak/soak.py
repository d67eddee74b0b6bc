"""Soak: two windows with a person each, two phones and a run, and faults at random, for a long time.

    python -m tests.soak.soak [--seconds 1800] [--seed N] [--pace SECONDS] [--report FILE]

It ends with 1 when anything was lost or left behind, or memory grew.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime as dt
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from collector.model.resources import asset
from collector.store.files.layout import CACHE
from studio.app.demo.errors import TourError
from tests.helpers.machine import measured_machine
from tests.soak.background_run import BackgroundRun
from tests.soak.checks import left_in, still_running, what_is_wrong
from tests.soak.memory import grown
from tests.soak.phones import Phone
from tests.soak.station import Station

_TASKS = ("todo-04", "settings-03", "home-01")
"""Of the sample; the recordings and runs of the others are left out."""
_BETWEEN_FAULTS_S = (3.0, 9.0)
_SAMPLE_EVERY_S = 2.0
_MARK = "WAYMARK_SOAK"
"""A variable that every process of the soak has: what is left of them is found by it."""


@dataclass
class SoakReport:
    """What was done, what broke, and what was found at the end."""

    machine: str = ""
    seconds: float = 0
    seed: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    acts: dict[str, int] = field(default_factory=dict)
    """What the windows were asked to do, beside what the person in each did."""
    recorded: int = 0
    """Recordings that were begun."""
    finished_cells: int = 0
    """Episodes of the run that have an outcome."""
    trajectories: int = 0
    """Trajectories that were verified at the end."""
    toasts: int = 0
    memory_mb: dict[str, list[int]] = field(default_factory=dict)
    """Of each window: the first, the middle and the last size of the one that lived longest."""
    wrong: list[str] = field(default_factory=list)
    kept: str = ""
    """The folder of all that was done: it stays when anything is wrong."""
    timeline: list[str] = field(default_factory=list)
    """Each fault, with the time of day and the seconds since the beginning."""

    def lines(self) -> list[str]:
        """The report for a terminal."""
        told = [
            f"{self.seconds:.0f} s, seed {self.seed}",
            "faults: " + ", ".join(f"{count} {name}" for name, count in sorted(self.faults.items())),
            f"recordings {self.recorded}, episodes {self.finished_cells}, toasts {self.toasts}",
            f"verified trajectories: {self.trajectories}",
            *(f"{name}: {sizes} MB" for name, sizes in self.memory_mb.items()),
        ]
        told += [f"all that was done: {self.kept}"] if self.kept else []
        return [
            *told,
            *(f"WRONG: {what}" for what in self.wrong),
            *([] if self.wrong else ["nothing is wrong"]),
        ]


class Soak:
    """The whole scene; :meth:`run` plays it to its end."""

    def __init__(self, place: Path, seconds: float, seed: int, pace_s: float) -> None:
        """``pace_s``: seconds between two acts of each person, and of the agents of the run."""
        self._draw = random.Random(seed)
        self._seconds, self._pace_s = seconds, pace_s
        self.report = SoakReport(seed=seed)
        temporary = place / "tmp"
        temporary.mkdir()
        self._place, self._temporary, self._began = place, temporary, 0.0
        # Its own too: a window is asked through a socket in the folder for temporary files.
        os.environ |= {"TMPDIR": str(temporary), "WAYMARK_HOME": str(place / "home")}
        os.environ[_MARK] = place.name
        tempfile.tempdir = str(temporary)
        self._phones = [Phone() for _number in range(2)]
        self._stations = [
            Station(self._folder(f"window-{number}"), phone, seed + number, pace_s)
            for number, phone in enumerate(self._phones, 1)
        ]
        self._run = BackgroundRun(self._folder("run"), pace_s)

    def _folder(self, name: str) -> Path:
        folder = self._place / name
        folder.mkdir()
        others = {path.name for path in (asset("sample") / "trajectories").iterdir()} - set(_TASKS)
        left_out = shutil.ignore_patterns(".gitkeep", CACHE, *others)
        shutil.copytree(asset("sample"), folder / "project", ignore=left_out)
        return folder

    def run(self) -> SoakReport:
        """Act and break things until the time is over, end everything, and look at what is left."""
        started = self._began = time.monotonic()
        with contextlib.ExitStack() as stack:
            for part in (*self._phones, *self._stations, self._run):
                stack.callback(part.close)
                part.open()
            self._play(started + self._seconds)
            self._calm()
            for station in self._stations:
                station.end()
            self._run.end()
        self.report.seconds = time.monotonic() - started
        self._look()
        self.report.machine = measured_machine()
        return self.report

    def _play(self, end: float) -> None:
        fault, sample = time.monotonic() + _BETWEEN_FAULTS_S[0], 0.0
        while (now := time.monotonic()) < end:
            if now >= fault:
                self._break()
                fault = time.monotonic() + self._draw.uniform(*_BETWEEN_FAULTS_S)
            if now >= sample:
                sample = now + _SAMPLE_EVERY_S
                for station in self._stations:
                    station.measure()
            station = self._draw.choice(self._stations)
            try:
                act = station.act(self._draw)
                self.report.acts[act] = self.report.acts.get(act, 0) + 1
            except TourError as error:
                station.came_to_grief(str(error))
            self._run.look()
            time.sleep(self._pace_s)

    def _break(self) -> None:
        station, phone = self._draw.choice(self._stations), self._draw.choice(self._phones)
        faults: dict[str, Callable[[], None]] = {
            "adb killed": phone.kill_adb, "phone gone": phone.unplug, "phone silent": phone.freeze,
            "disk full": station.fill_disk, "clock jumps": lambda: station.set_clock(self._draw),
            "window killed": station.kill, "worker killed": lambda: self._run.kill_worker(self._draw),
            "runner killed": self._run.kill,
        }  # fmt: skip
        name = self._draw.choice(list(faults))
        self.report.timeline.append(
            f"{dt.datetime.now():%H:%M:%S} {time.monotonic() - self._began:.1f} s: {name}"
            f" ({station.name}, phone of window-{self._phones.index(phone) + 1})"
        )
        faults[name]()
        self.report.faults[name] = self.report.faults.get(name, 0) + 1

    def _calm(self) -> None:
        for phone in self._phones:
            phone.recover()
        for station in self._stations:
            station.recover()

    def _look(self) -> None:
        report, mark = self.report, f"{_MARK}={self._place.name}"
        report.wrong += still_running(mark)
        for station in self._stations:
            report.recorded += len(station.recordings)
            report.toasts += len(station.toasts())
            report.wrong += station.wrong()
            report.memory_mb[station.name] = station.memory.sizes()
            report.wrong += [f"{station.name}: {what}" for what in grown(station.memory)]
        for project in (*(station.project for station in self._stations), self._run.project):
            count, wrong = what_is_wrong(project)
            report.trajectories += count
            report.wrong += wrong
        report.finished_cells = self._run.finished()
        report.wrong += self._run.wrong
        report.wrong += left_in(self._place, self._temporary)
        report.wrong = _each_once(report.wrong)


def _each_once(wrong: list[str]) -> list[str]:
    """What is wrong, of all that begin with the same line the first, with their number."""
    first: dict[str, str] = {}
    for what in wrong:
        first.setdefault(what.partition("\n")[0], what)
    counts = Counter(what.partition("\n")[0] for what in wrong)
    return [f"{counts[line]} times: {what}" if counts[line] > 1 else what for line, what in first.items()]


def main(arguments: list[str]) -> int:
    """Return the exit status: 0 when nothing is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1800)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--report", type=Path)
    parser.add_argument("--pace", type=float, default=0.2, help="seconds between two acts of a person")
    parser.add_argument("--keep", action="store_true", help="keep the folder also when nothing is wrong")
    given = parser.parse_args(arguments)
    place = Path(tempfile.mkdtemp(prefix="waymark-soak-"))
    report = Soak(place, given.seconds, given.seed, given.pace).run()
    if given.keep or report.wrong:
        report.kept = str(place)
    else:
        shutil.rmtree(place, ignore_errors=True)
    sys.stdout.write("\n".join(report.lines()) + "\n")
    if given.report:
        given.report.parent.mkdir(parents=True, exist_ok=True)
        given.report.write_text(json.dumps(asdict(report), indent=2), encoding="utf-8")
    return int(bool(report.wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
