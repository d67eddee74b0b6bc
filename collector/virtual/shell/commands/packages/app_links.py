"""``pm`` about what opens addresses and the home screen: app links, the home activity, where apps install."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.services.service import FAILED, required, without_user

_LOCATIONS = {"0": "auto", "1": "internal", "2": "external"}
_KEY = ("global", "default_install_location")
_CERTIFICATE = (
    "C8:A2:E9:BC:CF:59:7C:2F:B6:DC:66:BE:E2:93:FC:13:F2:FC:47:EC:77:BC:6B:2B:0D:52:C1:1F:51:19:2A:B8"
)


def get_links(process: Process, words: list[str]) -> int:
    """The addresses that packages verified as theirs: none of this phone's apps claims any."""
    named = [word for word in without_user(words) if not word.startswith("-")]
    installed = {package.package: package for package in process.machine.phone.packages}
    for name in named:
        if name not in installed:
            process.err(f"Error: package not found: {name}")
            return FAILED
        identity = str(uuid.uuid5(uuid.NAMESPACE_DNS, name))
        process.out(
            f"  {name}:\n    ID: {identity}\n    Signatures: [{_CERTIFICATE}]\n    "
            "Domain verification state:\n"
        )
    return 0


def change_links(process: Process, words: list[str]) -> int:
    """Set or verify addresses of a package; there is nothing to change where none is claimed."""
    verb, rest = process.arguments[0], without_user(words)
    named = ""
    if "--package" in rest[:-1]:
        named = rest[rest.index("--package") + 1]
    elif verb == "verify-app-links":
        named = next((word for word in rest if not word.startswith("-")), "")
    if (
        named
        and named != "all"
        and all(package.package != named for package in process.machine.phone.packages)
    ):
        process.err(f"Error: package not found: {named}")
        return FAILED
    return 0


def set_home(process: Process, words: list[str]) -> int:
    """``set-home-activity COMPONENT|PACKAGE``."""
    name = required(process, "set-home-activity", without_user(words)).partition("/")[0]
    if any(package.package == name and package.is_home for package in process.machine.phone.packages):
        process.line("Success")
        return 0
    raise CommandError("Error: Failed to set default home.", 1)


def set_location(process: Process, words: list[str]) -> int:
    """``set-install-location 0|1|2``."""
    value = required(process, "set-install-location", list(words))
    if value not in _LOCATIONS:
        raise CommandError("Error: install location has to be a number from 0 to 2.", 1)
    process.machine.phone.settings.put(*_KEY, value)
    return 0


def get_location(process: Process, words: list[str]) -> int:
    """``get-install-location``."""
    del words
    value = process.machine.phone.settings.get(*_KEY) or "0"
    process.line(f"{value}[{_LOCATIONS.get(value, 'auto')}]")
    return 0


LINK_ACTIONS: dict[str, Callable[[Process, list[str]], int]] = {
    "get-app-links": get_links,
    "set-app-links": change_links,
    "set-app-links-user-selection": change_links,
    "set-app-links-allowed": change_links,
    "reset-app-links": change_links,
    "verify-app-links": change_links,
    "set-home-activity": set_home,
    "set-install-location": set_location,
    "get-install-location": get_location,
}
