"""The functions that implement commands, by command name."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from collector.virtual.shell.process import Process

Command = Callable[[Process], int]

_commands: dict[str, Command] = {}

# Loaded when a shell first looks up a command, which keeps the start of a phone fast.
_MODULES = (
    "builtins",
    "tty",
    "history",
    "files.files",
    "files.copying",
    "files.text",
    "processes.compute",
    "files.sed",
    "system",
    "bugreport",
    "processes.memory",
    "ip",
    "ping",
    "processes.signals",
    "processes.ps",
    "processes.top",
    "properties",
    "input",
    "getevent",
    "screen",
    "packages.activities",
    "monkey",
    "packages.packages",
    "settings",
    "svc",
    "content",
    "ime",
    "lock_settings",
    "logcat",
    "dumpsys.command",
    "cmd",
    "packages.main_classes",
    "processes.run_as",
    "services",
)


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


def _load() -> None:
    for module in _MODULES:
        importlib.import_module(f"collector.virtual.shell.commands.{module}")
