"""What the shell of every service shares: subcommands by name and Android version, and error output."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.shell.process import CommandError, Process

Run = Callable[[Process, list[str]], int]
FAILED = 255
"""What a shell sees of Java's -1."""
ANDROID_6 = 23
ANDROID_7, ANDROID_8, ANDROID_9, ANDROID_10, ANDROID_11 = 24, 26, 28, 29, 30
ANDROID_12, ANDROID_13, ANDROID_14, ANDROID_15 = 31, 33, 34, 35


class Service:
    """One system service. ``since`` is the SDK that brought it, ``shell`` the one that gave it commands."""

    def __init__(self, name: str, usage: str, *, since: int = 0, shell: int = 0) -> None:
        self.name = name
        self.usage = usage
        self.since = since
        self._shell = shell
        self._commands: dict[str, tuple[int, Run]] = {}

    def command(self, name: str, since: int = 0) -> Callable[[Run], Run]:
        """Register a function as one of its commands."""

        def register(run: Run) -> Run:
            self._commands[name] = (since, run)
            return run

        return register

    def run(self, process: Process, words: list[str]) -> int:
        """Run one command as this phone's Android does, or refuses to."""
        sdk = process.machine.phone.profile.sdk
        if sdk < self.since:
            raise CommandError(f"cmd: Can't find service: {self.name}", 20)
        if sdk < self._shell:
            # A service without commands answers so, and calls it a success.
            process.err("No shell command implementation.")
            return 0
        return self.always(process, words)

    def always(self, process: Process, words: list[str]) -> int:
        """The same behind ``dumpsys``, where services had these commands before they had a shell."""
        sdk = process.machine.phone.profile.sdk
        if not words or words[0] in ("help", "-h"):
            return self.help(process)
        since, run = self._commands.get(words[0], (0, None))
        if run is None or sdk < since:
            return unknown(process, words[0])
        return run(process, words[1:])

    def help(self, process: Process) -> int:
        """Its usage; Android calls that a failure."""
        process.out(self.usage)
        return FAILED


def unknown(process: Process, word: str) -> int:
    """What every service says to a command it has none of."""
    process.line(f"Unknown command: {word}")
    return FAILED


def thrown(process: Process, verb: str, exception: str) -> CommandError:
    """An exception on its way through a service's shell."""
    after = f" '{verb}'" if process.machine.phone.profile.sdk >= ANDROID_10 else ""
    return CommandError(f"\nException occurred while executing{after}:\n{exception}", FAILED)


def required(process: Process, verb: str, words: list[str], after: str = "") -> str:
    """The next argument, taken off; Android's exception when there is none."""
    if not words:
        reason = f'java.lang.IllegalArgumentException: Argument expected after "{after or verb}"'
        raise thrown(process, verb, reason)
    return words.pop(0)


def without_user(words: list[str]) -> list[str]:
    """The words but ``--user N``: this phone has one user."""
    rest = list(words)
    while "--user" in rest:
        place = rest.index("--user")
        del rest[place : place + 2]
    return rest


def installed(process: Process, package: str) -> bool:
    """Whether there is such a package."""
    return any(installed.package == package for installed in process.machine.phone.packages)


def number(text: str) -> int | None:
    """A whole number as Java reads it; None for anything else."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    return int(text) if digits.isascii() and digits.isdecimal() else None
