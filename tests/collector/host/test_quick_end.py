"""A process of Waymark ends without a look for garbage among all it has loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

_LAST = "import atexit, gc, sys; atexit.register(lambda: print(gc.get_freeze_count()))"
"""Prints, as the last thing of all, how many objects Python's last collections leave out."""


@pytest.mark.parametrize(
    "entry",
    [
        "sys.argv[1:] = ['--version']; from collector.cli.main import main; main()",
        "sys.argv[1:] = ['--version']; from studio.app.entry import main; main()",
        "from collector.host.quick_end import end_without_collecting; end_without_collecting()",
    ],
    ids=["waymark", "waymark-studio", "other processes"],
)
def test_everything_is_left_out_of_the_last_collections(entry):
    done = subprocess.run([sys.executable, "-c", f"{_LAST}; {entry}"], capture_output=True, check=True)
    assert int(done.stdout.split()[-1]) > 1000
