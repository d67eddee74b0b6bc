"""``locksettings`` and ``cmd lock_settings``: the lock screen and what unlocks it."""

from __future__ import annotations

from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import FAILED, without_user
from collector.virtual.system.phone_state.keyguard import SHORTEST, CredentialKind

_USAGE = """lockSettings service commands:

NOTE: when lock screen is set, all commands require the --old <CREDENTIAL> argument.

  help
    Prints this help text.

  get-disabled [--user USER_ID]
    Prints true if the lock screen is completely disabled for the specified user.
    Otherwise, prints false.

  set-disabled [--user USER_ID] <true|false>
    Sets whether the lock screen is disabled. If the lock screen is secure, this
    has no immediate effect. I.e. this can only change between Swipe and None.

  set-pin [--old <CREDENTIAL>] [--user USER_ID] <PIN>
    Sets the lock screen as a PIN, using the given PIN as the credential.

  set-password [--old <CREDENTIAL>] [--user USER_ID] <PASSWORD>
    Sets the lock screen as password, using the given PASSOWRD to unlock.

  clear [--old <CREDENTIAL>] [--user USER_ID]
    Clears the lock credentials.

  verify [--old <CREDENTIAL>] [--user USER_ID]
    Verifies the lock credentials.
"""
_KINDS: dict[str, tuple[CredentialKind, str]] = {
    "set-pin": ("pin", "Pin"),
    "set-password": ("password", "Password"),
}


@command("locksettings")
def locksettings(process: Process) -> int:
    """Change or ask about the lock screen; what unlocks it now must be said first."""
    words = without_user(process.arguments)
    if not words or words[0] in ("help", "-h"):
        process.out(_USAGE)
        return FAILED if not words else 0
    verb, rest = words[0], words[1:]
    old = ""
    if "--old" in rest:
        place = rest.index("--old")
        old = "".join(rest[place + 1 : place + 2])
        del rest[place : place + 2]
    if verb == "get-disabled":
        process.line(str(process.machine.phone.services.lock_screen.disabled).lower())
        return 0
    if verb not in (*_KINDS, "set-disabled", "clear", "verify"):
        process.line(f"Unknown command: {verb}")
        return FAILED
    if not _checked(process, old):
        return FAILED
    return _apply(process, verb, rest)


def _checked(process: Process, old: str) -> bool:
    """Whether the credential was said, where there is one."""
    lock = process.machine.phone.services.lock_screen
    if not lock.secure:
        return True
    if lock.pause_seconds:
        process.line("Request throttled")
        return False
    if lock.check(old):
        return True
    process.line(f"Old password '{old}' didn't match")
    return False


def _apply(process: Process, verb: str, rest: list[str]) -> int:
    lock = process.machine.phone.services.lock_screen
    if verb == "verify":
        process.line("Lock credential verified successfully")
    elif verb == "clear":
        lock.set_credential("none")
        process.line("Lock credential cleared")
    elif verb == "set-disabled":
        disabled = rest[:1] == ["true"]
        lock.disable(disabled)
        process.line(f"Lock screen disabled set to {str(disabled).lower()}")
    else:
        kind, name = _KINDS[verb]
        secret = rest[0] if rest else ""
        _require_fit(verb, kind, secret)
        lock.set_credential(kind, secret)
        process.line(f"{name} set to '{secret}'")
    return 0


def _require_fit(verb: str, kind: CredentialKind, secret: str) -> None:
    """Raise CommandError for a credential that Android does not take."""
    reason = ""
    if len(secret) < SHORTEST:
        reason = f"password must not be null and at least of length {SHORTEST}"
    elif kind == "pin" and not secret.isdecimal():
        reason = "PIN must be numeric"
    if reason:
        exception = f"java.lang.IllegalArgumentException: {reason}"
        raise CommandError(f"Error while executing command: {verb}\n{exception}", FAILED)
