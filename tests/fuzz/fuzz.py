"""Change what is read from others at random, and keep each input that goes wrong.

    python -m tests.fuzz.fuzz [--seconds 30] [--seed N] [--jobs 2] [TARGET ...]

Each target of :mod:`tests.fuzz.targets` is tried for so many seconds in a process of its own. Inputs that
reach lines of the product which no other reached are kept in ``build/fuzz`` and changed further, in later
runs too. One that goes wrong is made small and written into ``tests/fuzz/corpus``, from where every run of
the tests reads it again. It ends with 1 when there is one.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import faulthandler
import hashlib
import json
import logging
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.limits import ROOT, Finding, limit_memory, watched
from tests.fuzz.mutations import mutated
from tests.fuzz.new_lines import NewLines
from tests.fuzz.shrinking import shrunk
from tests.fuzz.targets import TARGETS, Target

GROWN = ROOT / "build" / "fuzz"
"""Inputs found by earlier runs on this machine."""
_STUCK_S = 60
"""Seconds on one input after which the process is ended: code in C cannot be interrupted."""
_STUCK = "Timeout ("
"""How faulthandler says so."""
_ENDED_BY_PEOPLE = (-signal.SIGTERM, -signal.SIGINT)
_LONGEST_KEPT = 20_000
_NEWEST = 8


@dataclass
class Tried:
    """What a target was tried with."""

    inputs: int = 0
    lines: int = 0
    """Lines of the product that ran."""
    findings: dict[str, str] = field(default_factory=dict)
    """Name of the kept file -> traceback."""


class Trial:
    """Tries one target."""

    def __init__(self, target: Target, seed: int, corpus: Path, grown: Path) -> None:
        self._target, self._corpus, self._grown = target, corpus, grown
        self._draw, self._lines = random.Random(f"{seed} {target.name}"), NewLines()
        self._pool: list[bytes] = []
        self._names: set[str] = set()
        self.tried = Tried()

    def run(self, goes_on: Callable[[int], bool]) -> Tried:
        """Try inputs while ``goes_on``, given their number, says so."""
        for path in (*self._target.samples, *_files(self._corpus), *_files(self._grown)):
            self._try(path.read_bytes(), is_new=False)
        self._pool = self._pool or [b""]
        while goes_on(self.tried.inputs):
            # What was found last leads on to more.
            pool = self._pool[-_NEWEST:] if self._draw.random() < 0.3 else self._pool
            self._try(
                mutated(self._draw, self._draw.choice(pool), self._pool, self._target.grammar), is_new=True
            )
        self.tried.lines = self._lines.count
        return self.tried

    def _try(self, data: bytes, *, is_new: bool) -> None:
        self.tried.inputs += 1
        _note_current(self._grown, data)
        with self._lines:
            finding = self._watched(data)
        if finding is not None:
            if finding.name not in self._names:
                self._keep(finding, data)
            return
        if not is_new or (self._lines.has_new and len(data) <= _LONGEST_KEPT):
            self._pool.append(data)
            if is_new:
                self._grown.mkdir(parents=True, exist_ok=True)
                (self._grown / _digest(data)).write_bytes(data)

    def _watched(self, data: bytes) -> Finding | None:
        faulthandler.dump_traceback_later(_STUCK_S, exit=True)
        try:
            return watched(self._target.read, self._target.refuses, data)
        finally:
            faulthandler.cancel_dump_traceback_later()

    def _keep(self, finding: Finding, data: bytes) -> None:
        """Write the smallest input that does the same into the corpus."""
        self._names.add(finding.name)

        def is_same(smaller: bytes) -> bool:
            again = self._watched(smaller)
            return again is not None and again.name == finding.name

        if finding.kind != "too-slow" and is_same(data):
            data = shrunk(data, is_same)
        self.tried.findings[keep(self._corpus, finding.name, data)] = finding.details


def keep(corpus: Path, name: str, data: bytes) -> str:
    """Write an input that went wrong; the name of its file."""
    corpus.mkdir(parents=True, exist_ok=True)
    path = corpus / f"{name}-{_digest(data)[:8]}"
    path.write_bytes(data)
    return path.name


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*") if path.is_file())


def _current(grown: Path) -> Path:
    return grown.with_name(f"{grown.name}.input")


def _note_current(grown: Path, data: bytes) -> None:
    """Have the input on the disk, for when the process does not survive it."""
    grown.parent.mkdir(parents=True, exist_ok=True)
    _current(grown).write_bytes(data)


# -- processes ---------------------------------------------------------------
def _alone(name: str, seed: int, seconds: float) -> Tried:
    """Try a target in a process of its own; what ends that process is a finding."""
    words = ["-m", "tests.fuzz.fuzz", "--alone", "--seconds", str(seconds), "--seed", str(seed), name]
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if not done.returncode:
        said = json.loads(done.stdout)
        return Tried(said["inputs"], said["lines"], said["findings"])
    is_stuck = _STUCK in done.stderr
    if (done.returncode > 0 and not is_stuck) or done.returncode in _ENDED_BY_PEOPLE:
        raise RuntimeError(f"{name}: {done.stderr}")  # of this program itself
    kept = keep(
        _target(name).corpus,
        "stuck" if is_stuck else f"died-{-done.returncode}",
        _current(GROWN / name).read_bytes(),
    )
    return Tried(findings={kept: done.stderr[-2000:]})


def _target(name: str) -> Target:
    return next(target for target in TARGETS if target.name == name)


def _try_alone(name: str, seed: int, seconds: float) -> None:
    limit_memory()
    logging.disable(logging.CRITICAL)
    target, end = _target(name), time.process_time() + seconds
    tried = Trial(target, seed, target.corpus, GROWN / name).run(lambda _count: time.process_time() < end)
    json.dump({"inputs": tried.inputs, "lines": tried.lines, "findings": tried.findings}, sys.stdout)


def main(arguments: list[str]) -> int:
    """Return the exit status: 0 when nothing went wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "targets", nargs="*", choices=[[], *(target.name for target in TARGETS)], metavar="TARGET"
    )
    parser.add_argument("--seconds", type=float, default=30, help="processor time for each target")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    names = given.targets or [target.name for target in TARGETS]
    if given.alone:
        _try_alone(names[0], given.seed, given.seconds)
        return 0
    wrong = 0
    sys.stdout.write(f"seed {given.seed}\n")
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        waiting = {pool.submit(_alone, name, given.seed, given.seconds): name for name in names}
        for future in concurrent.futures.as_completed(waiting):
            tried, name = future.result(), waiting[future]
            sys.stdout.write(f"{name}: {tried.inputs} inputs, {tried.lines} lines\n")
            for kept, details in tried.findings.items():
                wrong += 1
                sys.stdout.write(f"WRONG: tests/fuzz/corpus/{name}/{kept}\n{details}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{wrong} went wrong\n" if wrong else "nothing went wrong\n")
    return int(bool(wrong))


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main(sys.argv[1:]))
