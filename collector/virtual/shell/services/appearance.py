"""``cmd uimode``, ``cmd locale``, ``cmd location`` and ``cmd devicestoragemonitor``."""

from __future__ import annotations

import re

from collector.virtual.shell.process import Process
from collector.virtual.shell.services.service import (
    ANDROID_8,
    ANDROID_10,
    ANDROID_11,
    ANDROID_13,
    FAILED,
    Service,
    required,
    thrown,
)

_NIGHT = {"yes": "2", "no": "1", "auto": "0", "custom_schedule": "3"}
_TAG = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|[0-9]{3}))?")
_FORCE = "    -f: force a storage change broadcast be sent, prints new sequence.\n"
uimode = Service(
    "uimode",
    "UiModeManager service (uimode) commands:\n  help\n    Print this help text.\n"
    "  night [yes|no|auto|custom_schedule|custom_bedtime]\n    Set or read night mode.\n",
    shell=ANDROID_10,
)
locale = Service(
    "locale",
    "Locale manager (locale) shell commands:\n  help\n      Print this help text.\n"
    "  set-app-locales <PACKAGE_NAME> [--user <USER_ID>] "
    "[--locales <LOCALE_INFO>][--delegate <FROM_DELEGATE>]\n"
    "      Set the locales for the specified app.\n"
    "  get-app-locales <PACKAGE_NAME> [--user <USER_ID>]\n"
    "      Get the locales for the specified app.\n",
    since=ANDROID_13,
)
location = Service(
    "location",
    "Location service commands:\n  help or -h\n    Print this help text.\n"
    "  is-location-enabled [--user <USER_ID>]\n    Gets the master location switch enabled state.\n"
    "  set-location-enabled true|false [--user <USER_ID>]\n"
    "    Sets the master location switch enabled state.\n",
    shell=ANDROID_10,
)
storage = Service(
    "devicestoragemonitor",
    "Device storage monitor service (devicestoragemonitor) commands:\n  help\n    Print this help text.\n"
    f"  force-low [-f]\n    Force storage to be low, freezing storage state.\n{_FORCE}"
    f"  force-not-low [-f]\n    Force storage to not be low, freezing storage state.\n{_FORCE}"
    f"  reset [-f]\n    Unfreeze storage state, returning to current real values.\n{_FORCE}",
    shell=ANDROID_8,
)


@uimode.command("night")
def _night(process: Process, words: list[str]) -> int:
    store = process.machine.phone.settings
    scheduled = process.machine.phone.profile.sdk >= ANDROID_11
    if words and (words[0] not in _NIGHT or (words[0] == "custom_schedule" and not scheduled)):
        more = ", 'custom_schedule' or 'custom_bedtime'" if scheduled else ""
        names = f"'yes', 'no', 'auto'{more}" if more else "'yes', 'no', or 'auto'"
        process.err(f"Error: mode must be {names}")
        return FAILED
    if words:
        store.put("secure", "ui_night_mode", _NIGHT[words[0]])
    names_by_value = {value: name for name, value in _NIGHT.items()}
    process.line(f"Night mode: {names_by_value.get(store.get('secure', 'ui_night_mode') or '1', 'unknown')}")
    return 0


@locale.command("set-app-locales")
def _set_locales(process: Process, words: list[str]) -> int:
    if not words:
        process.err("Error: no package specified")
        return FAILED
    package, rest, wanted = words[0], list(words[1:]), ""
    while rest:
        word = rest.pop(0)
        if word == "--locales":
            wanted = rest.pop(0) if rest and not rest[0].startswith("--") else ""
        elif word in ("--user", "--delegate"):
            required(process, "set-app-locales", rest, word)
        elif word.startswith("-"):
            reason = f"java.lang.IllegalArgumentException: Unknown option: {word}"
            raise thrown(process, "set-app-locales", reason)
    first = wanted.strip("[]").partition(",")[0].strip()
    spoken = first.replace("_", "-") if _TAG.fullmatch(first) else ""
    if not process.machine.phone.services.languages.give(package, spoken):
        process.line(f"Unknown package {package} for userId 0")
    return 0


@locale.command("get-app-locales")
def _get_locales(process: Process, words: list[str]) -> int:
    if not words:
        process.err("Error: no package specified")
        return FAILED
    package = words[0]
    if not any(one.package == package for one in process.machine.phone.packages):
        process.line(f"Unknown package {package} for userId 0")
        return 0
    spoken = process.machine.phone.services.languages.of(package)
    process.line(f"Locales for {package} for user 0 are [{spoken}]")
    return 0


@location.command("set-location-enabled")
def _set_location(process: Process, words: list[str]) -> int:
    """Anything but "true" is false, as Java reads it."""
    wanted = required(process, "set-location-enabled", words)
    process.machine.phone.services.radios.set_location(wanted.lower() == "true")
    return 0


@location.command("is-location-enabled")
def _is_location(process: Process, words: list[str]) -> int:
    del words
    process.line("true" if process.machine.phone.services.radios.location else "false")
    return 0


@storage.command("force-low")
def _force_low(process: Process, words: list[str]) -> int:
    process.machine.phone.services.storage.force("LOW")
    return _sequence(process, words)


@storage.command("force-not-low")
def _force_not_low(process: Process, words: list[str]) -> int:
    process.machine.phone.services.storage.force("NORMAL")
    return _sequence(process, words)


@storage.command("reset")
def _reset(process: Process, words: list[str]) -> int:
    process.machine.phone.services.storage.force("UNKNOWN")
    return _sequence(process, words)


def _sequence(process: Process, words: list[str]) -> int:
    if "-f" in words:
        process.line(str(process.machine.phone.services.storage.sequence))
    return 0
