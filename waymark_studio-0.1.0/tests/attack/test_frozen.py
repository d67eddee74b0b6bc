"""The frozen application steps into no trap either; `make freeze` builds it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.attack.test_traps import SECONDS, TrappedProject
from tests.helpers.scripts import ROOT

PROGRAM = ROOT / "dist" / "waymark-studio" / ("waymark.exe" if os.name == "nt" else "waymark")
pytestmark = [
    pytest.mark.attack,
    pytest.mark.skipif(not PROGRAM.exists(), reason="the application is not frozen here: make freeze"),
    pytest.mark.skipif(sys.platform == "win32", reason="traps are scripts with a shebang"),
]


@pytest.mark.parametrize("words", [("--version",), ("project", "check"), ("device", "list"), ("run", "tiny")])
def test_the_frozen_program_steps_into_no_trap(tmp_path, words):
    trapped = TrappedProject(tmp_path)
    done = subprocess.run(
        [PROGRAM, *words], cwd=trapped.folder, env=trapped.environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert trapped.marks == []
    assert done.returncode == 0, done.stdout + done.stderr
