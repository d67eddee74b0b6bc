"""``run-as``: run a command as a debuggable app."""

from __future__ import annotations

from collector.virtual.android_versions import ANDROID_8
from collector.virtual.shell.pipes import Streams
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import without_user


@command("run-as")
def run_as(process: Process) -> int:
    """``run-as PACKAGE COMMAND``: run with the package's user id, which may signal its own process."""
    words = without_user(process.arguments)
    if not words:
        raise CommandError("run-as: usage: run-as <package-name> [--user <uid>] <command> [<args>]\n")
    package = next(
        (package for package in process.machine.phone.packages if package.package == words[0]), None
    )
    modern = process.machine.phone.profile.sdk >= ANDROID_8
    if package is None:
        old = f"run-as: Package '{words[0]}' is unknown"
        raise CommandError(f"run-as: unknown package: {words[0]}" if modern else old)
    if package.system:
        old = f"run-as: Package '{words[0]}' is not debuggable"
        raise CommandError(f"run-as: package not debuggable: {words[0]}" if modern else old)
    shell = process.shell.fork()
    shell.owner = package.package
    shell.directory = f"/data/user/0/{package.package}"
    streams = Streams(process.stdin, process.stdout, process.stderr)
    return shell.execute(words[1:] or ["sh"], streams, process.environment)
