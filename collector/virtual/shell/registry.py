"""The functions that implement commands, by command name."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache

from collector.virtual.shell.process import Process

Command = Callable[[Process], int]

_commands: dict[str, Command] = {}

# Loaded when a shell first looks up a command, which keeps the start of a phone fast.
_MODULES = (
    "builtins.control",
    "builtins.jobs",
    "builtins.printing",
    "builtins.variables",
    "builtins.lookup",
    "builtins.limits",
    "tty",
    "history",
    "files.files",
    "files.copying",
    "files.texts.text",
    "files.texts.searching",
    "files.finding",
    "files.texts.sorting",
    "files.texts.counting",
    "files.texts.hexadecimal",
    "files.texts.octal_dump",
    "files.texts.awk",
    "files.archives.archives",
    "processes.compute",
    "files.texts.sed",
    "system",
    "bugreport",
    "processes.memory",
    "ip",
    "ping",
    "processes.signals",
    "processes.timeouts",
    "processes.ps",
    "processes.top",
    "processes.lsof",
    "settings.properties",
    "events.input",
    "events.getevent",
    "events.sendevent",
    "netcat",
    "storage",
    "settings.device_config",
    "backup",
    "files.texts.columns",
    "files.making",
    "files.kinds",
    "files.texts.wrapping",
    "files.times",
    "files.texts.encodings",
    "files.texts.comparing",
    "files.attributes",
    "files.archives.cpio",
    "files.texts.patching",
    "files.texts.cutting",
    "files.getopt",
    "files.locking",
    "files.archives.unzip",
    "kernel.refusals",
    "kernel.inventories",
    "processes.priorities",
    "processes.watching",
    "calendars",
    "screen",
    "packages.activities",
    "events.monkey",
    "packages.packages",
    "settings.settings",
    "svc",
    "content",
    "ime",
    "settings.lock_settings",
    "logcat",
    "dumpsys.command",
    "cmd",
    "packages.main_classes",
    "processes.run_as",
    "services",
)


SPECIAL = frozenset({".", ":", "break", "continue", "eval", "exec", "exit", "export", "readonly", "return",
                     "set", "shift", "times", "trap", "unset"})  # fmt: skip
"""Builtins before which assignments last, as POSIX has it."""
_BUILTINS = SPECIAL | frozenset(
    [
        "[",
        "alias",
        "bg",
        "builtin",
        "cd",
        "command",
        "echo",
        "false",
        "fc",
        "fg",
        "getopts",
        "hash",
        "history",
        "integer",
        "jobs",
        "kill",
        "let",
        "local",
        "print",
        "pwd",
        "r",
        "read",
        "sleep",
        "source",
        "test",
        "true",
        "type",
        "typeset",
        "ulimit",
        "umask",
        "unalias",
        "wait",
        "whence",
    ]
)


def is_builtin(name: str) -> bool:
    """Whether the shell itself has the command."""
    return name in _BUILTINS


def programs() -> list[str]:
    """The commands that are files of ``/system/bin``, sorted."""
    both = {"[", "echo", "false", "kill", "printf", "pwd", "sleep", "test", "true", "ulimit"}
    return [name for name in names() if "." not in name and (name in both or name not in _BUILTINS)]


def command(*names: str) -> Callable[[Command], Command]:
    """Register a function as one or more commands."""

    def register(function: Command) -> Command:
        for name in names:
            _commands[name] = function
        return function

    return register


def find(name: str) -> Command | None:
    """The function of a command; the usual folder may precede its name."""
    _load()
    for folder in ("/system/bin/", "/system/xbin/", "/bin/", "/vendor/bin/"):
        if name.startswith(folder):
            name = name.removeprefix(folder)
            break
    return _commands.get(name)


def names() -> list[str]:
    """All command names, sorted."""
    _load()
    return sorted(_commands)


@cache
def _load() -> None:
    for module in _MODULES:
        importlib.import_module(f"collector.virtual.shell.commands.{module}")
