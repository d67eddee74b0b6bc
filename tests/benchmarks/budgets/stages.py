"""The stages between a change on the virtual phone and its picture in the window, one after the other.

In the product they overlap, on four threads of two processes; here each waits for the one before, so that its
time is its own. The sum is more than a picture takes there, the shares say where the time goes.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from collector.device.frame import Frame
from collector.device.video.frame_decoder import FrameDecoder
from collector.model.geometry import Size
from collector.virtual.apps import make_apps
from collector.virtual.system.phone import Phone, PhoneProfile
from collector.virtual.video.encoder import H264Encoder
from collector.virtual.video.screen import Scaled
from studio.widgets.device_view.view import DeviceView
from studio.widgets.device_view.view_frame import ViewFrame
from tests.benchmarks.budgets.stream import pts_of
from tests.benchmarks.budgets.table import Row

SCREENS = ((Size(720, 1600), 320), (Size(1080, 2400), 480))
PICTURES = 120
_WARM_UP = 10
_BIT_RATE = 8_000_000
_STAGES = ("drawing", "encoding", "socket", "decoding", "upload", "painting")
T = TypeVar("T")


def rows() -> Iterator[Row]:
    """A row for each stage of each size, with the CPU of all threads in its note."""
    for size, density in SCREENS:
        yield from _of_size(size, density)


class _Watch:
    """Wall and CPU milliseconds of each stage, a picture each."""

    def __init__(self) -> None:
        self.wall: dict[str, list[float]] = {name: [] for name in _STAGES}
        self.cpu: dict[str, list[float]] = {name: [] for name in _STAGES}

    def timed(self, stage: str, act: Callable[[], T]) -> T:
        began, cpu = time.perf_counter(), time.process_time()
        result = act()
        self.cpu[stage].append((time.process_time() - cpu) * 1e3)
        self.wall[stage].append((time.perf_counter() - began) * 1e3)
        return result


def _of_size(size: Size, density: int) -> Iterator[Row]:
    watch = _Watch()
    phone = Phone(PhoneProfile(size=size, density=density, apps=make_apps()))
    sender, receiver = _connection()
    view = _shown_view(size)
    try:
        phone.launch("com.android.settings")
        shape = Scaled()
        encoder = H264Encoder(shape.size(size), _BIT_RATE)
        came: list[Frame] = []
        decoder = FrameDecoder(came.append)
        target = view.transform.image
        for number in range(PICTURES):
            phone.scroll(size.width / 2, size.height / 2, 0, -0.15 if number % 24 < 12 else 0.15)
            drawn = watch.timed("drawing", phone.capture)
            encoded = watch.timed(
                "encoding",
                lambda: encoder.encode(shape.frame(drawn, encoder.size), pts_of(number)),  # noqa: B023
            )
            unit = encoded.config + encoded.data
            data = watch.timed("socket", lambda: _sent(sender, receiver, unit))  # noqa: B023
            came.clear()
            watch.timed("decoding", lambda: decoder.feed([(data, pts_of(number))], 0))  # noqa: B023
            if not came:
                continue
            ready = watch.timed("upload", lambda: ViewFrame.of_frame(came[0], target, size))
            watch.timed("painting", lambda: _painted(view, ready))  # noqa: B023
    finally:
        phone.close()
        view.close()
        sender.close()
        receiver.close()
    for stage in _STAGES:
        cpu = sorted(watch.cpu[stage][_WARM_UP:])
        note = f"CPU {cpu[len(cpu) // 2]:.2f} ms a picture"
        yield Row(f"stage: {stage}, {size}", watch.wall[stage][_WARM_UP:], note=note)


def _connection() -> tuple[socket.socket, socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        sender = socket.create_connection(listener.getsockname())
        receiver, _address = listener.accept()
    sender.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for end in (sender, receiver):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 21)
        end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 21)
    return sender, receiver


def _sent(sender: socket.socket, receiver: socket.socket, data: bytes) -> bytes:
    """Send on the loopback interface and read all of it again."""
    sender.sendall(data)
    parts, left = [], len(data)
    while left:
        parts.append(receiver.recv(min(left, 1 << 18)))
        left -= len(parts[-1])
    return b"".join(parts)


def _shown_view(size: Size) -> DeviceView:
    view = DeviceView()
    view.resize(900, 1100)
    view.show_frame(ViewFrame(QImage(8, 8, QImage.Format.Format_RGB32), size))
    view.show()
    QApplication.processEvents()
    return view


def _painted(view: DeviceView, frame: ViewFrame) -> None:
    view.show_frame(frame)
    view.repaint()
