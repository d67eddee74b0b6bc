"""``cmd battery``, ``cmd power`` and ``cmd thermalservice``."""

from __future__ import annotations

from collector.virtual.android_versions import ANDROID_7, ANDROID_9, ANDROID_10, ANDROID_13
from collector.virtual.shell.process import Process
from collector.virtual.shell.services.service import FAILED, Service, number
from collector.virtual.system.hardware.power import SHUTDOWN

_KEYS = {
    "present": "present",
    "ac": "ac",
    "usb": "usb",
    "wireless": "wireless",
    "dock": "dock",
    "status": "status",
    "level": "level",
    "counter": "counter",
    "temp": "temperature",
    "invalid": "invalid",
}
_YES_NO = frozenset({"present", "ac", "usb", "wireless", "dock"})
_FORCE = "    -f: force a battery change broadcast be sent, prints new sequence.\n"
_USAGE = (
    "Battery service (battery) commands:\n  help\n    Print this help text.\n"
    "  get [-f] [ac|usb|wireless|dock|status|level|temp|present|counter|invalid]\n"
    "  set [-f] [ac|usb|wireless|dock|status|level|temp|present|counter|invalid] <value>\n"
    f"    Force a battery property value, freezing battery state.\n{_FORCE}"
    f"  unplug [-f]\n    Force battery unplugged, freezing battery state.\n{_FORCE}"
    f"  reset [-f]\n    Unfreeze battery state, returning to current hardware values.\n{_FORCE}"
)
battery = Service("battery", _USAGE, shell=ANDROID_7)
power = Service(
    "power",
    "Power manager (power) commands:\n  help\n    Print this help text.\n\n"
    "  set-mode MODE\n    sets the power mode of the device to MODE.\n"
    "    1 turns low power mode on and 0 turns low power mode off.\n",
    shell=ANDROID_9,
)
thermal = Service(
    "thermalservice",
    "Thermal service (thermalservice) commands:\n  help\n    Print this help text.\n\n"
    "  override-status STATUS\n    sets and locks the thermal status of the device to STATUS.\n"
    "    status code is defined in android.os.Temperature.\n"
    "  reset\n    unlocks the thermal status of the device.\n",
    since=ANDROID_10,
)


def _options(words: list[str]) -> tuple[bool, list[str]]:
    """Whether ``-f`` precedes the other words, and the other words."""
    forced = words[:1] == ["-f"]
    return forced, words[1:] if forced else list(words)


def _print_sequence(process: Process, forced: bool) -> int:
    if forced:
        process.line(str(process.machine.phone.services.power.sequence))
    return 0


@battery.command("unplug")
def _unplug(process: Process, words: list[str]) -> int:
    forced, _rest = _options(words)
    process.machine.phone.services.power.unplug()
    return _print_sequence(process, forced)


@battery.command("reset")
def _reset(process: Process, words: list[str]) -> int:
    forced, _rest = _options(words)
    process.machine.phone.services.power.reset()
    return _print_sequence(process, forced)


@battery.command("get", ANDROID_10)
def _get(process: Process, words: list[str]) -> int:
    _forced, rest = _options(words)
    if not rest:
        process.line("No property specified")
        return FAILED
    name = _property_of(process, rest[0])
    if name is None:
        process.line(f"Unknown get option: {rest[0]}")
        return 0
    value = getattr(process.machine.phone.services.power.supply, name)
    process.line(str(value).lower())
    return 0


@battery.command("set")
def _set(process: Process, words: list[str]) -> int:
    forced, rest = _options(words)
    if len(rest) < 2:
        process.line("No value specified" if rest else "No property specified")
        return FAILED
    name, value = _property_of(process, rest[0]), number(rest[1])
    if name is None:
        process.line(f"Unknown set option: {rest[0]}")
        return 0
    if value is None:
        process.line(f"Bad value: {rest[1]}")
        return FAILED
    process.machine.phone.services.power.override(**{name: value != 0 if name in _YES_NO else value})
    return _print_sequence(process, forced)


def _property_of(process: Process, word: str) -> str | None:
    """The property of a word; docks were added in Android 13."""
    if word == "dock" and process.machine.phone.profile.sdk < ANDROID_13:
        return None
    return _KEYS.get(word)


@power.command("set-mode")
def _set_mode(process: Process, words: list[str]) -> int:
    """Switch the battery saver; while charging it fails silently, as on Android."""
    if not words:
        process.line('Error: java.lang.IllegalArgumentException: Argument expected after "set-mode"')
        return FAILED
    mode = number(words[0])
    if mode is None:
        process.line(f'Error: java.lang.NumberFormatException: For input string: "{words[0]}"')
        return FAILED
    process.machine.phone.services.power.save(mode == 1)
    return 0


@thermal.command("override-status")
def _override(process: Process, words: list[str]) -> int:
    if not words:
        process.line('Error: java.lang.IllegalArgumentException: Argument expected after "override-status"')
        return FAILED
    status = number(words[0])
    if status is None:
        process.line(f'Error: java.lang.NumberFormatException: For input string: "{words[0]}"')
        return FAILED
    if not 0 <= status <= SHUTDOWN:
        process.line(f"Invalid status: {status}")
        return FAILED
    process.machine.phone.services.power.override_thermal(status)
    return 0


@thermal.command("reset")
def _reset_thermal(process: Process, words: list[str]) -> int:
    del words
    process.machine.phone.services.power.override_thermal(None)
    return 0
