"""``pm list``: packages with what is asked of each, and the other things a phone has many of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from collector.virtual.shell.commands.dumpsys.package import FEATURES, LIBRARIES
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.services.service import FAILED, without_user

if TYPE_CHECKING:
    from collector.virtual.system.phone import PackageInfo

_GROUPS = ("CALENDAR", "CAMERA", "CONTACTS", "LOCATION", "MICROPHONE", "NOTIFICATIONS", "PHONE", "SMS")
_SWITCHES = frozenset(
    {"-a", "-d", "-e", "-f", "-i", "-l", "-q", "-s", "-U", "-u", "-3", "--show-versioncode", "--apex-only"}
)


@dataclass(slots=True)
class _Asked:
    """What ``list packages`` shows: the packages that pass, and which columns."""

    switches: set[str] = field(default_factory=set)
    uid: int | None = None
    name: str = ""


def list_things(process: Process, words: list[str]) -> int:
    """``list KIND``."""
    kind = words[0] if words else ""
    if kind in ("packages", "package"):
        return _list_packages(process, words[1:])
    if not kind:
        process.line("Error: didn't specify type of data to list")
        return FAILED
    if kind not in _LISTS:
        raise CommandError(f"Error: unknown list type '{kind}'", FAILED)
    for line in _LISTS[kind](process):
        process.line(line)
    return 0


def _list_packages(process: Process, words: list[str]) -> int:
    try:
        asked = _read(without_user(words))
    except ValueError as error:
        process.line(f"Error: {error}")
        return FAILED
    if "--apex-only" in asked.switches:
        return 0
    for package in process.machine.phone.packages:
        if _passes(process, package, asked):
            process.line(_line(package, asked.switches))
    return 0


def _read(words: list[str]) -> _Asked:
    """The options of ``list packages``; ValueError with Android's words for what is none."""
    asked, rest = _Asked(), list(words)
    while rest and rest[0].startswith("-"):
        word = rest.pop(0)
        if word == "--uid":
            if not rest or not rest[0].isdecimal():
                reason = f'For input string: "{rest[0]}"' if rest else "Argument expected after"
                raise ValueError(f"java.lang.NumberFormatException: {reason}")
            asked.uid = int(rest.pop(0))
            asked.switches.add("-U")
        elif word in _SWITCHES:
            asked.switches.add(word)
        else:
            raise ValueError(f"Unknown option: {word}")
    asked.name = rest[0] if rest else ""
    return asked


def _passes(process: Process, package: PackageInfo, asked: _Asked) -> bool:
    """Whether the filters let a package through."""
    on, state = asked.switches, process.machine.phone.services.packages.state(package.package)
    if asked.name not in package.package or asked.uid not in (None, package.uid):
        return False
    if not state.installed_for_user and "-u" not in on:
        return False
    if ("-d" in on and state.is_enabled) or ("-e" in on and not state.is_enabled):
        return False
    return not (("-3" in on and package.system) or ("-s" in on and not package.system))


def _line(package: PackageInfo, on: set[str]) -> str:
    path = f"{package.apk}=" if "-f" in on else ""
    version = f" versionCode:{package.version_code}" if "--show-versioncode" in on else ""
    installer = f"  installer={package.installer or 'null'}" if "-i" in on else ""
    uid = f" uid:{package.uid}" if "-U" in on else ""
    return f"package:{path}{package.package}{version}{installer}{uid}"


def _users(process: Process) -> list[str]:
    return [
        "Users:",
        *(f"\t{user.info}{' running' if not user.number else ''}" for user in process.machine.users),
    ]


def _permission_names(process: Process) -> list[str]:
    names = {name for package in process.machine.phone.packages for name in package.permissions}
    return ["All Permissions:", "", *(f"permission:{name}" for name in sorted(names))]


_LISTS: dict[str, Callable[[Process], list[str]]] = {
    "users": _users,
    "features": lambda _process: [
        "feature:reqGlEsVersion=0x30002",
        *(f"feature:{name}" for name in FEATURES),
    ],
    "permissions": _permission_names,
    "instrumentation": lambda _process: [],
    "permission-groups": lambda _process: [
        f"permission group:android.permission-group.{name}" for name in _GROUPS
    ],
    "libraries": lambda _process: [f"library:{name}" for name in LIBRARIES],
    "staged-sessions": lambda _process: [],
}
