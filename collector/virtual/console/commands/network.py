"""``network``: speed and delay of the mobile network, with the values of the emulator's constants.h."""

from __future__ import annotations

import struct
from pathlib import Path

from collector.virtual.console.command_table import ConsoleCommand, ConsoleError, Silence
from collector.virtual.console.commands.numbers import real_number
from collector.virtual.console.emulator import Emulator

_MODES = {
    "gsm": ("GSM/CD", 14.4, 14.4, 150, 550),
    "hscsd": ("HSCSD", 14.4, 57.6, 80, 400),
    "gprs": ("GPRS", 28.8, 57.6, 35, 200),
    "umts": ("UMTS/3G", 384.0, 384.0, 35, 200),
    "edge": ("EDGE/EGPRS", 473.6, 473.6, 80, 400),
    "hsdpa": ("HSDPA", 5760.0, 13980.0, 0, 0),
    "lte": ("LTE", 58000.0, 173000.0, 0, 0),
    "evdo": ("EVDO", 75000.0, 280000.0, 0, 0),
    "5g": ("no limit", 0.0, 0.0, 0, 0),
}
"""Name, kbit/s up and down, least and most delay in ms. 0 is no limit."""
_PCAP_HEADER = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
"""Of a capture file of libpcap: version 2.4, Ethernet."""
_FULL, _NONE = "full", "none"


def _pair(text: str) -> tuple[float, float] | None:
    """``<num>`` or ``<num>:<num>``; None for anything else."""
    read = real_number(text)
    if read is None:
        return None
    second = real_number(read[1][1:]) if read[1].startswith(":") else None
    return read[0], second[0] if second is not None else read[0]


def _speeds(text: str) -> tuple[float, float] | None:
    """Bits a second up and down."""
    if text == _FULL:
        return 0.0, 0.0
    if text in _MODES:
        return _MODES[text][1] * 1000, _MODES[text][2] * 1000
    pair = _pair(text)
    return (pair[0] * 1000, pair[1] * 1000) if pair is not None else None


def _delays(text: str) -> tuple[float, float] | None:
    """Milliseconds, least and most."""
    if text == _NONE:
        return 0.0, 0.0
    return (_MODES[text][3], _MODES[text][4]) if text in _MODES else _pair(text)


def _status(emulator: Emulator, words: str) -> str:
    del words
    network = emulator.phone.services.telephony.network
    up, down = _speeds(network("speed")) or (0.0, 0.0)
    least, most = _delays(network("delay")) or (0.0, 0.0)
    return (
        "Current network status:\n"
        f"  download speed:   {int(down):8d} bits/s ({down / 8192:.1f} KB/s)\n"
        f"  upload speed:     {int(up):8d} bits/s ({up / 8192:.1f} KB/s)\n"
        f"  minimum latency:  {int(least)} ms\n  maximum latency:  {int(most)} ms\n"
    )


def _speed(emulator: Emulator, words: str) -> str:
    if not words:
        raise ConsoleError("missing <speed> argument, see 'help network speed'")
    if _speeds(words) is None:
        raise ConsoleError("invalid <speed> argument, see 'help network speed' for valid values")
    emulator.phone.services.telephony.set_network("speed", words)
    return ""


def _delay(emulator: Emulator, words: str) -> str:
    if not words:
        raise ConsoleError("missing <delay> argument, see 'help network delay'")
    if _delays(words) is None:
        raise ConsoleError("invalid <delay> argument, see 'help network delay' for valid values")
    emulator.phone.services.telephony.set_network("delay", words)
    return ""


def _capture(emulator: Emulator, words: str) -> str:
    """A capture file without packets: the phone has no network. Any capture before it ends."""
    del emulator
    if not words:
        raise ConsoleError("missing <file> argument, see 'help network capture start'")
    try:
        Path(words).write_bytes(_PCAP_HEADER)
    except OSError as error:
        # The emulator forgets the end of the line.
        raise Silence(f"KO: could not start capture: {error.strerror}") from None
    return ""


def _stop_capture(emulator: Emulator, words: str) -> str:
    del emulator, words
    return ""


def _speed_help() -> str:
    rows = [(name, mode[0]) for name, mode in _MODES.items()]
    rows += [
        (_FULL, "no limit"),
        ("<num>", "selects both upload and download speed"),
        ("<up>:<down>", "select individual upload/download speeds"),
    ]
    return (
        "'network speed <speed>' allows you to dynamically change the speed of the emulated\n"
        "network on the device, where <speed> is one of the following:\n\n"
        + "".join(f"  {name:<8} {meaning}\n" for name, meaning in rows)
    )


NETWORK = ConsoleCommand(
    "network",
    "manage network settings",
    "allows you to manage the settings related to the network data connection of the\nemulated device.\n",
    subcommands=(
        ConsoleCommand("status", "dump network status", "", _status),
        ConsoleCommand("speed", "change network speed", _speed_help(), _speed),
        ConsoleCommand(
            "delay",
            "change network latency",
            "'network delay <latency>' allows you to dynamically change the latency of the emulated\n"
            "network on the device, where <latency> is one of the following:\n\n",
            _delay,
        ),
        ConsoleCommand(
            "capture",
            "dump network packets to file",
            "allows to start/stop capture of network packets to a file for later analysis\n",
            subcommands=(
                ConsoleCommand(
                    "start",
                    "start network capture",
                    "'network capture start <file>' starts a new capture of network packets\n"
                    "into a specific <file>. This will stop any capture already in progress.\n"
                    "the capture file can later be analyzed by tools like WireShark. It uses\n"
                    "the libpcap file format.\n\n"
                    "you can stop the capture anytime with 'network capture stop'\n",
                    _capture,
                ),
                ConsoleCommand(
                    "stop",
                    "stop network capture",
                    "'network capture stop' stops a currently running packet capture, if any.\n"
                    "you can start one with 'network capture start <file>'\n",
                    _stop_capture,
                ),
            ),
        ),
    ),
)
