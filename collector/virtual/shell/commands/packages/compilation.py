"""``pm compile``: how the code of packages is compiled, as ``dumpsys package`` shows it afterwards."""

from __future__ import annotations

from collector.virtual.shell.commands.dumpsys.package import package_named
from collector.virtual.shell.process import CommandError, Process

_FILTERS = frozenset(
    {"assume-verified", "extract", "verify", "quicken", "space-profile", "space", "speed-profile", "speed",
     "everything-profile", "everything"}
)  # fmt: skip
_OF_REASON = {
    "first-boot": "verify",
    "boot-after-ota": "verify",
    "post-boot": "extract",
    "install": "speed-profile",
    "bg-dexopt": "speed-profile",
    "cmdline": "verify",
    "inactive": "verify",
    "shared": "speed",
}
"""The filter of each reason, as the properties ``pm.dexopt.*`` name it."""
_WITH_VALUE = ("-m", "-r", "--split", "-p", "--compile-filter")


def compile_packages(process: Process, words: list[str]) -> int:
    """``compile [-m FILTER | -r REASON] [-f] [--reset] (-a | PACKAGE)``."""
    given: dict[str, str] = {}
    rest = list(words)
    while rest and rest[0].startswith("-"):
        word = rest.pop(0)
        given[word] = rest.pop(0) if word in _WITH_VALUE and rest else ""
    reset = "--reset" in given
    compiled_with = given.get("-m", "")
    reason = given.get("-r", "install" if reset else "cmdline")
    if not reset and not compiled_with and "-r" not in given:
        raise CommandError("Error: Missing compile filter or compilation reason", 1)
    if compiled_with and compiled_with not in _FILTERS:
        raise CommandError(f'Error: "{compiled_with}" is not a valid compilation filter.', 1)
    if reason not in _OF_REASON:
        known = "".join(f"  {name}\n" for name in _OF_REASON)
        raise CommandError(f"Error: Unknown compilation reason: {reason}\n{known}".rstrip("\n"), 1)
    if "-a" in given:
        names = [package.package for package in process.machine.phone.packages]
    elif rest:
        names = rest[:1]
    else:
        raise CommandError("Error: package name not specified", 1)
    for name in names:
        if package_named(process, name) is None:
            raise CommandError(f"Failure: package {name} could not be compiled", 1)
        process.machine.compiled[name] = (compiled_with or _OF_REASON[reason], reason)
    process.line("Success")
    return 0


def background_job(process: Process, words: list[str]) -> int:
    """``bg-dexopt-job``: nothing is left to compile."""
    del words
    process.line("Success")
    return 0
