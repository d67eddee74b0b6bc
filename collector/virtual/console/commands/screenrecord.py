"""``screenrecord``: pictures of the screen, and films of it, as files of the computer."""

from __future__ import annotations

import re
from pathlib import Path

from collector.virtual.console.command_table import ConsoleCommand, ConsoleError, Silence
from collector.virtual.console.commands.numbers import whole_number
from collector.virtual.console.emulator import Emulator

_MOST_SECONDS, _FPS, _MOST_FPS, _BIT_RATE = 180, 24, 60, 4_000_000
_BIT_RATES = (100_000, 25_000_000)
_SIZE = re.compile(r"([0-9]{1,9})x([0-9]{1,9})")
_RATE = re.compile(r"([0-9]{1,12})([mM]?)")


def _options(words: str, known: tuple[str, ...], verb: str) -> tuple[dict[str, str], list[str]]:
    """The values of options by name, and the words that follow them."""
    given: dict[str, str] = {}
    rest = words.split()
    while rest and rest[0].startswith("--"):
        name, equals, value = rest.pop(0).removeprefix("--").partition("=")
        if name not in known or not (equals or rest):
            raise ConsoleError(f"Invalid arguments (see help screenrecord {verb}).")
        given[name] = value if equals else rest.pop(0)
    return given, rest


def _size(text: str) -> tuple[int, int]:
    match = _SIZE.fullmatch(text)
    if match is None:
        raise ConsoleError(f"Invalid size '{text}', must be width x height")
    width, height = int(match[1]), int(match[2])
    if not width or not height:
        raise ConsoleError(f"Invalid size {width}x{height}, width and height may not be zero")
    return width, height


def _bit_rate(text: str) -> int:
    """What is no number is refused without a word."""
    match = _RATE.fullmatch(text)
    if match is None:
        raise Silence("")
    rate = int(match[1]) * (1_000_000 if match[2] else 1)
    least, most = _BIT_RATES
    if not least <= rate <= most:
        raise ConsoleError(f"Bit rate {rate}bps outside acceptable range [{least},{most}]")
    return rate


def _number(text: str, name: str, most: int) -> int:
    """A bad one is refused by a line that is no KO."""
    read = whole_number(text)
    number = read[0] if read else 0
    if not 0 < number <= most:
        raise Silence(f"{name} {number}s outside acceptable range [1,{most}]\n")
    return number


def _start(emulator: Emulator, words: str) -> str:
    if emulator.recorder is not None and emulator.recorder.is_running:
        raise ConsoleError("Recording has already started")
    if not words:
        raise ConsoleError("Must provide an output filename")
    given, rest = _options(words, ("size", "bit-rate", "time-limit", "fps", "display"), "start")
    size = _size(given["size"]) if "size" in given else None
    bit_rate = _bit_rate(given.get("bit-rate", str(_BIT_RATE)))
    seconds = _number(given.get("time-limit", str(_MOST_SECONDS)), "Time limit", _MOST_SECONDS)
    fps = _number(given.get("fps", str(_FPS)), "FPS", _MOST_FPS)
    if len(rest) != 1:
        raise ConsoleError("Must specify output file (see help screenrecord start).")
    if not rest[0].lower().endswith(".webm"):
        raise ConsoleError("file must have a .webm extension")
    from collector.virtual.console.webm_recorder import WebmRecorder

    try:
        emulator.recorder = WebmRecorder(emulator.phone, Path(rest[0]), size, fps, bit_rate, seconds)
    except OSError:
        raise ConsoleError("Error while trying to start recording") from None
    return ""


def _stop(emulator: Emulator, words: str) -> str:
    del words
    if emulator.recorder is None:
        raise ConsoleError("No recording has been started.")
    recorder, emulator.recorder = emulator.recorder, None
    recorder.stop()
    return ""


def _screenshot(emulator: Emulator, words: str) -> str:
    """One that fails is not answered at all."""
    given, rest = _options(words, ("display",), "screenshot")
    folder = Path(rest[0] if len(rest) == 1 else ".")
    from collector.virtual.ui.drawing.jpeg import encode_png

    stamp = int(emulator.phone.clock.now.timestamp())
    path = folder / f"Screenshot_{stamp}.png" if folder.is_dir() else folder
    if given.get("display", "0") != "0":
        raise Silence("")
    try:
        path.write_bytes(encode_png(emulator.phone.capture().rgba))
    except OSError:
        raise Silence("") from None
    return ""


SCREENRECORD = ConsoleCommand(
    "screenrecord",
    "Records the emulator's display",
    "Records the emulator's display\n",
    subcommands=(
        ConsoleCommand(
            "start", "start screen recording",
            "'screenrecord start [options] <filename>'\n"
            "\nRecords the emulator's display to a .webm file.\n\nOptions:\n"
            "  --size WIDTHxHEIGHT\n"
            '    Set the video size, e.g. "1280x720". Default is the device\'s main\n'
            "    display resolution.\n"
            "  --bit-rate RATE\n"
            "    Set the video bit rate, in bits per second. Value may be specified as\n"
            "    bits or megabits, e.g. '4000000' is equivalent to '4M'. Default 4Mbps.\n    \n"
            "  --time-limit TIME\n"
            "    Set the maximum recording time, in seconds. Default/maximum is 180.\n    \n"
            "  --fps FPS\n"
            "    Set the frames per second for the video recording. Default is 24 fps, maximum is 60 fps.\n"
            "    \n"
            "  --display DISPLAY\n"
            "    Set the display id for the video recording. Default is 0.\n"
            "\nThe recording will stop with 'screenrecord stop' or when the time limit\nis reached\n", _start,
        ),
        ConsoleCommand(
            "stop", "stop screen recording",
            "'screenrecord stop' stops the recording if one has already started.\n", _stop,
        ),
        ConsoleCommand(
            "screenshot", "Take a screenshot",
            "'screenrecord screenshot [options] <dirname>'\n"
            "\nTakes a single screenshot of emulator's display and saves the resulting PNG in <dirname>.\n"
            "\nOptions:\n  --display ID\n"
            "    Set display to take screenshot. Default is the device's main display ID = 0\n", _screenshot,
        ),
    ),
)  # fmt: skip
