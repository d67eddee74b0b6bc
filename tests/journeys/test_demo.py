"""``waymark demo``: its private screen and what it refuses. The tests of the wheel take the tour itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from studio.app.demo import xserver
from studio.app.demo.xtest_driver import _keysyms


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


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    done = waymark("demo", "--headless", str(tmp_path), cwd=tmp_path)
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
        ("/", "slash"),
    ],
)
def test_chords_are_written_as_x_names_keys(chord, keysyms):
    assert _keysyms(chord) == keysyms
