"""The real window against scrcpy's desktop client, on one X server each: touch to photon, CPU a frame, start.

Each mirrors a virtual phone of its own at the same size on the screen, without a graphics card. They take
turns touch by touch, so that what else runs on the computer disturbs both alike. scrcpy is the one that
``WAYMARK_SCRCPY`` names, or that of ``PATH``; without it our own figures stand alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from collector.adb.scrcpy.control import InjectTouch
from collector.adb.scrcpy.options import DEFAULT_BIT_RATE
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer as OurAdbServer
from collector.device.video.scrcpy_link import ScrcpyLink
from collector.device.video.scrcpy_server_jar import find_server_jar
from collector.model.geometry import Point, Position, Size
from tests.benchmarks.budgets.table import Budget, Row
from tests.benchmarks.budgets.x_display import XDisplay, can_run, x_display
from tests.helpers.virtual import AdbServer, adb_server, virtual_process

SCREENS = ((Size(720, 1600), 320), (Size(1080, 2400), 480))
TOUCHES = int(os.environ.get("BENCH_TOUCHES", "40"))
SECONDS = float(os.environ.get("BENCH_SECONDS", "5"))
ROUNDS = 2
STARTS = 5
_PATIENCE = 30.0
_PAUSE = 0.15
"""Seconds between the way to a place and the press: the screen is still, and its last frame was repeated."""
_FOLDERS = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
_SETTINGS = "com.android.settings"
_LONG_LIST = "com.waymark.shop/com.waymark.shop.ResultsActivity"
# Prints the place of the picture when the first frame is painted, and the painted frames at each line read.
_STUDIO = """
import json, sys, time
from PySide6.QtCore import QPoint, QSocketNotifier, QTimer
from PySide6.QtWidgets import QApplication
app = QApplication(["waymark-studio"])
from studio.app import main as studio_main
from studio.app.studio import Studio

class Seen(Studio):
    def show(self):
        self.window.resize(1600, 1000)
        super().show()
        self.beat = QTimer(self, interval=1)
        self.beat.timeout.connect(self.look)
        self.beat.start()
        self.connecting = 0
    def start(self, *words, **more):
        super().start(*words, **more)
        self._start_devices.timeout.connect(self.note)
    def note(self):
        self.connecting = time.monotonic_ns()
    def look(self):
        front = self.window.current if self.is_loaded else None
        if front is None or front.scope != "record":
            return
        self.view = front.mirror.view
        if not self.view.frames_painted:
            return
        self.beat.stop()
        QTimer.singleShot(500, self, self.report)
        self.first = time.monotonic_ns()
        self.reader = QSocketNotifier(0, QSocketNotifier.Type.Read, self)
        self.reader.activated.connect(self.count)
    def report(self):
        place = self.view.picture_rect()
        at = self.view.mapToGlobal(place.topLeft())
        told = {"at": [at.x(), at.y(), place.width(), place.height()], "first": self.first}
        print(json.dumps(told | {"connecting": self.connecting}), flush=True)
    def count(self):
        if sys.stdin.readline():
            print(json.dumps({"painted": self.view.frames_painted}), flush=True)
        else:
            self.window.close()

studio_main.Studio = Seen
sys.exit(studio_main.open_studio(studio_main.Options(alone=True, commands=("view.record",))))
"""


def rows() -> Iterator[Row]:
    """Ours and scrcpy's in turn, at two sizes."""
    if not can_run():
        yield Row("touch to photon", [0.0], note="not measured: Xvfb or libXtst is missing")
        return
    for size, density in SCREENS:
        with ExitStack() as stack:
            ours = stack.enter_context(_studio(size, density))
            rival = stack.enter_context(_scrcpy(size, density, ours.place)) if _scrcpy_program() else None
            yield from _touched(size, ours, rival)
            yield from _scrolled(size, ours, rival)
    yield from _starts()


