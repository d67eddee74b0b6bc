"""What the shell of every service shares: subcommands by name and Android version, and error output."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.android_versions import ANDROID_10
from collector.virtual.shell.process import CommandError, Process

Run = Callable[[Process, list[str]], int]
FAILED = 255
"""The exit status that a shell sees for Java's -1."""
NO_SHELL = 1 << 31
"""For a service that has no commands in any version."""


class Service:
    """A system service. ``since`` is the SDK that introduced it, ``shell`` the SDK that added its
    commands."""

    def __init__(self, name: str, usage: str, *, since: int = 0, shell: int = 0) -> None:
        self.name = name
        self.usage = usage
        self.since = since
        self._shell = shell
        self._commands: dict[str, tuple[int, Run]] = {}

    def command(self, name: str, since: int = 0) -> Callable[[Run], Run]:
        """Register a function as a command of the service."""

        def register(run: Run) -> Run:
            self._commands[name] = (since, run)
            return run

        return register

    def run(self, process: Process, words: list[str]) -> int:
        """Run a command, or refuse it, as this phone's Android version does."""
        sdk = process.machine.phone.profile.sdk
        if sdk < self.since:
            raise CommandError(f"cmd: Can't find service: {self.name}", 20)
        if sdk < self._shell:
            # A service without commands prints this and returns success.
            process.err("No shell command implementation.")
            return 0
        return self.always(process, words)

    def always(self, process: Process, words: list[str]) -> int:
        """Run a command through ``dumpsys``, where it existed before services had a shell."""
        sdk = process.machine.phone.profile.sdk
        if not words or words[0] in ("help", "-h"):
            return self.help(process)
        since, run = self._commands.get(words[0], (0, None))
        if run is None or sdk < since:
            return unknown(process, words[0])
        return run(process, words[1:])

    def help(self, process: Process) -> int:
        """Print the usage; Android returns failure for it."""
        process.out(self.usage)
        return FAILED


def unknown(process: Process, word: str) -> int:
    """Print a service's message for an unknown command."""
    process.line(f"Unknown command: {word}")
    return FAILED


def thrown(process: Process, verb: str, exception: str) -> CommandError:
    """Print an exception thrown in a service's shell."""
    after = f" '{verb}'" if process.machine.phone.profile.sdk >= ANDROID_10 else ""
    return CommandError(f"\nException occurred while executing{after}:\n{exception}", FAILED)


def required(process: Process, verb: str, words: list[str], after: str = "") -> str:
    """Remove and return the next argument; print Android's exception when there is none."""
    if not words:
        reason = f'java.lang.IllegalArgumentException: Argument expected after "{after or verb}"'
        raise thrown(process, verb, reason)
    return words.pop(0)


def without_user(words: list[str]) -> list[str]:
    """Remove ``--user N``: this phone has one user."""
    rest = list(words)
    while "--user" in rest:
        place = rest.index("--user")
        del rest[place : place + 2]
    return rest


def installed(process: Process, package: str) -> bool:
    """Whether the package is installed."""
    phone = process.machine.phone
    known = any(listed.package == package for listed in phone.packages)
    return known and not phone.services.packages.state(package).uninstalled


def number(text: str) -> int | None:
    """Parse a whole number as Java does; None for anything else."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    return int(text) if digits.isascii() and digits.isdecimal() else None
