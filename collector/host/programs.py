"""Start other programs. Nothing else in the product does.

A program is found by its absolute path, or in the absolute folders of PATH, never in the current folder. It
gets :func:`~collector.host.environment.safe_environment`, and works in a folder of this account in which
there is nothing to be found, unless the caller names one.
"""

from __future__ import annotations

import enum
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from collector.host.environment import absolute_entries, is_absolute, names_folder, safe_environment
from collector.host.user_folders import runtime_folder

Output = int | IO[bytes]
"""A file, or one of the constants of :mod:`subprocess`."""


class Signals(enum.Enum):
    """Which signals of the terminal reach a program, such as Ctrl+C."""

    SHARED = enum.auto()
    """All of them, as this process."""
    OWN_GROUP = enum.auto()
    """None: this process ends the program when it is done with it."""
    OWN_SESSION = enum.auto()
    """None, nor the end of the terminal: the program may outlive this process."""


def find_program(name: str, environment: Mapping[str, str] = os.environ) -> Path | None:
    """The absolute path of a program in the folders of PATH; None when none of them has it."""
    endings = _endings(environment)
    for folder in absolute_entries(environment.get("PATH", os.defpath)):
        for ending in endings:
            # With its folder in the name, nothing is searched, not even the current folder, as Windows does.
            if found := shutil.which(str(Path(folder, name + ending))):
                return Path(found)
    return None


def _endings(environment: Mapping[str, str]) -> list[str]:
    """What a program's file may be called behind its name: nothing, and on Windows ``.EXE`` and others.

    Before Python 3.12 ``shutil.which`` does not add them to a name with a folder.
    """
    if sys.platform != "win32":
        return [""]
    return ["", *filter(None, environment.get("PATHEXT", ".COM;.EXE;.BAT;.CMD").split(";"))]


def start_program(
    words: Sequence[str | Path], *, stdin: Output = subprocess.DEVNULL, stdout: Output = subprocess.DEVNULL,
    stderr: Output = subprocess.DEVNULL, folder: Path | None = None,
    variables: Mapping[str, str] | None = None, signals: Signals = Signals.SHARED,
    inherits: Sequence[int] = (),
) -> subprocess.Popen[bytes]:  # fmt: skip
    """Start a program and return at once. Raises OSError, as FileNotFoundError for one that is not there.

    ``variables`` are added to the environment, ``inherits`` are file descriptors that it keeps open.
    """
    return subprocess.Popen(
        absolute_words(words), stdin=stdin, stdout=stdout, stderr=stderr, cwd=folder or runtime_folder(),
        env=safe_environment() | dict(variables or {}), pass_fds=inherits,
        creationflags=_windows_flags(signals),
        process_group=0 if signals is Signals.OWN_GROUP and sys.platform != "win32" else None,
        start_new_session=signals is Signals.OWN_SESSION,
    )  # fmt: skip


def run_program(
    words: Sequence[str | Path], *, seconds: float, folder: Path | None = None,
    variables: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:  # fmt: skip
    """Run a program to its end, and return its status, output and errors.

    Raises OSError, as TimeoutError when it does not end within ``seconds``; it is killed then.
    """
    try:
        return subprocess.run(
            absolute_words(words), stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds,
            check=False, cwd=folder or runtime_folder(), env=safe_environment() | dict(variables or {}),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise TimeoutError(f"{words[0]} does not end within {seconds:g} s") from error


def replace_process(words: Sequence[str]) -> None:
    """Run another program in the place of this process. Does not return. Raises OSError.

    On Windows no process can become another: a new one is started, and this one ends.
    """
    program, *others = absolute_words(words)
    if sys.platform == "win32":
        # os.execve does not even quote its words there.
        subprocess.Popen([program, *others], env=safe_environment())
        os._exit(0)
    os.execve(program, [program, *others], safe_environment())  # noqa: S606 - no shell takes part


def absolute_words(words: Sequence[str | Path]) -> list[str]:
    """The words of a command with the absolute path of its program. Raises FileNotFoundError."""
    program, *others = (str(word) for word in words)
    if not is_absolute(program):
        found = None if names_folder(program) else find_program(program)
        if found is None:
            raise FileNotFoundError(2, os.strerror(2), program)
        program = str(found)
    return [program, *others]


def _windows_flags(signals: Signals) -> int:
    """What keeps Ctrl+C and the end of the terminal from a program: a console of its own, which is not shown.

    Without any console, each program that it starts in turn would open a window.
    """
    if sys.platform != "win32" or signals is Signals.SHARED:
        return 0
    return subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