class Mirror:
    """A client that mirrors a phone on an X server of its own."""

    name = ""

    def __init__(
        self, display: XDisplay, process: subprocess.Popen[bytes], phone: AdbDevice, size: Size
    ) -> None:
        self.display, self.process, self.phone, self.size = display, process, phone, size
        self.place = (0, 0, 0, 0)
        """Left, top, width and height of the picture on the screen."""

    def frames(self) -> int:
        """Number of frames painted so far."""
        raise NotImplementedError

    def cpu_ms(self) -> float:
        """What the client's process used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")

    def cpu_by_thread(self) -> Counter[str]:
        """Milliseconds of each thread so far, by its name without a number: those of a pool together."""
        used: Counter[str] = Counter()
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            with contextlib.suppress(OSError):  # it has ended
                head, _, rest = (task / "stat").read_text().rpartition(")")
                name = re.sub(r"[-:]?\d+$", "", head.partition("(")[2])
                ticks = sum(map(int, rest.split()[11:13]))
                used[name] += ticks * 1000 // os.sysconf("SC_CLK_TCK")
        return used

    def touch_to_photon(self) -> float:
        """Press on a row of a list; milliseconds until its place on the screen has another colour."""
        left, top, width, height = self.place
        x, y = left + width // 2, top + height // 2
        self.display.move(x, y)
        time.sleep(_PAUSE)
        before = self.display.pixel(x, y)
        pressed = time.monotonic_ns()
        self.display.press(True)
        seen = self.display.wait_for(x, y, before, is_away=True, seconds=_PATIENCE)
        self.display.move(x + width // 4, y)  # so that the press does not become a tap
        self.display.press(False)
        self.display.wait_for(x, y, before, is_away=False, seconds=_PATIENCE)
        return (seen - pressed) / 1e6


class Studio(Mirror):
    """The window of the product, with the Record workspace in front."""

    name = "ours"

    def ask(self) -> dict[str, int]:
        assert self.process.stdin is not None
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()
        return self.read()

    def read(self) -> dict[str, int]:
        assert self.process.stdout is not None
        printed = []
        for line in self.process.stdout:
            if line.startswith(b"{"):
                answer: dict[str, int] = json.loads(line)
                return answer
            printed.append(line.decode("utf-8", "replace"))
        raise RuntimeError("the window ended: " + "".join(printed[-20:]))

    def frames(self) -> int:
        return self.ask()["painted"]


class Scrcpy(Mirror):
    """scrcpy's desktop client; it prints how many frames it shows a second."""

    name = "scrcpy's desktop client"

    def __init__(self, terminal: int, *words: object) -> None:
        super().__init__(*words)  # type: ignore[arg-type]
        self.lines: list[str] = []
        self.shown = 0
        threading.Thread(target=self._listen, args=(terminal,), daemon=True).start()

    def frames(self) -> int:
        return self.shown

    def _listen(self, terminal: int) -> None:
        # Into a pipe it would print when it ends.
        with open(terminal, errors="replace", closefd=True) as lines, contextlib.suppress(OSError):
            for line in lines:
                self.lines.append(line.rstrip())
                if count := re.search(r"(\d+) fps", line):
                    self.shown += int(count[1])


@contextmanager
def _phone(size: Size, density: int) -> Iterator[tuple[AdbServer, AdbDevice]]:
    words = ("--size", str(size), "--density", str(density))
    with adb_server() as server, virtual_process(*words) as (_process, address):
        server.connect(address)
        device = AdbDevice(address, OurAdbServer(server.port, server.binary))
        device.shell(f"monkey -p {_SETTINGS} 1")
        yield server, device


@contextmanager
def _studio(size: Size, density: int) -> Iterator[Studio]:
    with (
        _phone(size, density) as (server, device),
        x_display() as display,
        tempfile.TemporaryDirectory() as home,
        _opened(display, server, home) as process,
    ):
        studio = Studio(display, process, device, size)
        studio.place = tuple(studio.read()["at"])  # type: ignore[arg-type, assignment]
        yield studio


def _opened(
    display: XDisplay, server: AdbServer, home: str
) -> AbstractContextManager[subprocess.Popen[bytes]]:
    environment = server.environment | display.environment | dict.fromkeys(_FOLDERS, home)
    return _process([sys.executable, "-c", _STUDIO], environment)


def _starts() -> Iterator[Row]:
    """The first start fills the caches and is not counted."""
    size, density = SCREENS[0]
    connected = []
    with _phone(size, density) as (server, device), tempfile.TemporaryDirectory() as home:
        for _start in range(STARTS + 1):
            with x_display() as display, _opened(display, server, home) as process:
                told = Studio(display, process, device, size).read()
                connected.append((told["first"] - told["connecting"]) / 1e6)
    note = "from the moment the window begins to look for phones, with the phone listed by a running adb"
    yield Row(f"connect to first picture, {size}", connected[1:], Budget("median", 1000), note=note)


def _scrcpy_program() -> str:
    return os.environ.get("WAYMARK_SCRCPY") or shutil.which("scrcpy") or ""


