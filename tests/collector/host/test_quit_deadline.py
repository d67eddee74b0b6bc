"""A process ends soon after it was asked to quit, whatever its threads do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

_HEAD = """
import ctypes, os, sys, threading, time
from collector.host.quit_deadline import arm_quit_deadline, before_sudden_end
from collector.host.quit_deadline import delay_quit_deadline, disarm_quit_deadline, end_process
def start(work): threading.Thread(target=work).start()
def for_ever():
    while True: pass
def rest_for_ever():
    while True: time.sleep(0.05)
"""


def _run(program: str) -> subprocess.CompletedProcess[str]:
    """Run it to its end, which is not its own."""
    return subprocess.run(
        [sys.executable, "-c", _HEAD + dedent(program)], capture_output=True, text=True, timeout=60
    )


def test_a_thread_that_never_ends_keeps_no_process_and_is_named(tmp_path: Path) -> None:
    report = tmp_path / "stacks"
    arm = f"arm_quit_deadline(7, 'It was ended', Path({str(report)!r}), seconds=0.8)"
    ended = _run(f"from pathlib import Path\nstart(for_ever); {arm}")
    assert (ended.returncode, ended.stderr) == (7, "It was ended\n")
    assert "in for_ever" in report.read_text()


def test_the_main_thread_may_be_the_one_that_never_ends() -> None:
    assert _run("arm_quit_deadline(7, seconds=0.8); for_ever()").returncode == 7


@pytest.mark.skipif(sys.platform == "win32", reason="the call is one of the C library of POSIX")
def test_a_call_that_holds_the_lock_of_python_keeps_no_process(tmp_path: Path) -> None:
    report = tmp_path / "stacks"
    # A PyDLL keeps the lock while it calls.
    ended = _run(
        f"""
        from pathlib import Path
        before_sudden_end(lambda: print("never reached"))
        arm_quit_deadline(7, "never said", Path({str(report)!r}), seconds=1)
        ctypes.PyDLL(None).sleep(50)
        """
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", "")
    assert "Timeout" in report.read_text()
    assert "quit deadline" in report.read_text() or "File" in report.read_text()


def test_what_would_outlive_the_process_is_ended_first() -> None:
    ended = _run(
        """
        import subprocess
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        forget = before_sudden_end(lambda: print("forgotten", flush=True))
        forget()
        before_sudden_end(lambda: 1 / 0)
        before_sudden_end(child.kill)
        before_sudden_end(lambda: print(child.wait(), flush=True))
        end_process(5)
        """
    )
    assert (ended.returncode, ended.stdout) == (5, "-9\n" if sys.platform != "win32" else "1\n")


def test_a_process_that_ends_by_itself_keeps_its_status() -> None:
    assert _run("arm_quit_deadline(7); arm_quit_deadline(8); sys.exit(3)").returncode == 3


def test_a_process_that_goes_on_is_not_ended() -> None:
    ended = _run(
        """
        arm_quit_deadline(7, seconds=0.7)
        disarm_quit_deadline()
        time.sleep(0.8)
        arm_quit_deadline(9, seconds=0.7)
        rest_for_ever()
        """
    )
    assert ended.returncode == 9


def test_on_a_loaded_machine_there_is_more_time() -> None:
    """What takes a second elsewhere takes six here: the process ends by itself, and not by the deadline."""
    ended = _run(
        """
        from collector.host import quit_deadline
        quit_deadline.slowness = lambda: 6.0
        arm_quit_deadline(7, seconds=0.8)
        time.sleep(1)
        print("done", flush=True)
        rest_for_ever()
        """
    )
    assert (ended.returncode, ended.stdout) == (7, "done\n")


def test_whoever_gets_on_has_more_time_but_not_without_end() -> None:
    ended = _run(
        """
        arm_quit_deadline(7, seconds=0.6)
        for done in range(8):
            time.sleep(0.1)
            delay_quit_deadline(0.6)
        print(done, flush=True)
        def get_on():
            while True:
                delay_quit_deadline(0.6)
                time.sleep(0.01)
        start(get_on)
        """
    )
    assert (ended.returncode, ended.stdout) == (7, "7\n")


def test_an_end_that_nobody_asked_for_is_not_delayed() -> None:
    assert _run("delay_quit_deadline(); arm_quit_deadline(7, seconds=0.6); rest_for_ever()").returncode == 7
