"""The clients of a played stream: ours, scrcpy-client as it is installed, and a loop without its waits."""

from __future__ import annotations

import contextlib
import logging
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import av
import cv2
import scrcpy

from collector.device.frame import Frame
from collector.device.video.scrcpy_server_jar import ScrcpyServerJar
from collector.device.video.scrcpy_source import ScrcpySource
from collector.model.geometry import Size
from tests.benchmarks.budgets.stream import VERSION, Player, Stream, pts_of

SHOWN = Size(486, 1080)
"""Size of the picture on screen, in physical pixels."""
_PATIENCE = 10.0
_HEADER = struct.Struct(">QI")
_META_BYTES = 1 + 64 + 4
"""What scrcpy 1.x sends before the first packet: a byte, the device's name and the size."""
_CONFIG = 1 << 63
_log = logging.getLogger(__name__)


@contextlib.contextmanager
def our_mirror(played: Player, view: Size, on_frame: Callable[[Frame], None]) -> Iterator[ScrcpySource]:
    """The source of the product, its server's place taken by ``played``; playing begins."""
    source = ScrcpySource(_Phone(played.port), ScrcpyServerJar(b"", VERSION, "bench"))  # type: ignore[arg-type]
    source.set_view_size(view)
    threading.Timer(0.2, played.play).start()  # start() waits for the first picture
    source.start(on_frame, lambda error: _log.error("the mirror failed: %s", error))
    try:
        yield source
    finally:
        source.close()


class _Phone:
    """As much of a phone as opening a scrcpy session takes."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._shell, self._silent = socket.socketpair()

    def push(self, _data: bytes, _path: object, **_limits: object) -> None:
        pass

    def open(self, service: str, *_limits: object) -> socket.socket:
        return self._shell if service.startswith("exec:") else _connected(self._port)


def _connected(port: int) -> socket.socket:
    link = socket.create_connection(("127.0.0.1", port))
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return link


def play_ours(played: Player, stream: Stream) -> tuple[list[float], float]:
    """Milliseconds from sending to ready at the shown size, a picture; and CPU milliseconds a picture."""
    ready: dict[int, int] = {}
    began = time.process_time()
    with our_mirror(played, SHOWN, lambda frame: ready.setdefault(frame.pts_us or 0, time.monotonic_ns())):
        sent = played.sent_ns()
        _until(lambda: pts_of(len(sent) - 1) in ready)
    cpu = (time.process_time() - began) * 1000 / len(stream.pictures)
    taken = [(ready[pts_of(i)] - sent[i]) / 1e6 for i in range(len(sent)) if pts_of(i) in ready]
    return taken, cpu


def play_rival(played: Player, stream: Stream) -> tuple[list[float], float]:
    """Play with scrcpy-client's own loop; its listener scales to the shown size with OpenCV's quickest."""
    ready: list[int] = []

    def show(picture: Any) -> None:
        if picture is not None:
            cv2.resize(picture, (SHOWN.width, SHOWN.height), interpolation=cv2.INTER_LINEAR)
            ready.append(time.monotonic_ns())

    phone = SimpleNamespace(
        sync=SimpleNamespace(push=lambda *_paths: None),
        shell=lambda *_words, **_more: SimpleNamespace(read=lambda _count: b"", close=lambda: None),
        create_connection=lambda *_address: _connected(played.port),
    )
    client = scrcpy.Client(phone)
    client.add_listener(scrcpy.EVENT_FRAME, show)
    began = time.process_time()
    client.start(threaded=True)
    played.play()
    sent = played.sent_ns()
    # Its parser gives a picture only when the next one begins: the last never comes.
    _until(lambda: len(ready) >= len(sent) - 1)
    cpu = (time.process_time() - began) * 1000 / len(stream.pictures)
    client.stop()
    client.stream_loop_thread.join(_PATIENCE)
    return [(at - sent[i]) / 1e6 for i, at in enumerate(ready)], cpu


def play_framed(played: Player, stream: Stream) -> tuple[list[float], float]:
    """Play with the plainest loop that waits for nothing: each packet decoded as its header bounds it.

    Its libraries are those of scrcpy-client with their quickest settings: PyAV without delay, OpenCV's
    conversion and its cheapest filter. It does not look for the rows that changed, as ours does.
    """
    ready: list[int] = []
    config = b""
    decoder = av.CodecContext.create("h264", "r")
    decoder.thread_count, decoder.options = 1, {"flags": "low_delay"}
    began = time.process_time()
    with _connected(played.port) as video, _connected(played.port), video.makefile("rb") as stream_of_bytes:
        stream_of_bytes.read(_META_BYTES)
        played.play()
        while len(ready) < len(stream.pictures):
            value, length = _HEADER.unpack(stream_of_bytes.read(_HEADER.size))
            data = stream_of_bytes.read(length)
            if value & _CONFIG:
                config = data
                continue
            for frame in decoder.decode(av.Packet(config + data)):
                picture = cv2.cvtColor(frame.to_ndarray(), cv2.COLOR_YUV2BGR_I420)
                cv2.resize(picture, (SHOWN.width, SHOWN.height), interpolation=cv2.INTER_LINEAR)
                ready.append(time.monotonic_ns())
            config = b""
    cpu = (time.process_time() - began) * 1000 / len(stream.pictures)
    sent = played.sent_ns()
    return [(at - sent[i]) / 1e6 for i, at in enumerate(ready)], cpu


def _until(reached: Callable[[], bool]) -> None:
    """Wait a moment for the last pictures; those that never come are simply not counted."""
    end = time.monotonic() + 1.0
    while not reached() and time.monotonic() < end:
        time.sleep(0.005)