@contextmanager
def _scrcpy(size: Size, density: int, place: tuple[int, int, int, int]) -> Iterator[Scrcpy]:
    """scrcpy with its picture as large, and at the same place, as ours."""
    left, top, width, height = place
    with _phone(size, density) as (server, device), x_display() as display:
        command = [
            _scrcpy_program(), f"--serial={device.serial}", "--no-audio", "--print-fps",
            "--window-borderless", f"--window-x={left}", f"--window-y={top}",
            f"--window-width={width}", f"--window-height={height}",
        ]  # fmt: skip
        environment = server.environment | display.environment | {"ADB": server.binary}
        ours, its = pty.openpty()
        with _process(command, environment, its) as process:
            os.close(its)
            scrcpy = Scrcpy(ours, display, process, device, size)
            scrcpy.place = place
            end = time.monotonic() + _PATIENCE
            x, y = left + width // 2, top + height // 2
            while display.pixel(x, y) == (0, 0, 0):
                if process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError(f"scrcpy shows no picture: {scrcpy.lines[-5:]}")
                time.sleep(0.05)
            time.sleep(0.5)
            yield scrcpy


@contextmanager
def _process(
    command: list[str], environment: dict[str, str], output: int = subprocess.PIPE
) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait(10)


def _touched(size: Size, ours: Studio, rival: Scrcpy | None) -> Iterator[Row]:
    mine: list[float] = []
    theirs: list[float] = []
    for _turn in range(TOUCHES):
        for mirror, samples in ((ours, mine), (rival, theirs)):
            if mirror is not None:
                samples.append(mirror.touch_to_photon())
    budget = Budget("median", 0.8, of_rival=True) if rival else None
    note = "the goal is 0.6x; the phone's drawing and encoding, the same for both, is in both figures"
    yield Row(f"touch to photon, {size}", mine, budget, Scrcpy.name if rival else "", theirs, note)


def _scrolled(size: Size, ours: Studio, rival: Scrcpy | None) -> Iterator[Row]:
    mine: list[float] = []
    theirs: list[float] = []
    rates: dict[str, list[float]] = {}
    threads: Counter[str] = Counter()
    shown = 0
    for mirror in filter(None, (ours, rival)):
        mirror.phone.shell(f"am start -W -n {_LONG_LIST}")
    for _round in range(ROUNDS):
        for mirror, samples in ((ours, mine), (rival, theirs)):
            if mirror is not None:
                before = mirror.cpu_by_thread()
                frames, cpu = _while_scrolling(mirror)
                samples.append(cpu / max(1, frames))
                if mirror is rival:
                    threads += mirror.cpu_by_thread() - before
                    shown += frames
                rates.setdefault(mirror.name, []).append(frames / SECONDS)
    budget = Budget("median", 0.6, of_rival=True) if rival else None
    painted = ", ".join(f"{name} {min(rate):.0f} frames a second" for name, rate in rates.items())
    note = f"the goal is 0.35x; {painted}"
    if rival:
        stages = ", ".join(f"{name} {used / max(1, shown):.2f}" for name, used in threads.most_common())
        note += f"; ms a picture of scrcpy's threads: {stages}"
    yield Row(f"CPU a frame, {size}", mine, budget, Scrcpy.name if rival else "", theirs, note)


def _while_scrolling(mirror: Mirror) -> tuple[int, float]:
    """Frames painted, and CPU milliseconds of the client, while the phone flings for SECONDS."""
    link = ScrcpyLink(mirror.phone, find_server_jar(virtual=True), DEFAULT_BIT_RATE, has_video=False)
    link.open()
    try:
        _fling(link, mirror.size)
        frames, cpu, end = mirror.frames(), mirror.cpu_ms(), time.monotonic() + SECONDS
        while time.monotonic() < end:
            _fling(link, mirror.size)
        return mirror.frames() - frames, mirror.cpu_ms() - cpu
    finally:
        link.close()


def _fling(link: ScrcpyLink, size: Size) -> None:
    """Swipe up and down; each list goes on by itself for the rest of the half second."""
    x, middle, step = size.width // 2, size.height // 2, size.height // 24
    for direction in (-1, 1):
        for number in range(9):
            action = 0 if number == 0 else 1 if number == 8 else 2
            place = Position(Point(x, middle + direction * step * (number - 4)), size)
            link.send(InjectTouch(action, -2, place, 1.0))
            time.sleep(0.008)
        time.sleep(0.18)
