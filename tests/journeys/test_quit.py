"""A window that is told to quit ends, whatever its threads do, and says so."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from collector.store.project.project import Project
from studio.app.demo.studio_process import StudioProcess

_PROGRAM = """
import ctypes, sys, threading, time
from collector.cli.main import main
from collector.host.quit_deadline import arm_quit_deadline
from studio.bridge.jobs import JobRunner

*others, _seconds = arm_quit_deadline.__defaults__
arm_quit_deadline.__defaults__ = (*others, DEADLINE_S)

def until_quitting():
    while "quit deadline" not in {thread.name for thread in threading.enumerate()}:
        time.sleep(0.05)

def for_ever(_job):
    until_quitting()
    while True:
        pass

def wait_for_ever(_job):
    while True:
        time.sleep(0.05)

def hold_the_lock_of_python():
    until_quitting()
    ctypes.PyDLL(None).sleep(100)

begin = JobRunner.__init__

def begin_with_a_job(self, parent=None):
    begin(self, parent)
    self.run(globals()[sys.argv[1]])

if sys.argv[1] == "hold_the_lock_of_python":
    threading.Thread(target=hold_the_lock_of_python).start()
else:
    JobRunner.__init__ = begin_with_a_job
sys.exit(main(["studio", sys.argv[2]]))
"""
_DEADLINE_S = 1.0
"""Seconds that a window has to quit, in which a job computes; they are more on a loaded machine."""
_PATIENCE_S = 60.0


class _Window(StudioProcess):
    """A window with a thread that never ends."""

    def __init__(self, thread: str, folder: Path) -> None:
        Project.create(folder / "project")
        home = folder / "home"
        home.mkdir()
        environment = {
            "WAYMARK_HOME": str(home),
            "QT_QPA_PLATFORM": "offscreen",
            "ANDROID_ADB_SERVER_PORT": "9",
        }
        program = _PROGRAM.replace("DEADLINE_S", str(_DEADLINE_S))
        super().__init__(["-c", program, thread, str(folder / "project")], environment, home)
        self.wait("state", lambda state: state["context"].get("project.open"), "the project", _PATIENCE_S)

    def end(self, *, by_signal: bool) -> tuple[int, str]:
        """Quit; the exit status and what was printed."""
        if by_signal:
            self._process.terminate()
        else:
            self._socket.write(b'{"run": "app.quit"}\n')
            self._socket.flush()
            self._socket.waitForBytesWritten(1000)
        status = self._process.wait(_PATIENCE_S)
        self._socket.abort()
        self._log.close()
        return status, Path(self._log.name).read_text()


@pytest.mark.fault("F32")
def test_a_job_that_never_ends_does_not_keep_the_window(tmp_path: Path) -> None:
    status, printed = _Window("for_ever", tmp_path).end(by_signal=False)
    assert (status, printed.count("did not end in time and was ended")) == (1, 1)


def test_a_tour_says_that_the_deadline_ended_its_window(tmp_path: Path) -> None:
    window = _Window("wait_for_ever", tmp_path)
    window.close()
    assert window.ended_late


@pytest.mark.skipif(sys.platform == "win32", reason="the call is one of the C library of POSIX")
def test_a_call_that_holds_the_lock_of_python_does_not_keep_the_window(tmp_path: Path) -> None:
    status, printed = _Window("hold_the_lock_of_python", tmp_path).end(by_signal=True)
    assert (status, "did not end" in printed) == (1, False)
    assert "Timeout (0:00:" in (tmp_path / "home" / "state" / "logs" / "studio.log").read_text()
