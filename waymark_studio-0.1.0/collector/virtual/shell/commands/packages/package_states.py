"""``pm enable``, ``disable-user``, ``hide``, ``suspend`` and their opposites."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from collector.virtual.shell.commands.dumpsys.package import package_named
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.services.service import thrown
from collector.virtual.system.phone_state.package_state import ENABLED_NUMBERS, Enabled, PackageState

_ENABLED: dict[str, Enabled] = {
    "enable": "enabled",
    "disable": "disabled",
    "disable-user": "disabled-user",
    "disable-until-used": "disabled-until-used",
    "default-state": "default",
}
_REQUIRED = frozenset({"android", "com.android.systemui"})
"""Packages without which a phone does not run."""


def _verb(process: Process) -> str:
    words = process.arguments
    return next(word for word in words if word in ENABLED_ACTIONS)


def set_enabled(process: Process, words: list[str]) -> int:
    """``enable|disable|disable-user|disable-until-used|default-state PACKAGE[/COMPONENT]``."""
    verb = _verb(process)
    if not words:
        raise CommandError("Error: no package or component specified", 1)
    wanted, name, component = _ENABLED[verb], *words[0].partition("/")[::2]
    if component or verb == "disable":
        # As the shell's user: whole packages only, and never in a way that the person cannot undo.
        reason = f"Shell cannot change component state for {words[0] if component else f'{name}/null'}"
        raise thrown(process, verb, f"java.lang.SecurityException: {reason} to {ENABLED_NUMBERS[wanted]}")
    if name in _REQUIRED:
        raise thrown(process, verb, f"java.lang.SecurityException: Cannot disable system packages: {name}")
    state = _state(process, verb, name)
    process.machine.phone.services.packages.set_state(name, replace(state, enabled=wanted))
    process.line(f"Package {name} new state: {wanted}")
    return 0


def set_hidden(process: Process, words: list[str]) -> int:
    """``hide|unhide PACKAGE``."""
    if not words:
        raise CommandError("Error: no package or component specified", 1)
    hidden = _verb(process) == "hide"
    name = words[0].partition("/")[0]
    if package_named(process, name) is not None:
        state = process.machine.phone.services.packages.state(name)
        process.machine.phone.services.packages.set_state(name, replace(state, hidden=hidden))
    process.line(f"Package {name} new hidden state: {'true' if hidden else 'false'}")
    return 0


def set_suspended(process: Process, words: list[str]) -> int:
    """``suspend|unsuspend [--dialogMessage TEXT] PACKAGE...``; the home screen cannot be suspended."""
    suspended = _verb(process) == "suspend"
    names, rest = [], list(words)
    while rest:
        word = rest.pop(0)
        if word.startswith("--"):
            del rest[: {"--ael": 2, "--aes": 2, "--aed": 2, "--lel": 2, "--les": 2, "--led": 2}.get(word, 1)]
        else:
            names.append(word)
    if not names:
        raise CommandError("Error: package name not specified", 1)
    for name in names:
        package = package_named(process, name)
        if package is not None and not package.is_home:
            state = process.machine.phone.services.packages.state(name)
            process.machine.phone.services.packages.set_state(name, replace(state, suspended=suspended))
        is_now = process.machine.phone.services.packages.state(name).suspended
        process.line(f"Package {name} new suspended state: {'true' if is_now else 'false'}")
    return 0


def _state(process: Process, verb: str, name: str) -> PackageState:
    if package_named(process, name) is None:
        raise thrown(process, verb, f"java.lang.IllegalArgumentException: Unknown package: {name}")
    return process.machine.phone.services.packages.state(name)


ENABLED_ACTIONS: dict[str, Callable[[Process, list[str]], int]] = {
    **dict.fromkeys(_ENABLED, set_enabled),
    "hide": set_hidden,
    "unhide": set_hidden,
    "suspend": set_suspended,
    "unsuspend": set_suspended,
}
"""The verbs of ``pm`` that change the state of a package."""
