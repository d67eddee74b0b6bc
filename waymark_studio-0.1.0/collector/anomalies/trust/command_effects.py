"""The packages, settings and pages a shell command touches, for the person who decides on it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from collector.anomalies.trust.dangerous_commands import danger_of
from collector.rules.lint.library_checks import named_packages

_SETTING = re.compile(
    r"\bsettings\s+(?:--user\s+\S+\s+)?(?:put|delete)\s+(system|secure|global)\s+([\w.\-]+)"
)
_PROPERTY = re.compile(r"\bsetprop\s+([\w.\-]+)")
_PAGE = re.compile(r"-a\s+['\"]?([\w.]+)")
_SERVICE = re.compile(r"\b(?:cmd|svc|dumpsys)\s+(?:-w\s+)?([a-z][\w]*)")


@dataclass(frozen=True, slots=True)
class CommandEffects:
    """A command as it would run, and what its text says it does to the phone."""

    command: str
    packages: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    """As ``global/wifi_on``; properties by their name."""
    pages: tuple[str, ...] = ()
    """Actions of the activities it opens."""
    services: tuple[str, ...] = ()
    danger: str = ""
    """What it destroys or interrupts, in words."""


def command_effects(command: str) -> CommandEffects:
    """Read the effects from the text of ``command``; what ``eval`` or the like hides is not seen."""
    settings = [f"{space}/{key}" for space, key in _SETTING.findall(command)]
    return CommandEffects(
        command,
        _each(named_packages(command)),
        _each([*settings, *_PROPERTY.findall(command)]),
        _each(_PAGE.findall(command) if "am start" in command else ()),
        _each(_SERVICE.findall(command)),
        danger_of(command),
    )


def _each(names: Iterable[str]) -> tuple[str, ...]:
    """Each name once, in order."""
    return tuple(dict.fromkeys(names))
