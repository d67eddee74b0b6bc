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

  get-disabled [--old <CREDENTIAL>] [--user USER_ID]
    Checks whether lock screen is disabled.

  set-disabled [--old <CREDENTIAL>] [--user USER_ID] <true|false>
    When true, disables lock screen.

  set-pattern [--old <CREDENTIAL>] [--user USER_ID] <PATTERN>
    Sets the lock screen as pattern, using the given PATTERN to unlock.

  set-pin [--old <CREDENTIAL>] [--user USER_ID] <PIN>
    Sets the lock screen as PIN, using the given PIN to unlock.

  set-password [--old <CREDENTIAL>] [--user USER_ID] <PASSWORD>
    Sets the lock screen as password, using the given PASSOWRD to unlock.

  clear [--old <CREDENTIAL>] [--user USER_ID]
    Clears the lock credentials.

  verify [--old <CREDENTIAL>] [--user USER_ID]
    Verifies the lock credentials.

  remove-cache [--user USER_ID]
    Removes cached unified challenge for the managed profile.

  set-resume-on-reboot-provider-package <package_name>
    Sets the package name for server based resume on reboot service provider.

  require-strong-auth [--user USER_ID] <reason>
    Requires the strong authentication. The current supported reasons: \
STRONG_AUTH_REQUIRED_AFTER_USER_LOCKDOWN.

"""
_KINDS: dict[str, tuple[CredentialKind, str]] = {
    "set-pattern": ("pattern", "Pattern"),
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
    if verb in _WITHOUT_CREDENTIAL:
        return _WITHOUT_CREDENTIAL[verb](process, "".join(rest[:1]))
    if not _checked(process, old):
        return FAILED
    if verb not in (*_KINDS, "set-disabled", "clear", "verify"):
        process.err(f"Unknown command: {verb}")
        return 0
    return _apply(process, verb, rest)


def _remove_cache(process: Process, _word: str) -> int:
    process.line("Password cached removed for user 0")
    return 0


def _name_provider(process: Process, package: str) -> int:
    process.machine.properties["persist.sys.resume_on_reboot_provider_package"] = package
    return 0


def _require_strong(process: Process, reason: str) -> int:
    """Accept the only reason there is: the phone knows no weaker way than what unlocks it."""
    if reason != "STRONG_AUTH_REQUIRED_AFTER_USER_LOCKDOWN":
        process.err(f"Unsupported reason: {reason}")
        return 0
    process.line(f"Require strong auth for USER_ID -1 because of {reason}")
    return 0


_WITHOUT_CREDENTIAL = {
    "remove-cache": _remove_cache,
    "set-resume-on-reboot-provider-package": _name_provider,
    "require-strong-auth": _require_strong,
}


def _checked(process: Process, old: str) -> bool:
    """Whether the credential was said, where there is one."""
    lock = process.machine.phone.services.lock_screen
    if not lock.secure:
        if old:
            process.line("Old password provided but user has no password")
        return not old
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
    strange = [dot for dot in secret if dot not in "123456789"]
    if kind == "pattern" and strange:
        reason = f"{'column' if strange[0] in '/0' else 'row'} must be in range 0-2"
    elif kind == "pattern" and len(secret) < SHORTEST:
        reason = f"pattern must not be null and at least {SHORTEST} dots long."
    elif len(secret) < SHORTEST:
        reason = f"password must not be null and at least of length {SHORTEST}"
    elif kind == "pin" and not secret.isdecimal():
        reason = "PIN must be numeric"
    if reason:
        exception = f"java.lang.IllegalArgumentException: {reason}"
        raise CommandError(f"Error while executing command: {verb}\n{exception}", FAILED)
