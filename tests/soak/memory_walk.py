"""How much memory the window has after a person acted at random in it, over all workspaces, with a phone.

    python -m tests.soak.memory_walk [--seconds 900] [--seed N]

It ends with 1 when the window has more than it may, when the person stood still, or when anything was said
that should not be.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

from collector.model.resources import asset
from collector.store.files.layout import CACHE
from tests.helpers.killed_window import Window
from tests.soak.faulty_window import ACTS, SAID
from tests.soak.phones import Phone

_MOST_MB, _MOST_AT_ONCE_MB = 450, 500
"""Resident at the end and at any time, with the pages of libraries and fonts that other programs share."""
_PACE_S = 0.001
_STILL_S, _LOOK_S = 120.0, 2.0


def walked(place: Path, seconds: float, seed: int, phone: Phone) -> list[str]:
    """Let the person act for a time; what is wrong then."""
    project, home = place / "project", place / "home"
    shutil.copytree(asset("sample"), project, ignore=shutil.ignore_patterns(".gitkeep", CACHE))
    program = ("tests.soak.faulty_window", str(place), str(seed), str(_PACE_S))
    window = Window(project, home, phone.adb.port, program=program, folder=place)
    wrong: list[str] = []
    try:
        acts, acted, most = 0, time.monotonic(), 0
        end = acted + seconds
        while (now := time.monotonic()) < end and window.is_running:
            time.sleep(_LOOK_S)
            most = max(most, _resident_mb(window.pid))
            if (count := _acts(place)) != acts:
                acts, acted = count, now
            if now - acted > _STILL_S:
                wrong.append(f"the person stood still after {acts} acts")
                break
        if not window.is_running:
            return [f"the window ended after {acts} acts"]
        size = _resident_mb(window.pid)
        sys.stdout.write(f"seed {seed}: {size} MB after {acts} acts, {most} MB at most\n")
        wrong += _over(size, most)
    finally:
        window.kill()
        window.close()
    said = place / SAID
    lines = map(json.loads, said.read_text("utf-8").splitlines()) if said.exists() else ()
    return [*wrong, *(line["what"] for line in lines if line["kind"] == "offence")]


def _over(size: int, most: int) -> list[str]:
    at_once = [f"{most} MB at once"] if most > _MOST_AT_ONCE_MB else []
    return [f"{size} MB", *at_once] if size > _MOST_MB else at_once


def _acts(place: Path) -> int:
    try:
        return int((place / ACTS).read_text("utf-8") or 0)
    except FileNotFoundError:
        return 0


def _resident_mb(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    except OSError:  # it ended
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS:")), 0) // 1024


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=900)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(words)
    phone = Phone()
    with tempfile.TemporaryDirectory(prefix="waymark-walk-") as place:
        phone.open()
        try:
            wrong = walked(Path(place), given.seconds, given.seed, phone)
        finally:
            phone.close()
    for what in wrong:
        sys.stdout.write(f"WRONG: {what}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
