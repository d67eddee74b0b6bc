"""``sensor``, ``rotate`` and ``finger``: what the phone measures of the world and of its holder."""

from __future__ import annotations

from collector.virtual.console.command_table import ConsoleCommand, ConsoleError
from collector.virtual.console.commands.numbers import any_number, real_number
from collector.virtual.console.emulator import Emulator
from collector.virtual.system.hardware.sensors import SENSORS

_SET_USAGE = 'Usage: "set <sensorname> <value-a>[:<value-b>[:<value-c>]]"'
_CLOCKWISE = -1
"""Android counts the turns of the screen against those of the phone: right is rotation 3."""


def _required(name: str) -> None:
    if name not in SENSORS:
        raise ConsoleError(f"unknown sensor name: {name}, run 'sensor status' to get available sensors.")
    if not SENSORS[name]:
        raise ConsoleError(f"'{name}' sensor is disabled.")


def _status(emulator: Emulator, words: str) -> str:
    del emulator, words
    return "".join(f"{name}: {'enabled.' if there else 'disabled.'}\n" for name, there in SENSORS.items())


def _get(emulator: Emulator, words: str) -> str:
    if not words:
        raise ConsoleError('Usage: "get <sensorname>"')
    name = words.split()[0]
    _required(name)
    values = emulator.phone.services.sensors.values(name)
    return f"{name} = {':'.join(f'{value + 0.0:g}' for value in values)}\n"


def _set(emulator: Emulator, words: str) -> str:
    name, *rest = words.split(maxsplit=1)[:2] or [""]
    if not name or not rest:
        raise ConsoleError(_SET_USAGE)
    _required(name)
    sensors = emulator.phone.services.sensors
    values = list(sensors.values(name))
    for place, part in enumerate(rest[0].split(":")[: len(values)]):
        read = real_number(part) if part else (values[place], "")
        if read is None:
            raise ConsoleError(_SET_USAGE)
        values[place] = read[0]
    sensors.set(name, tuple(values))
    return ""


def _rotate(emulator: Emulator, words: str) -> str:
    """Turn the phone to the right; its screen follows while the rotation is free."""
    del words
    sensors = emulator.phone.services.sensors
    sensors.turn((sensors.rotation + _CLOCKWISE) % 4)
    return ""


def _touch(emulator: Emulator, words: str) -> str:
    """The phone knows no finger: nothing follows."""
    del emulator
    if not words:
        raise ConsoleError("missing fingerid")
    if any_number(words) is None:
        raise ConsoleError("invalid fingerid")
    return ""


def _remove(emulator: Emulator, words: str) -> str:
    del emulator, words
    return ""


SENSOR = ConsoleCommand(
    "sensor",
    "manage emulator sensors",
    "allows you to request the emulator sensors\n",
    subcommands=(
        ConsoleCommand(
            "status",
            "list all sensors and their status.",
            "'status': list all sensors and their status.\n",
            _status,
        ),
        ConsoleCommand(
            "get", "get sensor values", "'get <sensorname>' returns the values of a given sensor.\n", _get
        ),
        ConsoleCommand(
            "set",
            "set sensor values",
            "'set <sensorname> <value-a>[:<value-b>[:<value-c>[...]]]' set the values of a given sensor.\n",
            _set,
        ),
    ),
)
FINGER = ConsoleCommand(
    "finger",
    "manage emulator finger print",
    "allows you to touch the emulator finger print sensor\n",
    subcommands=(
        ConsoleCommand(
            "touch",
            "touch finger print sensor with <fingerid>",
            "'touch <fingerid>' touch finger print sensor with <fingerid>.\n",
            _touch,
        ),
        ConsoleCommand(
            "remove",
            "remove finger from the fingerprint sensor",
            "'remove' remove finger from the fingerprint sensor.\n",
            _remove,
        ),
    ),
)
ROTATE = ConsoleCommand("rotate", "rotate the screen clockwise by 90 degrees", "", _rotate)
