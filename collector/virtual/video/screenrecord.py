"""``screenrecord``: the screen as an MP4 file of the phone, or as bare H.264 on standard output."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable
from fractions import Fraction

import av

from collector.model.geometry import Size
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.video.encoder import MICROSECOND, Encoded
from collector.virtual.video.recording_options import USAGE, RecordingOptions, parse_recording
from collector.virtual.video.refusals import encoder_limit
from collector.virtual.video.screen import Fitted
from collector.virtual.video.streamer import VideoStreamer

_MAX_PIXELS = 4096 * 4096
_SMALLER = Size(1280, 720)
_STDOUT = "-"


class _Bare:
    """An Annex B stream, configuration first."""

    def session(self, _size: Size) -> bytes:
        return b""

    def packets(self, encoded: Encoded) -> bytes:
        return encoded.config + encoded.data


class _Movie:
    """An MP4 file built in memory; time starts at its first frame."""

    def __init__(self, size: Size) -> None:
        self._file = io.BytesIO()
        self._container = av.open(self._file, "w", format="mp4")
        self._stream = self._container.add_mux_stream(
            "h264", rate=60, width=size.width, height=size.height, time_base=Fraction(1, 90_000)
        )
        self._since: int | None = None

    def session(self, _size: Size) -> bytes:
        return b""

    def packets(self, encoded: Encoded) -> bytes:
        self._since = encoded.pts_us if self._since is None else self._since
        packet = av.Packet(encoded.config + encoded.data)
        packet.stream = self._stream
        packet.time_base = MICROSECOND
        packet.pts = packet.dts = encoded.pts_us - self._since
        packet.is_keyframe = encoded.key
        self._container.mux(packet)
        return b""

    def finished(self) -> bytes:
        """The complete file; nothing can be added afterwards."""
        self._container.close()
        return self._file.getvalue()


def screenrecord(process: Process) -> int:
    """Record until cancelled, until the reader closes, or until the limit; return the exit status."""
    options = parse_recording(process.arguments)
    if options is None:
        process.stderr.write(USAGE.encode())
        return 0
    path = process.path(options.path)
    bare_to_stdout = options.raw and options.path == _STDOUT
    if not bare_to_stdout:
        _create(process, path, options.path)
    size = options.size or _size_for_encoder(process)
    if size.width * size.height > _MAX_PIXELS:
        raise CommandError(f"Unable to configure video/avc codec at {size} (err=-22)")
    if options.raw:
        write = process.stdout.write if bare_to_stdout else _appending(process, path)
        _record(process, options, size, _Bare(), write)
    else:
        movie = _Movie(size)
        _record(process, options, size, movie, lambda _data: None)
        process.machine.files.write(path, movie.finished())
    return 0


def _record(
    process: Process,
    options: RecordingOptions,
    size: Size,
    sink: _Bare | _Movie,
    write: Callable[[bytes], None],
) -> None:
    caption = _clock(process) if options.overlay else None
    video = VideoStreamer(
        process.machine.phone, sink, write, bit_rate=options.bit_rate, shape=Fitted(size, caption)
    )
    process.interruption.on_set(video.stop)
    limit = threading.Timer(options.seconds, video.stop)
    limit.name, limit.daemon = "screenrecord limit", True
    limit.start()
    if options.verbose:
        _print_settings(process, options, size)
    began = time.monotonic()
    try:
        video.run()
    finally:
        limit.cancel()
    if options.verbose and not process.interruption.is_set:
        seconds = time.monotonic() - began
        process.line(f"Encoder stopping; recorded {video.count} frames in {seconds:.0f} seconds")
        process.line("Stopping encoder and muxer")


def _print_settings(process: Process, options: RecordingOptions, size: Size) -> None:
    phone = process.machine.phone
    process.line(f"Main display is {phone.size} @60.00fps (orientation={phone.rotation})")
    process.line(
        f"Configuring recorder for {size} {'H.264' if options.raw else 'video/avc'} at "
        f"{options.bit_rate / 1e6:.2f}Mbps"
    )


def _clock(process: Process) -> Callable[[], str]:
    """The text that ``--bugreport`` draws over every frame."""
    return lambda: f"{process.machine.phone.clock.now:%H:%M:%S.%f}"[:-3]


def _create(process: Process, path: str, name: str) -> None:
    """Create the file now: a real recorder reports a missing permission at its start."""
    try:
        process.machine.files.write(path, b"")
    except OSError as error:
        raise CommandError(f"Unable to open '{name}': {error.strerror}") from None


def _appending(process: Process, path: str) -> Callable[[bytes], None]:
    return lambda data: process.machine.files.write(path, data, append=True)


def _size_for_encoder(process: Process) -> Size:
    """The size of the screen, or 1280x720 where the encoder refuses that."""
    size = _even(process.machine.phone.size)
    if not encoder_limit(process.machine.phone):
        return size
    smaller = _SMALLER if size.width > size.height else _SMALLER.transposed
    process.err(f"WARNING: failed at {size}, retrying at {smaller}")
    return smaller


def _even(size: Size) -> Size:
    return Size(size.width & ~1, size.height & ~1)
