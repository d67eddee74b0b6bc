"""``locksettings`` and ``cmd lock_settings``: this phone has no lock screen, and says so."""

from __future__ import annotations

from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import FAILED

_USAGE = """lockSettings service commands:

  help
    Prints this help text.

  get-disabled [--user USER_ID]
    Prints true if the lock screen is completely disabled for the specified user.

  set-disabled [--user USER_ID] <true|false>
    Sets whether the lock screen is disabled.
"""
_NO_LOCK_SCREEN = "The device does not support lock screen - ignoring the command."


@command("locksettings")
def locksettings(process: Process) -> int:
    """Say that there is no lock screen; it can be neither enabled nor given a PIN."""
    words = process.arguments
    if not words or words[0] in ("help", "-h"):
        process.out(_USAGE)
    elif words[0] == "get-disabled":
        process.line("true")
    elif words[0] == "set-disabled" and words[-1] == "true":
        process.line("Lock screen disabled set to true")
    else:
        raise CommandError(_NO_LOCK_SCREEN, FAILED)
    return 0
