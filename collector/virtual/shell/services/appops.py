"""``appops`` and ``cmd appops``: allow or deny single operations of apps."""

from __future__ import annotations

from collector.virtual.shell.process import Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import FAILED, Service, installed, without_user
from collector.virtual.system.permissions import MODES
from collector.virtual.system.state import SYSTEM_UIDS

_NAMES = frozenset(
    [
        "COARSE_LOCATION",
        "FINE_LOCATION",
        "GPS",
        "VIBRATE",
        "READ_CONTACTS",
        "WRITE_CONTACTS",
        "READ_CALL_LOG",
        "WRITE_CALL_LOG",
        "READ_CALENDAR",
        "WRITE_CALENDAR",
        "WIFI_SCAN",
        "POST_NOTIFICATION",
        "NEIGHBORING_CELLS",
        "CALL_PHONE",
        "READ_SMS",
        "WRITE_SMS",
        "RECEIVE_SMS",
        "SEND_SMS",
        "WRITE_SETTINGS",
        "SYSTEM_ALERT_WINDOW",
        "ACCESS_NOTIFICATIONS",
        "CAMERA",
        "RECORD_AUDIO",
        "PLAY_AUDIO",
        "READ_CLIPBOARD",
        "WRITE_CLIPBOARD",
        "TAKE_MEDIA_BUTTONS",
        "WAKE_LOCK",
        "MONITOR_LOCATION",
        "GET_USAGE_STATS",
        "MUTE_MICROPHONE",
        "TOAST_WINDOW",
        "PROJECT_MEDIA",
        "ACTIVATE_VPN",
        "WRITE_WALLPAPER",
        "READ_EXTERNAL_STORAGE",
        "WRITE_EXTERNAL_STORAGE",
        "TURN_SCREEN_ON",
        "GET_ACCOUNTS",
        "RUN_IN_BACKGROUND",
        "READ_PHONE_STATE",
        "USE_SIP",
        "BODY_SENSORS",
        "REQUEST_INSTALL_PACKAGES",
        "PICTURE_IN_PICTURE",
        "START_FOREGROUND",
        "BLUETOOTH_SCAN",
        "MANAGE_EXTERNAL_STORAGE",
        "RUN_ANY_IN_BACKGROUND",
        "LEGACY_STORAGE",
        "SCHEDULE_EXACT_ALARM",
        "READ_MEDIA_IMAGES",
        "READ_MEDIA_VIDEO",
        "READ_MEDIA_AUDIO",
        "VIEW",
        "USE_FULL_SCREEN_INTENT",
    ]
)
_UNUSUAL = frozenset(
    {"SYSTEM_ALERT_WINDOW", "GET_USAGE_STATS", "WRITE_SETTINGS", "REQUEST_INSTALL_PACKAGES",
     "MANAGE_EXTERNAL_STORAGE", "SCHEDULE_EXACT_ALARM", "USE_FULL_SCREEN_INTENT"}
)  # fmt: skip
"""Operations whose initial mode is "default"; the initial mode of all others is "allow"."""
appops = Service(
    "appops",
    "AppOps service (appops) commands:\n  help\n    Print this help text.\n"
    "  set [--user <USER_ID>] <PACKAGE | UID> <OP> <MODE>\n"
    "    Set the mode for a particular application and operation.\n"
    "  get [--user <USER_ID>] [--attribution <ATTRIBUTION_TAG>] <PACKAGE | UID> [<OP>]\n"
    "    Return the mode for a particular application and optional operation.\n"
    "  reset [--user <USER_ID>] [<PACKAGE>]\n"
    "    Reset the given application or all applications to default modes.\n",
)


@command("appops")
def appops_command(process: Process) -> int:
    """The same service as a separate command."""
    return appops.run(process, process.arguments)


def _operation(process: Process, word: str) -> str | None:
    """The operation's name; for an unknown one, print Android's error and return None."""
    name = word.rpartition(":")[2].upper() if word.startswith("android:") else word
    if name in _NAMES:
        return name
    process.err(f"Error: Unknown operation string: {word}")
    return None


def _package(process: Process, words: list[str]) -> str | None:
    if not words:
        process.err("Error: Package not specified.")
        return None
    if words[0] not in SYSTEM_UIDS and not installed(process, words[0]):
        process.err(f"Error: No UID for {words[0]} in user 0")
        return None
    return words[0]


def _usual(operation: str) -> str:
    return "default" if operation in _UNUSUAL else "allow"


@appops.command("set")
def _set(process: Process, words: list[str]) -> int:
    rest = [word for word in without_user(words) if word != "--uid"]
    package = _package(process, rest)
    if package is None:
        return FAILED
    if len(rest) < 3:
        process.err(f"Error: {'Operation' if len(rest) < 2 else 'Mode'} not specified.")
        return FAILED
    operation = _operation(process, rest[1])
    if operation is None:
        return FAILED
    if rest[2] not in MODES:
        process.err(f"Error: Mode {rest[2]} is not valid")
        return FAILED
    process.machine.phone.services.permissions.set_op(package, operation, rest[2])
    return 0


@appops.command("get")
def _get(process: Process, words: list[str]) -> int:
    rest = [word for word in without_user(words) if word != "--uid"]
    package = _package(process, rest)
    if package is None:
        return FAILED
    operation = _operation(process, rest[1]) if len(rest) > 1 else ""
    if operation is None:
        return FAILED
    modes = {
        name: mode
        for name, mode in process.machine.phone.services.permissions.ops(package).items()
        if operation in ("", name) and mode != _usual(name)
    }
    for name, mode in modes.items():
        process.line(f"{name}: {mode}")
    if not modes:
        process.line("No operations.")
        if operation:
            process.line(f"Default mode: {_usual(operation)}")
    return 0


@appops.command("reset")
def _reset(process: Process, words: list[str]) -> int:
    rest = without_user(words)
    if rest and not installed(process, rest[0]):
        process.err(f"Error: Unknown package: {rest[0]}")
        return FAILED
    process.machine.phone.services.permissions.reset_ops(rest[0] if rest else "")
    process.line(f"Reset all modes for: user 0, {f'package {rest[0]}' if rest else 'all packages'}")
    return 0
