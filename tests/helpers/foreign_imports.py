"""Import every module of a package as on another system: without what Python has on this one alone.

``python -m tests.helpers.foreign_imports SYSTEM PACKAGE...`` prints a line for each module that fails.
Modules of others are imported as on this system: only this project's own code sees the other one.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import time
import types
from collections.abc import Iterator
from typing import Any

OWN = ("collector", "rule_editor", "studio")
_POSIX = ["fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "spwd", "syslog", "termios", "tty"]
BLOCKED = {"win32": frozenset(_POSIX), "darwin": frozenset({"spwd"})}
"""Modules that the system has not."""
_NAMES: dict[types.ModuleType, str] = {
    os: """
        O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK RTLD_LAZY RTLD_NOLOAD RTLD_NOW SEEK_DATA SEEK_HOLE WNOHANG
        chown copy_file_range fchmod fchown fork geteuid getgid getgroups getloadavg getpgid getpriority
        getsid getuid initgroups killpg lchown memfd_create mkfifo mknod nice openpty pipe2 posix_fallocate
        posix_fadvise posix_spawn pread preadv pwrite pwritev readv register_at_fork sched_getaffinity
        sched_yield sendfile setpgid setsid setuid statvfs sync sysconf uname wait wait3 wait4 waitid writev
    """,
    signal: """
        SIGALRM SIGBUS SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGUSR2 SIGWINCH
        alarm pause pthread_kill pthread_sigmask setitimer siginterrupt sigpending sigtimedwait sigwait
    """,
    socket: "AF_UNIX MSG_DONTWAIT SCM_RIGHTS SO_PEERCRED SO_REUSEPORT recv_fds send_fds",
    select: "EPOLLIN epoll poll",
    time: "CLOCK_BOOTTIME CLOCK_MONOTONIC clock_gettime tzset",
}
"""What Windows lacks of modules that it has."""
_MAC = {
    os: "posix_fallocate sched_getaffinity memfd_create copy_file_range",
    select: "epoll",
    socket: "SO_PEERCRED",
}
LACKING = {"win32": _NAMES, "darwin": _MAC}
_ADDED = {
    "win32": {
        subprocess: {"CREATE_NEW_PROCESS_GROUP": 0x200, "CREATE_NO_WINDOW": 0x8000000, "DETACHED_PROCESS": 8},
        socket: {"SO_EXCLUSIVEADDRUSE": -5},
        signal: {"CTRL_BREAK_EVENT": 1, "CTRL_C_EVENT": 0, "SIGBREAK": 21},
    },
    "darwin": {},
}


class System:
    """Another system, as a module of this project sees it."""

    def __init__(self, name: str) -> None:
        self.name = name
        lacking = LACKING[name].items()
        self._lacking = [(module, word) for module, words in lacking for word in words.split()]
        self._kept: list[tuple[Any, str, Any]] = []

    def begin(self) -> None:
        for module, word in self._lacking:
            if hasattr(module, word):
                self._kept.append((module, word, getattr(module, word)))
                delattr(module, word)
        for module, words in _ADDED[self.name].items():
            for word, value in words.items():
                setattr(module, word, value)
        self._kept.append((sys, "platform", sys.platform))
        sys.platform = self.name

    def end(self) -> None:
        for module, word, value in self._kept:
            setattr(module, word, value)
        self._kept = []
        for module, words in _ADDED[self.name].items():
            for word in words:
                delattr(module, word)

    @contextlib.contextmanager
    def away(self) -> Iterator[None]:
        """This system again, for a module of others."""
        self.end()
        try:
            yield
        finally:
            self.begin()


def import_all(name: str, packages: list[str]) -> list[str]:
    """The modules that cannot be imported on the system, each with its error."""
    system, plain = System(name), builtins.__import__

    def importing(wanted: str, given: Any = None, *rest: Any, **named: Any) -> Any:
        top = wanted.partition(".")[0]
        is_own = str((given or {}).get("__name__", "")).partition(".")[0] in OWN
        if not is_own or top in OWN:
            return plain(wanted, given, *rest, **named)
        if top in BLOCKED[name]:
            raise ModuleNotFoundError(f"No module named {wanted!r}", name=wanted)
        with system.away():
            return plain(wanted, given, *rest, **named)

    if name == "win32":
        _import_file_lock()
    found = [module for package in packages for module in _modules(package)]
    problems = []
    builtins.__import__ = importing  # type: ignore[assignment]
    system.begin()
    try:
        for module in found:
            try:
                importlib.import_module(module)
            except Exception as error:
                problems.append(f"{module}: {type(error).__name__}: {error}")
    finally:
        system.end()
        builtins.__import__ = plain
    return problems


def _modules(package: str) -> list[str]:
    path = importlib.import_module(package).__path__
    walked = pkgutil.walk_packages(path, f"{package}.", onerror=lambda _name: None)
    return [module.name for module in walked if not module.name.endswith("__main__")]


def _import_file_lock() -> None:
    """The one module that asks for ``os.name``, which pathlib asks, too."""
    for used in ("contextlib", "datetime", "json", "pathlib", "platform", "typing", "collector.host"):
        importlib.import_module(used)
    sys.modules["msvcrt"] = types.ModuleType("msvcrt")
    named, os.name = os.name, "nt"
    try:
        importlib.import_module("collector.host.file_lock")
    finally:
        os.name = named


if __name__ == "__main__":
    for _problem in import_all(sys.argv[1], sys.argv[2:]):
        sys.stdout.write(f"{_problem}\n")
