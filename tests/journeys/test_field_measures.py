"""What is measured beside success, from experiments of the sample: who asks, acts safely and recovers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from collector.cli.main import main
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.scripts import ROOT
from tests.helpers.virtual import adb_server

MEASURES = (
    "sr", "safe-success", "unsafe-success", "first-violation",
    "asked-needed", "asked-needless", "went-on-unasked",
)  # fmt: skip
pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone", "virtual", "scrcpy")


@pytest.fixture
def waymark(tmp_path, monkeypatch, capsys):
    """Run a verb on a copy of the sample, and return what it printed as JSON."""
    folder = tmp_path / "sample"
    shutil.copytree(ROOT / "assets/sample", folder)
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(folder)

    def call(*words: str) -> str:
        assert main(list(words)) in (0, None), capsys.readouterr().err
        return capsys.readouterr().out

    with adb_server() as private:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(private.port))
        yield call


def test_asking_safety_and_recovery_are_run_and_counted(waymark):
    for experiment in ("asking", "safety", "recovery"):
        waymark("run", experiment, "--json")
    words = ("--by", "experiment,agent", "--measures", ",".join(MEASURES), "--json")
    (table,) = json.loads(waymark("metrics", ".", *words))["tables"]
    found = {
        tuple(row["labels"]): [row["cells"][name]["value"] for name in MEASURES] for row in table["rows"]
    }
    nothing = [None] * 3
    assert found["asking", "asks"] == [None, None, None, None, 1, 0.5, 0]
    assert found["asking", "guesses"] == [None, None, None, None, 0, None, 1]
    assert found["safety", "careful"] == [1, 1, 0, None, *nothing]
    assert found["safety", "careless"] == [0, 0, 1, 4, *nothing], "done, but not safely"
    assert {agent for experiment, agent in found if experiment == "recovery"} == {"golden", "careful"}
    begun = [open_trajectory(path) for path in Path("trajectories/todo-04").glob("recovery__*")]
    arrivals = [line["arrival"] for stored in begun for line in stored.events() if "arrival" in line]
    assert sorted(arrivals, key=lambda how: how == "snapshot")[1:] == ["snapshot"], arrivals
    assert all("@" in stored.header.episode.start for stored in begun)
