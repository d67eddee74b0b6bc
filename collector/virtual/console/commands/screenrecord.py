"""``screenrecord``: pictures of the screen, and films of it, as files of the computer."""

from __future__ import annotations

from pathlib import Path

from collector.virtual.console.command_table import ConsoleCommand, ConsoleError
from collector.virtual.console.emulator import Emulator

_MOST_SECONDS, _FPS, _MOST_FPS, _BIT_RATE = 180, 24, 60, 4_000_000


def _options(words: str, known: tuple[str, ...]) -> tuple[dict[str, str], str]:
    """The values of options by name, and the name of the file that follows them."""
    given: dict[str, str] = {}
    rest = words.split()
    while rest and rest[0].startswith("--"):
        name = rest.pop(0).removeprefix("--")
        if name not in known or not rest:
            reason = f"missing value of --{name}" if name in known else f"unknown option '--{name}'"
            raise ConsoleError(reason)
        given[name] = rest.pop(0)
    return given, " ".join(rest)


def _number(text: str, name: str, most: int) -> int:
    scale = 1_000_000 if text[-1:] in "Mm" and name == "bit-rate" else 1
    digits = text[:-1] if scale > 1 else text
    if not digits.isdecimal() or not 0 < int(digits) * scale <= most:
        raise ConsoleError(f"invalid value of --{name}: {text}")
    return int(digits) * scale


def _start(emulator: Emulator, words: str) -> str:
    given, name = _options(words, ("size", "bit-rate", "time-limit", "fps", "display"))
    if not name:
        raise ConsoleError("missing filename, try 'screenrecord start [options] <filename>'")
    if Path(name).suffix != ".webm":
        raise ConsoleError("the file must have the extension .webm")
    width, cross, height = given.get("size", "").partition("x")
    if given.get("size") and not (cross and width.isdecimal() and height.isdecimal()):
        raise ConsoleError(f"invalid value of --size: {given['size']}")
    size = (int(width), int(height)) if cross else None
    from collector.virtual.console.webm_recorder import WebmRecorder

    if emulator.recorder is not None and emulator.recorder.is_running:
        raise ConsoleError("a recording is in progress")
    try:
        emulator.recorder = WebmRecorder(
            emulator.phone,
            Path(name),
            size,
            _number(given.get("fps", str(_FPS)), "fps", _MOST_FPS),
            _number(given.get("bit-rate", str(_BIT_RATE)), "bit-rate", 100_000_000),
            _number(given.get("time-limit", str(_MOST_SECONDS)), "time-limit", _MOST_SECONDS),
        )
    except OSError as error:
        raise ConsoleError(f"unable to record to {name}: {error.strerror}") from None
    return ""


def _stop(emulator: Emulator, words: str) -> str:
    del words
    if emulator.recorder is None:
        raise ConsoleError("no recording is in progress")
    recorder, emulator.recorder = emulator.recorder, None
    recorder.stop()
    return ""


def _screenshot(emulator: Emulator, words: str) -> str:
    given, name = _options(words, ("display",))
    if given.get("display", "0") != "0":
        raise ConsoleError(f"invalid display {given['display']}")
    folder = Path(name or ".")
    from collector.virtual.ui.jpeg import encode_png

    stamp = int(emulator.phone.clock.now.timestamp())
    path = folder / f"Screenshot_{stamp}.png" if folder.is_dir() else folder
    try:
        path.write_bytes(encode_png(emulator.phone.capture().rgba))
    except OSError as error:
        raise ConsoleError(f"screenshot failed: {error.strerror}") from None
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
        ConsoleCommand("stop", "stop screen recording", "", _stop),
        ConsoleCommand(
            "screenshot", "Take a screenshot",
            "'screenrecord screenshot [options] <dirname>'\n"
            "\nTakes a single screenshot of emulator's display and saves the resulting PNG in <dirname>.\n"
            "\nOptions:\n  --display ID\n"
            "    Set display to take screenshot. Default is the device's main display ID = 0\n", _screenshot,
        ),
    ),
)  # fmt: skip
