"""A recorded stream of a moving screen, and a server that plays it to any client as scrcpy 1.x does."""

from __future__ import annotations

import multiprocessing
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection

from collector.adb.scrcpy.stream import VideoPacket, encode_device_meta, encode_packet_header
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.model.geometry import Size
from collector.virtual.apps import make_apps
from collector.virtual.system.phone import Phone, PhoneProfile
from collector.virtual.video.encoder import Encoded, H264Encoder
from collector.virtual.video.screen import Scaled

SCREEN = Size(1080, 2400)
FPS = 60
VERSION = ScrcpyVersion.parse("1.24")
_BIT_RATE = 8_000_000
_PATIENCE = 20.0


@dataclass(frozen=True, slots=True)
class Stream:
    """Access units of one encoder; picture ``i`` has the time ``i`` in microseconds times 10,000."""

    size: Size
    pictures: list[Encoded]


def record_stream(count: int) -> Stream:
    """``count`` pictures of the settings' list being scrolled up and down on a virtual phone."""
    phone = Phone(PhoneProfile(size=SCREEN, density=480, apps=make_apps()))
    try:
        phone.launch("com.android.settings")
        shape = Scaled()
        size = shape.size(phone.size)
        encoder = H264Encoder(size, _BIT_RATE)
        pictures = []
        for number in range(count):
            phone.scroll(SCREEN.width / 2, SCREEN.height / 2, 0, -0.15 if number % 24 < 12 else 0.15)
            pictures.append(encoder.encode(shape.frame(phone.capture(), size), pts_of(number)))
        return Stream(size, pictures)
    finally:
        phone.close()


def pts_of(number: int) -> int:
    """Time of picture ``number`` in microseconds; tells pictures apart on the client's side."""
    return (number + 1) * 10_000


class Player:
    """Plays the stream once to the client that connects its two sockets to ``port``."""

    def __init__(self, port: int, pipe: Connection) -> None:
        self.port = port
        self._pipe = pipe

    def play(self) -> None:
        """Begin; the client must be connected."""
        self._pipe.send("play")

    def sent_ns(self) -> list[int]:
        """Waits for the end; ``time.monotonic_ns()`` just before each picture was sent."""
        if not self._pipe.poll(_PATIENCE):
            raise TimeoutError("the player did not come to its end")
        times: list[int] = self._pipe.recv()
        return times


@contextmanager
def player(stream: Stream, *, packets: bool) -> Iterator[Player]:
    """In a process of its own; ``packets`` puts scrcpy's header before each, else it is bare H.264."""
    context = multiprocessing.get_context("spawn")
    mine, other = context.Pipe()
    process = context.Process(target=_serve, args=(other, stream, packets), daemon=True)
    process.start()
    try:
        yield Player(mine.recv(), mine)
    finally:
        mine.send("end")
        process.join(_PATIENCE)
        mine.close()


def _serve(pipe: Connection, stream: Stream, packets: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        pipe.send(server.getsockname()[1])
        video, _address = server.accept()
        video.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        video.sendall(b"\0")
        control, _address = server.accept()
    with video, control:
        meta = encode_device_meta(ScrcpyVersion.parse("1.24"), "bench", stream.size)
        assert struct.unpack(">HH", meta[-4:]) == (stream.size.width, stream.size.height)
        video.sendall(meta)
        pipe.recv()
        pipe.send(_send(video, stream, packets))
        pipe.recv()


def _send(video: socket.socket, stream: Stream, packets: bool) -> list[int]:
    times = []
    begun = time.monotonic()
    for number, picture in enumerate(stream.pictures):
        data = _framed(picture) if packets else picture.config + picture.data
        time.sleep(max(0.0, begun + number / FPS - time.monotonic()))
        times.append(time.monotonic_ns())
        video.sendall(data)
    return times


def _framed(picture: Encoded) -> bytes:
    packets = [VideoPacket(picture.config, config=True)] if picture.config else []
    packets.append(VideoPacket(picture.data, picture.pts_us, key=picture.key))
    return b"".join(encode_packet_header(VERSION, packet) + packet.data for packet in packets)
