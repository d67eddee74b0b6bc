"""Other processes of this computer: what one was started as, and its end."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

from collector.host.programs import run_program

_SECONDS = 10.0
_QUERY, _DENIED, _STILL_ACTIVE = 0x1000, 5, 259
"""Of Windows: the right to ask for the end of a process, the error without it, and the code of none."""


def process_command(pid: int) -> str:
    """The words a process was started with, on one line; empty when it has ended, or nobody tells."""
    try:
        if sys.platform == "linux":
            return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        if sys.platform == "win32":
            question = f"(Get-CimInstance Win32_Process -Filter 'ProcessId={pid}').CommandLine"
            words = ["powershell", "-NoProfile", "-NonInteractive", "-Command", question]
        else:
            words = ["ps", "-ww", "-o", "command=", "-p", str(pid)]
        return run_program(words, seconds=_SECONDS).stdout.decode("utf-8", "replace").strip()
    except OSError:
        return ""


def is_running(pid: int) -> bool:
    """Whether there is a process of this number, of whatever account, or one that nobody waited for."""
    if pid <= 0:
        return False
    if sys.platform == "win32":
        return _is_running_on_windows(pid)
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (ProcessLookupError, OverflowError):
        return False
    return True


def _is_running_on_windows(pid: int) -> bool:
    import ctypes

    kernel = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
    handle = kernel.OpenProcess(_QUERY, False, pid)
    if not handle:
        return bool(ctypes.get_last_error() == _DENIED)  # type: ignore[attr-defined,unused-ignore]
    code = ctypes.c_ulong()
    kernel.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel.CloseHandle(handle)
    return code.value == _STILL_ACTIVE


def kill_process(pid: int) -> None:
    """End a process by force, and on Windows those that it has started. One that has ended is no error."""
    if sys.platform == "win32":
        with contextlib.suppress(OSError):
            run_program(["taskkill", "/F", "/T", "/PID", str(pid)], seconds=_SECONDS)
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def kill_group(pid: int) -> None:
    """End by force a process that was started with a session of its own, and all that it has started."""
    if sys.platform == "win32":
        kill_process(pid)
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
