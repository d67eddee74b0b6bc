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

from tests.helpers.killed_window import KillOutcome, Window, phone_for_windows, record_and_kill, reopen
from tests.helpers.phone_server import PhoneServer

ROUNDS = 50
SEED = 20260412


def main(arguments: list[str]) -> int:
    """Return the exit status: 0 when nothing was lost."""
    rounds = int(arguments[0]) if arguments else ROUNDS
    draw = random.Random(int(arguments[1]) if len(arguments) > 1 else SEED)
    outcomes: list[KillOutcome] = []
    lost = 0
    started = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="waymark-kills-") as place,
        PhoneServer() as phones,
        phone_for_windows(Path(place), phones) as (project, adb_port),
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
                print(f"{number:3}  {summary(outcomes[-1])}", flush=True)
    print(f"\n{rounds} kills in {time.monotonic() - started:.0f} s, {lost} with something lost")
    for name in ("at_kill", "recovered", "undone", "in_flight"):
        print(f"  {name:10} {sum(getattr(outcome, name) for outcome in outcomes)} steps")
    print(
        f"  repaired   {sum(bool(outcome.repairs) for outcome in outcomes)} of {len(outcomes)} trajectories"
    )
    return 1 if lost else 0


def summary(outcome: KillOutcome) -> str:
    """Return one line for one kill."""
    counts = (
        f"at kill {outcome.at_kill:3}  recovered {outcome.recovered:3}  "
        f"undone {outcome.undone:2}  in flight {outcome.in_flight:2}"
    )
    return f"{counts}  {'; '.join(outcome.repairs)}".rstrip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
