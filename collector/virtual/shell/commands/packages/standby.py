"""``am`` about what runs in the background: standby buckets, users, services that do not run, profiles."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.shell.commands.packages.intents import intent_text, read_intent
from collector.virtual.shell.proc import process_rows
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.services.service import number, required, thrown, without_user

_BUCKETS = {"active": 10, "working_set": 20, "frequent": 30, "rare": 40, "restricted": 45}
_RARE = _BUCKETS["rare"]
_GONE = 1000
_IMPORTANCE = ((0, 100), (100, 200), (600, 400), (700, 400))
"""By the highest ``oom_score_adj``: the importance of a process to its user."""


def _package(process: Process, verb: str, words: list[str]) -> str:
    return required(process, verb, without_user(words))


def set_bucket(process: Process, words: list[str]) -> int:
    """``set-standby-bucket PACKAGE BUCKET``, by name or number."""
    rest = without_user(words)
    package, text = (
        required(process, "set-standby-bucket", rest),
        required(process, "set-standby-bucket", rest),
    )
    bucket = _BUCKETS.get(text.lower(), number(text))
    if bucket is None:
        raise CommandError(f"Error: Unknown bucket: {text}", 255)
    process.machine.phone.services.usage.set_bucket(package, bucket)
    return 0


def get_bucket(process: Process, words: list[str]) -> int:
    """The bucket of a package, or of every app."""
    rest, usage = without_user(words), process.machine.phone.services.usage
    if rest:
        process.line(str(usage.bucket(rest[0])))
        return 0
    for package in process.machine.phone.packages:
        if package.activities:
            process.line(f"{package.package}: {usage.bucket(package.package)}")
    return 0


def set_inactive(process: Process, words: list[str]) -> int:
    """``set-inactive PACKAGE true|false``."""
    rest = without_user(words)
    package, value = required(process, "set-inactive", rest), required(process, "set-inactive", rest)
    bucket = _RARE if value.lower() == "true" else _BUCKETS["active"]
    process.machine.phone.services.usage.set_bucket(package, bucket)
    return 0


def get_inactive(process: Process, words: list[str]) -> int:
    """Whether nobody uses an app."""
    bucket = process.machine.phone.services.usage.bucket(_package(process, "get-inactive", words))
    process.line(f"Idle={'true' if bucket >= _RARE else 'false'}")
    return 0


def importance(process: Process, words: list[str]) -> int:
    """How much the user notices the process of a package; 1000 for none."""
    package = _package(process, "package-importance", words)
    rows = process_rows(process.machine.phone, process.machine.processes)
    row = next((row for row in rows if row.package == package), None)
    value = _GONE
    if row is not None:
        value = next((value for highest, value in _IMPORTANCE if row.adjustment <= highest), 400)
    process.line(str(value))
    return 0


def stop_service(process: Process, words: list[str]) -> int:
    """No app of this phone has a service that runs."""
    process.line(f"Stopping service: {intent_text(read_intent(words).intent)}")
    raise CommandError("Service not stopped: was not running.", 255)


def start_user(process: Process, words: list[str]) -> int:
    """The owner runs already; another user is not started on a phone of one person."""
    wanted = number(required(process, "start-user", [word for word in words if not word.startswith("-")]))
    if wanted is not None and wanted in process.machine.users and not wanted:
        process.line("Success: user started")
        return 0
    raise CommandError("Error: could not start user", 0)


def stop_user(process: Process, words: list[str]) -> int:
    """The owner cannot be stopped, and nobody else runs."""
    wanted = required(process, "stop-user", [word for word in words if not word.startswith("-")])
    reason = " (Can't stop current user)" if wanted == "0" else f" (Unknown user {wanted})"
    raise CommandError(f"Switch failed: {wanted}{reason}", 255)


def user_state(process: Process, words: list[str]) -> int:
    """``get-started-user-state ID``."""
    wanted = required(process, "get-started-user-state", list(words))
    process.line("RUNNING_UNLOCKED" if wanted == "0" else f"User is not started: {wanted}")
    return 0


def not_debuggable(process: Process, words: list[str]) -> int:
    """``profile`` and ``dumpheap``: a phone that people buy shows nothing of an app."""
    verb = process.arguments[0]
    rest = [
        word for word in without_user(words) if word not in ("start", "stop") and not word.startswith("-")
    ]
    package = required(process, verb, rest)
    pid = process.machine.phone.pid_of(package)
    if pid is None:
        raise thrown(process, verb, f"java.lang.IllegalArgumentException: Unknown process: {package}")
    raise thrown(process, verb, f"java.lang.SecurityException: Process not debuggable: {pid}:{package}")


def restart(process: Process, words: list[str]) -> int:
    """Restart the system."""
    del words
    process.line("Restart the system...")
    process.machine.restart()
    return 0


def bug_report(process: Process, words: list[str]) -> int:
    """The report itself comes from ``bugreportz``."""
    del words
    process.line("Your lovely bug report is being created; please be patient.")
    return 0


def idle_maintenance(process: Process, words: list[str]) -> int:
    """The work that waits until nobody uses the phone: there is none."""
    del words
    process.line("Performing idle maintenance...")
    return 0


def monitor(process: Process, words: list[str]) -> int:
    """Wait for crashes until ``q`` is typed."""
    del words
    process.line("Monitoring activity manager...  available commands:\n(q)uit: finish monitoring")
    while (text := process.stdin.read(1)) and text != b"q":
        pass
    return 0


BACKGROUND_ACTIONS: dict[str, Callable[[Process, list[str]], int]] = {
    "set-standby-bucket": set_bucket,
    "get-standby-bucket": get_bucket,
    "set-inactive": set_inactive,
    "get-inactive": get_inactive,
    "package-importance": importance,
    "stopservice": stop_service,
    "stop-service": stop_service,
    "start-user": start_user,
    "stop-user": stop_user,
    "get-started-user-state": user_state,
    "profile": not_debuggable,
    "dumpheap": not_debuggable,
    "restart": restart,
    "bug-report": bug_report,
    "idle-maintenance": idle_maintenance,
    "monitor": monitor,
}
