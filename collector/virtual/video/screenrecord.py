"""``screenrecord --output-format=h264 -``: the screen as raw Annex B, until told to stop."""

from __future__ import annotations

import threading

from collector.model.geometry import Size
from collector.virtual.shell.process import Process
from collector.virtual.video.encoder import Encoded
from collector.virtual.video.streamer import VideoStreamer

_LIMIT_SECONDS = 180.0
_BIT_RATE = 20_000_000


class _Raw:
    """No framing: configuration and pictures one after another."""

    def session(self, _size: Size) -> bytes:
        return b""

    def packets(self, encoded: Encoded) -> bytes:
        return encoded.config + encoded.data


def screenrecord(process: Process) -> int:
    """Record to standard output; 2 on arguments it cannot take, as the real one."""
    values = {
        "output-format": "mp4",
        "bit-rate": str(_BIT_RATE),
        "time-limit": str(_LIMIT_SECONDS),
        "size": "",
    }
    words = list(process.arguments)
    target = ""
    while words:
        word = words.pop(0)
        name, equals, value = word.removeprefix("--").partition("=")
        if not word.startswith("--"):
            target = word
        elif name in values:
            values[name] = value if equals or not words else words.pop(0)
    try:
        rate = _bits(values["bit-rate"])
        limit = float(values["time-limit"])
        size = Size.parse(values["size"]) if values["size"] else None
    except ValueError as error:
        process.err(f"Invalid argument: {error}")
        return 2
    if target != "-" or values["output-format"] != "h264":
        process.err("ERROR: this phone records only --output-format=h264 to standard output (-)")
        return 2
    video = VideoStreamer(
        process.machine.phone, _Raw(), process.stdout.write, bit_rate=rate,
        max_size=max(size.width, size.height) if size else 0,
    )  # fmt: skip
    process.interruption.on_set(video.stop)
    timer = threading.Timer(limit or _LIMIT_SECONDS, video.stop)
    timer.daemon = True
    timer.start()
    try:
        video.run()
    finally:
        timer.cancel()
    return 0


def _bits(text: str) -> int:
    """``4M`` or ``4000000``."""
    million = text[-1:] in ("M", "m")
    return int(float(text[:-1]) * 1_000_000) if million else int(float(text))
