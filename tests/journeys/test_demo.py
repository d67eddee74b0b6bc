"""``waymark demo``: the tour is taken by input events alone and leaves a whole project behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from collector.store.check import ERROR, check_project
from collector.store.project import Project
from collector.store.reader import read_trajectory
from studio.app.demo import xserver
from studio.app.demo.xtest_driver import _keysyms

FEWEST_STEPS = 8


def waymark(*words, cwd, **environment):
    own = {"WAYMARK_HOME": str(cwd / "home"), "PYTHONPATH": str(Path.cwd()), **environment}
    return subprocess.run(
        [sys.executable, "-m", "collector.cli.main", *words],
        cwd=cwd,
        env={name: value for name, value in os.environ.items() if "DISPLAY" not in name} | own,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )


def test_the_quick_tour_leaves_pictures_and_a_golden_trajectory(tmp_path):
    folder = tmp_path / "tour"
    done = waymark("demo", "--headless", str(folder), "--quick", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads((folder / "tour.json").read_text(encoding="utf-8"))
    if xserver.is_available():
        assert "XTEST" in report["how"]
    for name in report["pictures"]:
        picture = QImage(str(folder / name))
        assert (picture.width(), picture.height()) == (1600, 1000), name
    assert {"dark", "light"} <= {part for name in report["pictures"] for part in name.split("-")}
    project = Project.open(folder / "project")
    assert [finding for finding in check_project(project) if finding.severity == ERROR] == []
    longest = max(
        len(read_trajectory(trajectory_folder).steps) for trajectory_folder in project.trajectory_folders()
    )
    assert longest >= FEWEST_STEPS


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    done = waymark("demo", "--headless", str(tmp_path), "--quick", cwd=tmp_path)
    assert done.returncode == 1
    assert "is not empty" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.skipif(not xserver.is_available(), reason="there is no Xvfb on this machine")
def test_the_private_screen_ends_with_the_tour(tmp_path):
    with xserver.XServer(tmp_path) as server:
        number = server.environment["DISPLAY"].removeprefix(":")
        socket = Path(f"/tmp/.X11-unix/X{number}")
        assert socket.exists()
        assert (tmp_path / "xauthority").stat().st_mode & 0o077 == 0
    assert not socket.exists()


@pytest.mark.parametrize(
    ("chord", "keysyms"),
    [
        ("Ctrl+K", "ctrl+k"),
        ("Ctrl++", "ctrl+plus"),
        ("?", "question"),
        ("Ctrl+Shift+C", "ctrl+shift+c"),
        ("Ctrl+Enter", "ctrl+Return"),
        ("F12", "F12"),
    ],
)
def test_chords_are_written_as_x_names_keys(chord, keysyms):
    assert _keysyms(chord) == keysyms
