"""What is looked at when the soak is over: every trajectory, and what is left on the machine."""

from __future__ import annotations

import datetime as dt
import os
import time
from pathlib import Path

from collector.host.user_folders import runtime_folder
from collector.store.files.findings import ERROR
from collector.store.files.layout import LOST
from collector.store.files.part_files import TEMPORARY_PREFIX
from tests.helpers.killed_window import waymark

_END_S = 20.0
_FIRST_BYTES, _LONGEST = 80, 300


def what_is_wrong(project: Path) -> tuple[int, list[str]]:
    """Recover and verify all trajectories of a project: how many there are, and what is wrong with them."""
    wrong = []
    status, _answer = waymark("project", "recover", str(project))
    if status:
        wrong.append(f"{project.parent.name}: recovering ended with {status}")
    folders = sorted(path.parent for path in project.glob("trajectories/**/trajectory.json"))
    for folder in folders:
        _status, answer = waymark("trajectory", "verify", str(folder))
        wrong += [
            f"{project.parent.name}: {folder.name}: {finding['message']}"
            for finding in answer["problems"]
            if finding["severity"] == ERROR
        ]
    # What recovering sets aside is kept on purpose.
    parts = [path for path in project.rglob(f"{TEMPORARY_PREFIX}*") if path.parent.name != LOST]
    return len(folders), [*wrong, *(f"left behind: {path}, {_looks(path)}" for path in parts)]


def still_running(mark: str) -> list[str]:
    """Processes that carry ``mark`` in their environment.

    Asked before this process verifies trajectories: for many of them it starts processes of its own.
    """
    end = time.monotonic() + _END_S
    while (processes := _marked(mark)) and time.monotonic() < end:
        time.sleep(0.1)
    return [f"still running: {words}" for words in processes]


def left_in(place: Path, temporary: Path) -> list[str]:
    """Files of the folder for temporary ones."""
    # The locks of phones stay where all programs of this account look for them; adb writes a log of its own.
    # The person makes folders in the file dialog.
    kept = {temporary / runtime_folder().name, *temporary.glob("adb.*.log"), *temporary.glob("New Folder*")}
    return [
        f"left in the temporary folder: {path.relative_to(place)}, {_looks(path)}"
        for path in sorted(temporary.iterdir())
        if path not in kept
    ]


def _looks(path: Path) -> str:
    """When a file was written last, its size, and its first bytes."""
    try:
        about = path.stat()
        begins = path.read_bytes()[:_FIRST_BYTES] if path.is_file() else sorted(path.iterdir())
    except OSError as error:
        return f"and it cannot be looked at: {error}"
    written = dt.datetime.fromtimestamp(about.st_mtime).isoformat(" ", "seconds")
    return f"written {written}, {about.st_size} bytes: {begins!r:.200}"


def _marked(mark: str) -> list[str]:
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                if mark.encode() not in (folder / "environ").read_bytes().split(b"\0"):
                    continue
                words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            found.append(f"{folder.name} {_state_of(folder)}: {words[:_LONGEST]}")
    return found


def _state_of(folder: Path) -> str:
    """Whose child a process is, where it is, and what it waits in."""
    try:
        parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
        return f"of {parent} in {(folder / 'cwd').readlink()}, in {(folder / 'wchan').read_text()}"
    except OSError as error:
        return f"({error})"
