"""``cmd uimode``, ``locale``, ``location``, ``devicestoragemonitor``; ``clipboard`` has no commands."""

from __future__ import annotations

import re

from collector.virtual.android_versions import ANDROID_8, ANDROID_10, ANDROID_11, ANDROID_13
from collector.virtual.shell.process import Process
from collector.virtual.shell.services.service import FAILED, NO_SHELL, Service, required, thrown, unknown

_NIGHT = {"yes": "2", "no": "1", "auto": "0"}
_CUSTOM = "3"
_TYPES = {"custom_schedule": "0", "custom_bedtime": "1"}
"""Values of ``ui_night_mode``, and of ``ui_night_mode_custom_type`` beside the custom mode."""
_CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?")
_TAG = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|[0-9]{3}))?")
_FORCE = "    -f: force a storage change broadcast be sent, prints new sequence.\n"
uimode = Service(
    "uimode",
    "UiModeManager service (uimode) commands:\n  help\n    Print this help text.\n"
    "  night [yes|no|auto|custom_schedule|custom_bedtime]\n    Set or read night mode.\n"
    "  car [yes|no]\n    Set or read car mode.\n"
    "  time [start|end] <ISO time>\n"
    "    Set custom start/end schedule time (night mode must be set to custom to apply).\n",
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
clipboard = Service("clipboard", "", shell=NO_SHELL)
_SHELL = "com.android.shell"
_PROVIDER_WORDS = frozenset(
    {"add-test-provider", "remove-test-provider", "set-test-provider-enabled", "set-test-provider-location",
     "send-extra-command"}
)  # fmt: skip
location = Service(
    "location",
    "Location service commands:\n  help or -h\n    Print this help text.\n"
    "  is-location-enabled [--user <USER_ID>]\n    Gets the master location switch enabled state.\n"
    "  set-location-enabled true|false [--user <USER_ID>]\n"
    "    Sets the master location switch enabled state.\n"
    "  providers add-test-provider <PROVIDER>\n  providers remove-test-provider <PROVIDER>\n"
    "  providers set-test-provider-enabled <PROVIDER> true|false\n"
    "  providers set-test-provider-location <PROVIDER> --location <LATITUDE>,<LONGITUDE>\n"
    "    [--accuracy <ACCURACY>] [--time <TIME>]\n",
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
    custom = _custom_names(process.machine.phone.profile.sdk)
    if words and words[0] not in _NIGHT and words[0] not in custom:
        names = "', or '".join(["auto", *custom])
        process.err(f"Error: mode must be 'yes', 'no', or '{names}'")
        return FAILED
    if words and words[0] in custom:
        store.put("secure", "ui_night_mode_custom_type", custom[words[0]])
    if words:
        store.put("secure", "ui_night_mode", _NIGHT.get(words[0], _CUSTOM))
    now = store.get("secure", "ui_night_mode") or "1"
    names_by_value = {value: name for name, value in _NIGHT.items()}
    if now == _CUSTOM:
        kind = store.get("secure", "ui_night_mode_custom_type") or "0"
        name = next((package_name for package_name, value in custom.items() if value == kind), "unknown")
    else:
        name = names_by_value.get(now, "unknown")
    process.line(f"Night mode: {name}")
    return 0


def _custom_names(sdk: int) -> dict[str, str]:
    """The names of custom night modes: none before Android 11, two kinds since 13."""
    if sdk < ANDROID_11:
        return {}
    return {"custom": "0"} if sdk < ANDROID_13 else _TYPES


@uimode.command("car", ANDROID_13)
def _car(process: Process, words: list[str]) -> int:
    if words and words[0] not in ("yes", "no"):
        process.err("Error: mode must be 'yes', or 'no'")
        return FAILED
    process.line("Car mode: no")
    return 0


@uimode.command("time", ANDROID_11)
def _time(process: Process, words: list[str]) -> int:
    store = process.machine.phone.settings
    keys = {"start": "dark_theme_custom_start_time", "end": "dark_theme_custom_end_time"}
    if not words:
        process.line(f"start {store.get('secure', keys['start']) or '22:00'}")
        process.line(f"end {store.get('secure', keys['end']) or '06:00'}")
        return 0
    if words[0] not in keys:
        process.err("command must be in [start|end]")
        return FAILED
    package = words[1] if words[1:] else "null"
    if not _CLOCK.fullmatch(package):
        reason = f"Text '{package}' could not be parsed at index 0"
        raise thrown(process, "time", f"java.time.format.DateTimeParseException: {reason}")
    store.put("secure", keys[words[0]], package)
    return 0


@locale.command("set-app-locales")
def _set_locales(process: Process, words: list[str]) -> int:
    if not words:
        process.err("Error: no package specified")
        return FAILED
    package, rest, locales = words[0], list(words[1:]), ""
    while rest:
        word = rest.pop(0)
        if word == "--locales":
            locales = rest.pop(0) if rest and not rest[0].startswith("--") else ""
        elif word in ("--user", "--delegate"):
            required(process, "set-app-locales", rest, word)
        elif word.startswith("-"):
            reason = f"java.lang.IllegalArgumentException: Unknown option: {word}"
            raise thrown(process, "set-app-locales", reason)
    tags = [locale.strip() for locale in locales.strip("[]").split(",")]
    spoken = ",".join(tag.replace("_", "-") for tag in tags if _TAG.fullmatch(tag))
    if not process.machine.phone.services.languages.give(package, spoken):
        process.line(f"Unknown package {package} for userId 0")
    return 0


@locale.command("get-app-locales")
def _get_locales(process: Process, words: list[str]) -> int:
    if not words:
        process.err("Error: no package specified")
        return FAILED
    package = words[0]
    if not any(installed.package == package for installed in process.machine.phone.packages):
        process.line(f"Unknown package {package} for userId 0")
        return 0
    spoken = process.machine.phone.services.languages.of(package)
    process.line(f"Locales for {package} for user 0 are [{spoken}]")
    return 0


@location.command("set-location-enabled")
def _set_location(process: Process, words: list[str]) -> int:
    """Switch location; anything but "true" means false, as Java parses it."""
    value = required(process, "set-location-enabled", words)
    process.machine.phone.services.radios.set_location(value.lower() == "true")
    return 0


@location.command("providers")
def _providers(process: Process, words: list[str]) -> int:
    """Test providers; without the operation MOCK_LOCATION of the shell nothing happens, as on Android."""
    verb = required(process, "providers", words)
    if verb not in _PROVIDER_WORDS:
        return unknown(process, verb)
    name = required(process, verb, words)
    phone = process.machine.phone
    allowed = phone.services.permissions.ops(_SHELL).get("MOCK_LOCATION") == "allow"
    if verb == "set-test-provider-location":
        position = _position(process, verb, words)
        if allowed and position is not None:
            phone.services.location.set_mock(position)
    elif verb == "remove-test-provider" and allowed:
        phone.services.location.set_mock(None)
    elif verb == "send-extra-command":
        required(process, verb, words)
    process.machine.phone.log("D", "LocationManagerService", f"{verb} {name}")
    return 0


def _position(process: Process, verb: str, words: list[str]) -> tuple[float, float] | None:
    """The value of ``--location LATITUDE,LONGITUDE``; None without it."""
    rest, position = list(words), None
    while rest:
        word = rest.pop(0)
        if word not in ("--location", "--accuracy", "--time"):
            raise thrown(process, verb, f"java.lang.IllegalArgumentException: Unknown option: {word}")
        value = required(process, verb, rest, word)
        if word == "--location":
            latitude, _, longitude = value.partition(",")
            try:
                position = (float(latitude), float(longitude))
            except ValueError:
                reason = 'Location argument must be in the form of "<LATITUDE>,<LONGITUDE>", not '
                shown = f"java.lang.IllegalArgumentException: {reason}[{value}]"
                raise thrown(process, verb, shown) from None
    if position is None:
        raise thrown(process, verb, 'java.lang.IllegalArgumentException: Option "--location" is required')
    return position


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
