"""``bmgr`` and ``dpm``: backups, in which no app takes part, and owners of the phone, which has none."""

from __future__ import annotations

from collector.virtual.shell.process import Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import FAILED, installed, required, thrown, without_user

_TRANSPORT = "com.android.localtransport/.LocalTransport"
_ENABLED = "backup_enabled"
_DPM_VERBS = ("set-active-admin", "set-device-owner", "set-profile-owner", "remove-active-admin")
_SUCCEED = ("clear-freeze-period-record", "force-network-logs", "force-security-logs")


@command("bmgr")
def backup_manager(process: Process) -> int:
    """Run one command of the backup manager; the status is 0, whatever it says."""
    verb, *words = without_user(list(process.arguments)) or [""]
    settings = process.machine.phone.settings
    is_on = settings.is_on("secure", _ENABLED)
    if verb == "enabled":
        process.line(f"Backup Manager currently {'enabled' if is_on else 'disabled'}")
    elif verb == "activated":
        process.line("Backup Manager currently activated")
    elif verb == "enable" and words:
        on = words[0].lower() == "true"
        settings.put("secure", _ENABLED, str(int(on)))
        process.line(f"Backup Manager now {'enabled' if on else 'disabled'}")
    elif verb == "list" and words:
        process.line(f"  * {_TRANSPORT}" if words[0] == "transports" else "No restore sets available")
    elif verb == "transport" and words:
        _select(process, words[0])
    elif verb == "backupnow":
        _back_up(process, words, is_on=is_on)
    elif verb not in ("run", "backup", "init", "wipe", "cancel", "autorestore", "scheduling", "whitelist"):
        process.err("Unknown command")
    return 0


def _select(process: Process, transport: str) -> None:
    if transport == _TRANSPORT:
        process.line(f"Selected transport {transport} (formerly {transport})")
    else:
        process.line(f"Unknown transport '{transport}' specified; no changes made.")


def _back_up(process: Process, words: list[str], *, is_on: bool) -> None:
    packages = [word for word in words if not word.startswith("--")]
    kind = "non-incremental" if "--non-incremental" in words else "incremental"
    if "--all" in words and packages:
        process.err("Provide only '--all' flag or list of packages.")
        return
    if "--all" not in words and not packages:
        process.err("Provide '--all' flag or list of packages.")
        return
    which = "all packages." if "--all" in words else f"{len(packages)} requested packages."
    process.line(f"Running {kind} backup for {which}")
    if not is_on:
        process.line("Backup finished with result: Backup is not allowed")
        process.err("Unable to run backup")
        return
    for package in packages:
        reason = "Backup is not allowed" if installed(process, package) else "Package not found"
        process.line(f"Package {package} with result: {reason}")
    process.line("Backup finished with result: Success")


@command("dpm")
def device_policy(process: Process) -> int:
    """Run one command of the device policy manager: the phone belongs to nobody, and no app can own it."""
    verb, *words = without_user(list(process.arguments)) or [""]
    if verb == "list-owners":
        process.line("no owners")
    elif verb == "list-policy-exempt-apps":
        process.line("no policy exempt apps")
    elif verb in _SUCCEED:
        process.line("Success")
    elif verb in _DPM_VERBS:
        name = required(process, verb, [word for word in words if not word.startswith("--")])
        package, _, part = name.partition("/")
        if not part:
            raise thrown(process, verb, f"java.lang.IllegalArgumentException: Invalid component {name}")
        component = f"ComponentInfo{{{package}/{package + part if part.startswith('.') else part}}}"
        raise thrown(process, verb, f"java.lang.IllegalArgumentException: Unknown admin: {component}")
    else:
        process.line(f"Unknown command: {verb}")
        return FAILED
    return 0
