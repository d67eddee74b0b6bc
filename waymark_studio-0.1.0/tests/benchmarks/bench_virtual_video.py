"""Video of the virtual phone while a list flings, its client decoding on the same machine, and its memory.

Bars: 60 fps at 720x1600 and less than 80 MB a phone after a busy session, 30 fps and 100 MB at 1080x2400, two
running.
"""

from __future__ import annotations

import itertools
import os
import socket
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import adbutils
import av

from collector.adb.scrcpy.control import InjectTouch, encode_control
from collector.adb.scrcpy.stream import ConfigMerger, StreamReader, VideoPacket
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.model.geometry import Point, Position, Size
from tests.helpers.virtual import adb_server, virtual_process

SECONDS = float(os.environ.get("BENCH_SECONDS", "5"))
SCREENS = ((Size(720, 1600), 320, 60.0, 80.0), (Size(1080, 2400), 480, 30.0, 100.0))
LONG_LIST = "com.waymark.shop/com.waymark.shop.ResultsActivity"
VERSION = ScrcpyVersion.parse("2.7")
SERVER = (
    "CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server "
    f"{VERSION} tunnel_forward=true audio=false cleanup=false max_size=0"
)


@dataclass
class Client:
    """A client that decodes the video and sends touches."""

    video: socket.socket
    control: socket.socket
    size: Size

    def play(self, seconds: float) -> list[float]:
        """Times at which frames were decoded, in s."""
        reader, merger = StreamReader(VERSION, dummy_byte=True), ConfigMerger()
        decoder = av.CodecContext.create("h264", "r")
        decoder.thread_type = "SLICE"
        times: list[float] = []
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for item in reader.feed(self.video.recv(1 << 18)):
                if isinstance(item, VideoPacket) and (data := merger.merge(item)) is not None:
                    times += [time.monotonic() for _frame in decoder.decode(av.Packet(data))]
        return times

    def fling(self, stopped: threading.Event) -> None:
        """Fling up and down without a pause."""
        for direction in itertools.cycle((-1, 1)):
            if stopped.is_set():
                return
            self._swipe(direction)
            stopped.wait(0.25)

    def _swipe(self, direction: int) -> None:
        x, middle, step = self.size.width // 2, self.size.height // 2, self.size.height // 24
        for number in range(9):
            action = 0 if number == 0 else 1 if number == 8 else 2
            point = Point(x, middle + direction * step * (number - 4))
            position = Position(point, self.size)
            self.control.sendall(encode_control(VERSION, InjectTouch(action, -2, position)))
            time.sleep(0.008)


@contextmanager
def client(device: adbutils.AdbDevice, size: Size) -> Iterator[Client]:
    """Start the scrcpy server and connect to it."""
    server = device.shell(SERVER, stream=True)
    server.conn.recv(100)
    video, control = (device.create_connection(adbutils.Network.LOCAL_ABSTRACT, "scrcpy") for _ in range(2))
    try:
        yield Client(video, control, size)
    finally:
        for connection in (video, control, server.conn):
            connection.close()


def processor_seconds(pid: int) -> float:
    """What a process used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> str:
    """MB a process takes: its share of what several phones have in common, its own alone, and all of it."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    kilobytes = {line.partition(":")[0]: int(line.split()[1]) for line in lines}
    private = kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]
    parts = {"PSS": kilobytes["Pss"], "USS": private, "RSS": kilobytes["Rss"]}
    return ", ".join(f"{name} {size / 1024:.0f} MB" for name, size in parts.items())


def measure(device: adbutils.AdbDevice, size: Size, pid: int, bar: float) -> None:
    """Fling, decode and print the result."""
    device.shell(f"am start -W -n {LONG_LIST}")
    with client(device, size) as phone:
        stopped = threading.Event()
        finger = threading.Thread(target=phone.fling, args=(stopped,))
        finger.start()
        before = processor_seconds(pid)
        times = phone.play(SECONDS)
        spent = processor_seconds(pid) - before
        stopped.set()
        finger.join()
    gaps = sorted(after - before for before, after in itertools.pairwise(times))
    fps = (len(times) - 1) / (times[-1] - times[0])
    print(
        f"{size}: {fps:5.1f} fps decoded (bar {bar:.0f}), gap median {statistics.median(gaps) * 1e3:.1f} ms, "
        f"p95 {gaps[int(len(gaps) * 0.95)] * 1e3:.1f} ms; the phone used {spent / len(times) * 1e3:.1f} ms "
        f"of processor a picture"
    )


def busy_session(device: adbutils.AdbDevice) -> None:
    """Every app visited and scrolled, light and dark, upright and turned, with screenshots and dumps."""
    packages = [line.partition(":")[2] for line in device.shell("pm list packages").splitlines()]
    for night, turn in (("no", 0), ("yes", 1), ("no", 0)):
        device.shell(f"cmd uimode night {night}; wm user-rotation lock {turn}")
        for package in packages:
            device.shell(f"monkey -p {package} 1")
            for _ in range(2):
                device.shell("input swipe 300 500 300 200 100; uiautomator dump /sdcard/d.xml")
                device.shell("screencap -p", encoding=None)


def main() -> None:
    """Print the numbers of each screen."""
    with adb_server() as server:
        client_of_adb = adbutils.AdbClient("127.0.0.1", server.port)
        for size, density, bar, memory_bar in SCREENS:
            words = ("--size", str(size), "--density", str(density))
            with virtual_process(*words) as (process, address), virtual_process(*words):
                server.connect(address)
                device = client_of_adb.device(address)
                begun = memory(process.pid)
                measure(device, size, process.pid, bar)
                streamed = memory(process.pid)
                busy_session(device)
                measure(device, size, process.pid, bar)
                print(
                    f"{size}: memory at the start {begun}\n  after streaming {streamed}\n"
                    f"  after a busy session {memory(process.pid)} (bar {memory_bar:.0f} MB)"
                )
                server.run("disconnect", address)


if __name__ == "__main__":
    main()
