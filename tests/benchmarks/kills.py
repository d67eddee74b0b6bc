"""Fifty kills: the window records on a virtual phone and gets SIGKILL at a random moment, again and again.

    python -m tests.benchmarks.kills [ROUNDS] [SEED]

One line a kill, and the sums. Ends with 1 when a committed step was lost or a project would not open.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from tests.helpers.killed_window import Outcome, Window, phone_for_windows, record_and_kill, reopen

ROUNDS = 50
SEED = 20260412


def main(words: list[str]) -> int:
    """Exit status: 0 nothing lost."""
    rounds = int(words[0]) if words else ROUNDS
    draw = random.Random(int(words[1]) if len(words) > 1 else SEED)
    outcomes: list[Outcome] = []
    lost = 0
    started = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="waymark-kills-") as place,
        phone_for_windows(Path(place)) as (project, adb_port),
    ):
        for number in range(1, rounds + 1):
            with Window(project, Path(place) / "home", adb_port) as window:
                window.until_ready()
                witness = record_and_kill(window, draw)
            try:
                outcomes.append(reopen(project, witness))
            except AssertionError as error:
                lost += 1
                print(f"{number:3}  LOST  {witness.folder}: {error}", flush=True)
            else:
                print(f"{number:3}  {told(outcomes[-1])}", flush=True)
    print(f"\n{rounds} kills in {time.monotonic() - started:.0f} s, {lost} with something lost")
    for name in ("seen", "kept", "undone", "in_flight"):
        print(f"  {name:10} {sum(getattr(outcome, name) for outcome in outcomes)} steps")
    print(f"  mended     {sum(bool(outcome.mended) for outcome in outcomes)} of {len(outcomes)} trajectories")
    return 1 if lost else 0


def told(one: Outcome) -> str:
    """One line for one kill."""
    figures = f"seen {one.seen:3}  kept {one.kept:3}  undone {one.undone:2}  in flight {one.in_flight:2}"
    return f"{figures}  {'; '.join(one.mended)}".rstrip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
