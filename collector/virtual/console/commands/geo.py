"""``geo``: send the phone a position, as its GPS would."""

from __future__ import annotations

from collector.virtual.console.command_table import ConsoleCommand, ConsoleError
from collector.virtual.console.commands.numbers import real_number
from collector.virtual.console.emulator import Emulator
from collector.virtual.system.hardware.location import GpsFix

_DEFAULTS = (0.0, 0.0, 0.0, 1.0, 0.0)
"""Longitude, latitude, altitude, satellites, velocity; the first two must be given."""
_KNOT = 0.514444
"""Metres a second."""


def _fix(emulator: Emulator, words: str) -> str:
    values: list[float] = []
    while words and len(values) < len(_DEFAULTS):
        read = real_number(words)
        if read is None:
            raise ConsoleError(f"argument '{words}' is not a number")
        values.append(read[0])
        words = read[1].lstrip(" \t")
    if len(values) < 2:
        raise ConsoleError("not enough arguments: see 'help geo fix' for details")
    longitude, latitude, altitude, satellites, velocity = (*values, *_DEFAULTS[len(values) :])
    if not -180.0 <= longitude <= 180.0:
        raise ConsoleError("invalid longitude value. Should be in [-180,+180] range")
    if not -90.0 <= latitude <= 90.0:
        raise ConsoleError("invalid latitude value. Should be in [-90,+90] range")
    if satellites != int(satellites) or not 1 <= satellites <= 12:
        raise ConsoleError("invalid number of satellites. Must be an integer between 1 and 12")
    emulator.phone.services.location.fix(GpsFix(latitude, longitude, altitude, velocity * _KNOT))
    return ""


GEO = ConsoleCommand(
    "geo",
    "Geo-location commands",
    "allows you to change Geo-related settings, or to send GPS NMEA sentences\n",
    subcommands=(
        ConsoleCommand(
            "fix",
            "send a simple GPS fix",
            "'geo fix <longitude> <latitude> [<altitude> [<satellites> [<velocity>]]]'\n"
            " allows you to send a simple GPS fix to the emulated system.\n"
            " The parameters are:\n\n"
            "  <longitude>   longitude, in decimal degrees\n"
            "  <latitude>    latitude, in decimal degrees\n"
            "  <altitude>    optional altitude in meters\n"
            "  <satellites>  number of satellites being tracked (1-12)\n"
            "  <velocity>    optional velocity in knots\n"
            "\n",
            _fix,
        ),
    ),
)
