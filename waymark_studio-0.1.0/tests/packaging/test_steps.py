"""Steps continue after a failure, lanes run at the same time, and the summary says how each step ended."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from tests.helpers.scripts import ROOT, script

steps = script("packaging", "steps")
PLACE = steps.Place(ROOT, os.environ)
# Each of two processes shows that it runs, and ends when the other does.
MEETS = """
import pathlib, sys, time
mine, other = map(pathlib.Path, sys.argv[1:])
mine.touch()
while not other.exists():
    time.sleep(0.01)
print(mine.name, "met", other.name)
"""


def step(title: str, status: int = 0, *, lane: int = 0) -> object:
    code = f"import sys; print('output of {title}'); print('trouble', file=sys.stderr); sys.exit({status})"
    return steps.Step(title, [sys.executable, "-S", "-c", code], lane)


def follow(*each: object) -> int:
    return steps.follow(list(each), PLACE)


@pytest.mark.parametrize("lane", [0, 1], ids=["one lane", "two lanes"])
def test_a_failure_does_not_stop_the_steps_after_it(capfd: pytest.CaptureFixture[str], lane: int) -> None:
    assert follow(step("other", lane=lane), step("first", 3), step("second")) == 3
    output = capfd.readouterr().out
    assert re.search(r"FAILED .* first", output)
    assert re.search(r"ok .* second", output)
    assert "2 of 3 succeeded" in output


def test_success_is_zero(capfd: pytest.CaptureFixture[str]) -> None:
    assert follow(step("only")) == 0
    assert "summary" not in capfd.readouterr().out


def test_a_step_ended_by_a_signal_has_failed(capfd: pytest.CaptureFixture[str]) -> None:
    killed = steps.Step("killed", [sys.executable, "-S", "-c", "import os; os.abort()"], 1)
    assert follow(step("first"), killed) > 0
    assert re.search(r"FAILED .* killed", capfd.readouterr().out)


def test_lanes_run_at_the_same_time(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    left, right = str(tmp_path / "left"), str(tmp_path / "right")
    command = [sys.executable, "-S", "-c", MEETS]
    assert follow(steps.Step("l", [*command, left, right]), steps.Step("r", [*command, right, left], 1)) == 0
    assert {"left met right", "right met left"} <= set(capfd.readouterr().out.splitlines())


def test_outputs_of_lanes_are_kept_apart_in_the_order_of_the_steps(capfd: pytest.CaptureFixture[str]) -> None:
    follow(step("a"), step("b"), step("c", lane=1), step("d", lane=1))
    lines = capfd.readouterr().out.partition("\n== summary")[0].splitlines()
    python = Path(sys.executable).name
    expected = [[f"== {name}: {python}", f"output of {name}", "trouble"] for name in "abcd"]
    assert [
        lines[index : index + 1] + sorted(lines[index + 1 : index + 3]) for index in (0, 3, 6, 9)
    ] == expected
    assert len(lines) == 12


def test_steps_of_a_lane_run_one_after_another(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    writes = [sys.executable, "-S", "-c", "import pathlib, sys; pathlib.Path(sys.argv[1]).touch()", str(file)]
    reads = [sys.executable, "-S", "-c", "open(__import__('sys').argv[1])", str(file)]
    assert follow(step("other"), steps.Step("writes", writes, 1), steps.Step("reads", reads, 1)) == 0


def test_an_interruption_ends_what_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    command = [sys.executable, "-S", "-c", "import time; time.sleep(600)"]
    runs: list[object] = []
    start = steps.Run.start
    monkeypatch.setattr(steps.Run, "start", lambda run, output: (runs.append(run), start(run, output)))

    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(steps.time, "sleep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        follow(steps.Step("l", command), steps.Step("r", command, 1))
    assert len(runs) == 2
    assert all(run.status for run in runs)
