"""The soak of one minute; ``make soak-short`` plays two, ``make soak`` thirty, at fifteen times the pace.

It waits most of the time: what it takes of the processor is the start of its windows, phones and run.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.helpers.scripts import ROOT

_FAULTS, _PACE_S, _SEED = 5, 3.0, 5
_PLAY_S = 60
_END_S = 120


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")
@pytest.mark.fault("F1", "F2", "F3", "F9", "F10", "F15", "F32")
@pytest.mark.timeout(_PLAY_S + _END_S)
def test_nothing_is_lost_and_nothing_left_behind_while_everything_fails(tmp_path):
    report = tmp_path / "soak.json"
    words = f"--seconds {_PLAY_S} --pace {_PACE_S} --seed {_SEED} --report".split()
    command = [sys.executable, "-m", "tests.soak.soak", *words, str(report)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert report.exists(), done.stderr
    said = json.loads(report.read_text("utf-8"))
    assert said["wrong"] == []
    assert done.returncode == 0
    assert sum(said["faults"].values()) >= _FAULTS
    assert said["recorded"] >= 1
    assert said["finished_cells"] >= 1
