"""Options of ``screenrecord``, with the error messages of the real one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from collector.model.geometry import Size
from collector.virtual.shell.process import CommandError

LONGEST = 180
"""Time limit of a recording in seconds."""
USAGE = f"""Usage: screenrecord [options] <filename>

Android screenrecord v1.3.  Records the device's display to a .mp4 file.

Options:
--size WIDTHxHEIGHT
    Set the video size, e.g. "1280x720".  Default is the device's main
    display resolution (if supported), 1280x720 if not.  For best results,
    use a size supported by the AVC encoder.
--bit-rate RATE
    Set the video bit rate, in bits per second.  Value may be specified as
    bits or megabits, e.g. '4000000' is equivalent to '4M'.  Default 20Mbps.
--bugreport
    Add additional information, such as a timestamp overlay, that is helpful
    in videos captured to illustrate bugs.
--time-limit TIME
    Set the maximum recording time, in seconds.  Default / maximum is {LONGEST}.
--display-id ID
    specify the physical display ID to record. Default is the primary display.
    see "dumpsys SurfaceFlinger --display-id" for valid display IDs.
--verbose
    Display interesting information on stdout.
--help
    Show this message.

Recording continues until Ctrl-C is hit or the time limit is reached.
"""
_MIN_RATE, _MAX_RATE = 100_000, 200_000_000
_MISUSE = 2
_VALUED = ("size", "bit-rate", "time-limit", "output-format", "display-id", "codec-name")
_FLAGS = (
    "help",
    "verbose",
    "bugreport",
    "show-device-info",
    "show-frame-time",
    "rotate",
    "persistent-surface",
)
_FORMATS = ("mp4", "h264")


@dataclass(frozen=True, slots=True)
class RecordingOptions:
    """Options of one recording; ``size`` None means the screen's size, ``seconds`` is its time limit."""

    path: str
    size: Size | None = None
    bit_rate: int = 20_000_000
    seconds: int = LONGEST
    raw: bool = False
    overlay: bool = False
    verbose: bool = False


def parse_recording(words: Sequence[str]) -> RecordingOptions | None:
    """Parse a command line; None when only help is requested. Raise CommandError with status 2."""
    flags, operands = _split(words)
    if "help" in flags:
        return None
    chosen = flags.get("output-format", "mp4")
    if chosen not in _FORMATS:
        raise _misused(f"Unknown format '{chosen}'")
    options = RecordingOptions(
        path=operands[0] if operands else "",
        size=_size(flags["size"]) if "size" in flags else None,
        bit_rate=_bit_rate(flags.get("bit-rate", "20M")),
        seconds=_seconds(flags.get("time-limit", str(LONGEST))),
        raw=chosen == "h264",
        overlay="bugreport" in flags,
        verbose="verbose" in flags,
    )
    if len(operands) != 1:
        raise _misused("Must specify output file (see --help).")
    return options


def _split(words: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    options: dict[str, str] = {}
    operands: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return options, operands + rest
        if not word.startswith("-") or word == "-":
            operands.append(word)
            continue
        name, equals, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or name not in _VALUED + _FLAGS:
            raise _misused(f"screenrecord: unknown option -- {word.lstrip('-')}")
        if name in _VALUED and not equals:
            if not rest:
                raise _misused(f"screenrecord: option requires an argument -- {name}")
            value = rest.pop(0)
        options[name] = value
    return options, operands


def _size(text: str) -> Size:
    match = re.fullmatch(r"(\d{1,6})x(\d{1,6})", text)
    if match is None:
        raise _misused(f"Invalid size '{text}', must be width x height")
    width, height = int(match[1]), int(match[2])
    if not width or not height:
        raise _misused(f"Invalid size {width}x{height}, width and height may not be zero")
    return Size(width & ~1 or 2, height & ~1 or 2)


def _bit_rate(text: str) -> int:
    match = re.fullmatch(r"(\d{1,9})([mM]?)", text)
    if match is None:
        raise _misused(f"Unexpected value: {text}")
    rate = int(match[1]) * (1_000_000 if match[2] else 1)
    if not _MIN_RATE <= rate <= _MAX_RATE:
        raise _misused(f"Bit rate {rate}bps outside acceptable range [{_MIN_RATE},{_MAX_RATE}]")
    return rate


def _seconds(text: str) -> int:
    seconds = int(text) if text.isdecimal() else 0
    if not 1 <= seconds <= LONGEST:
        raise _misused(f"Time limit {seconds}s outside acceptable range [1,{LONGEST}]")
    return seconds


def _misused(text: str) -> CommandError:
    return CommandError(text, _MISUSE)
