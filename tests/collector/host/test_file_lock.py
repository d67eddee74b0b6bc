"""Lock files that come and go: never two holders, whoever removes the file in between."""

import subprocess
import sys

import pytest

from collector.host.file_lock import hold, holder, holders, lock_path

_COUNTS = """
import sys, time
from pathlib import Path
from collector.host.file_lock import hold
path, counter = Path(sys.argv[1]), Path(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
for _ in range(150):
    while (held := hold(path, {"who": sys.argv[3]})) is None:
        time.sleep(0.001)
    counter.write_text(str(int(counter.read_text()) + 1))
    held.release()
"""


@pytest.mark.fault("F13")
def test_two_processes_that_take_turns_never_hold_it_together(tmp_path):
    path, counter = lock_path(tmp_path, "a"), tmp_path / "counter"
    counter.write_text("0")
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _COUNTS, str(path), str(counter), name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for name in ("left", "right")
    ]  # fmt: skip
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        process.communicate(timeout=100)
        assert process.returncode == 0
    assert counter.read_text() == "300"
    assert not path.exists()


@pytest.mark.fault("F13")
def test_what_a_killed_process_left_is_nobodys_and_goes_away(tmp_path):
    path = lock_path(tmp_path, "a")
    program = "import os, sys; from pathlib import Path; from collector.host.file_lock import hold; "
    program += "held = hold(Path(sys.argv[1]), {'who': 'gone'}); os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert b"gone" in path.read_bytes()
    assert holder(path) is None
    mine = hold(lock_path(tmp_path, "b"), {"who": "me"})
    assert [note["who"] for note in holders(tmp_path)] == ["me"]
    assert not path.exists()
    assert hold(mine.path, {}) is None
    mine.write({"who": "still me"})
    assert holder(mine.path)["who"] == "still me"
    mine.release()
    assert list(holders(tmp_path)) == []


def test_a_damaged_note_is_a_holder_all_the_same(tmp_path):
    held = hold(lock_path(tmp_path, "a"), {})
    held.path.write_bytes(b"\0\0 nonsense")
    assert holder(held.path) == {"pid": "?", "host": "?"}
    held.release()
