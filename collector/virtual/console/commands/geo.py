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
_FIRST_FIELD = {"$GPGGA": 2, "$GPRMC": 3}
"""Where the latitude stands in a sentence."""
_SIDES = {"N": 1, "S": -1, "E": 1, "W": -1}


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


def _nmea(emulator: Emulator, words: str) -> str:
    """The position of a sentence of the two supported kinds; others are passed on, and nothing follows."""
    if not words:
        raise ConsoleError("NMEA sentence missing, try 'help geo nmea'")
    fields = words.partition("*")[0].split(",")
    first = _FIRST_FIELD.get(fields[0], len(fields))
    latitude, longitude = (_degrees(fields[first + at : first + at + 2]) for at in (0, 2))
    if latitude is not None and longitude is not None:
        emulator.phone.services.location.fix(GpsFix(latitude, longitude, 0.0, 0.0))
    return ""


def _degrees(fields: list[str]) -> float | None:
    """Degrees of ``dddmm.mmmm`` and a side of the world; None for anything else."""
    if len(fields) < 2 or fields[1] not in _SIDES or (read := real_number(fields[0])) is None:
        return None
    degrees, minutes = divmod(read[0], 100)
    return (degrees + minutes / 60) * _SIDES[fields[1]]


def _gnss(emulator: Emulator, words: str) -> str:
    """Raw measurements: the phone computes no position from them."""
    del emulator
    if not words:
        raise ConsoleError("GNSS sentence missing, try 'help geo gnss'")
    return f"OK: sending {words}\n"


GEO = ConsoleCommand(
    "geo",
    "Geo-location commands",
    "allows you to change Geo-related settings, or to send GPS NMEA sentences\n",
    subcommands=(
        ConsoleCommand(
            "nmea",
            "send a GPS NMEA sentence",
            "'geo nema <sentence>' sends an NMEA 0183 sentence to the emulated device, as\n"
            "if it came from an emulated GPS modem. <sentence> must begin with '$GP'. Only\n"
            "'$GPGGA' and '$GPRMC' sentences are supported at the moment.\n",
            _nmea,
        ),
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
        ConsoleCommand(
            "gnss",
            "send a GNSS sentence",
            "'geo gnss <sentence>' sends a GNSS sentence to the emulated device.\n"
            "<sentence> has fields separated by ',', and it starts with 8 fields\n"
            "for clock data, 1 field for measurement count, and followed by\n"
            "count * 9 (each measurement data has 9 fields).\n"
            "e.g. geo gnss TimeNanos,FullBiasNanos,BiasNanos,BiasUncertaintyNanos,\n"
            "DriftNanosPerSecond,DriftUncertaintyNanosPerSecond,HardwareClockDiscontinuityCount,\n"
            "GnssClockFlags,count,Svid,ConstellationType,State,ReceivedSvTimeNanos,"
            "ReceivedSvTimeUncertaintyNanos,\n"
            "Cn0DbHz,PseudorangeRateMetersPerSecond,PseudorangeRateUncertaintyMetersPerSecond,\n"
            "CarrierFrequencyHz,<more measurements>\n",
            _gnss,
        ),
    ),
)
