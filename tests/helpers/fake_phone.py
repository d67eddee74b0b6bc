"""A phone for replays that exists only in memory: screens by name, and touches that lead between them."""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from collector.device.errors import DeviceOffline
from collector.device.snapshot import TreeSnapshot
from collector.device.transport.shell_result import ShellResult
from collector.hierarchy.parse import parse_tree
from collector.model.action import Action
from collector.model.geometry import Point, Position, Rect, Size
from collector.model.phone.touch import TouchAction
from collector.model.trajectory import State, Step, Target
from collector.recorder.screen_moment import ScreenMoment
from collector.replay.phone import ReplayPhone
from tests.helpers.dumps import hierarchy

SCREEN = Size(1080, 2400)
APP = "com.example.shop"


@dataclass
class FakePhone:
    """Device, tree source and input sink in one. ``led`` says which screen follows a touch or a key."""

    screens: dict[str, tuple[str, ...]]
    """Roots of the dump of each screen."""
    shown: str
    led: Callable[[str, object], str] = lambda shown, _what: shown
    packages: dict[str, str] = field(default_factory=dict)
    serial: str = "fake"
    name: str = "fake"
    max_pointers: int = 1
    gone: bool = False
    keyboard: Rect | None = None
    commands: list[str] = field(default_factory=list)
    touched: list[tuple[TouchAction, int, Point]] = field(default_factory=list)
    keys: list[int] = field(default_factory=list)
    typed: list[str] = field(default_factory=list)
    scrolled: list[tuple[float, float]] = field(default_factory=list)
    looks: int = 0

    @property
    def phone(self) -> ReplayPhone:
        return ReplayPhone(self, self, self)

    # -- Device --------------------------------------------------------------
    def shell(self, command: object, *, timeout: float = 10, cancel: object = None) -> ShellResult:
        self._require()
        line = command if isinstance(command, str) else " ".join(map(str, command))  # type: ignore[call-overload]
        self.commands.append(line)
        text = f"Physical size: {SCREEN}\norientation=0\n" if "wm size" in line else ""
        if "resolve-activity" in line:
            text = f"priority=0 preferredOrder=0 match=0x0\n{line.split()[-1]}/.Main\n"
        return ShellResult(text.encode(), b"", 0)

    def exec_out(self, command: object, *, timeout: float = 10, cancel: object = None) -> bytes:
        return b""

    def push(
        self,
        data: bytes | Iterable[bytes],
        target: PurePosixPath,
        *,
        timeout: float = 10,
        cancel: object = None,
    ) -> None: ...

    # -- TreeSource ----------------------------------------------------------
    def snapshot(self, cancel: threading.Event) -> TreeSnapshot:
        self._require()
        self.looks += 1
        snapshot = self.screen().snapshot
        assert snapshot is not None
        return snapshot

    def screen(self) -> ScreenMoment:
        xml = hierarchy(*self.screens[self.shown]).encode()
        now = time.monotonic_ns()
        package = self.packages.get(self.shown, APP)
        activity = f".{self.shown}"
        snapshot = TreeSnapshot(
            xml, parse_tree(xml), now, now, "fake", package, activity, keyboard=self.keyboard
        )
        wall = dt.datetime.now(dt.UTC)
        return ScreenMoment(now, wall, None, snapshot, package, activity, SCREEN, keyboard=self.keyboard)

    # -- InputSink -----------------------------------------------------------
    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        self._require()
        self.touched.append((action, pointer, position.point))
        if action is TouchAction.UP:
            self.shown = self.led(self.shown, position.point)

    def key(self, code: int, meta: int = 0, held_ms: int = 0) -> None:
        self.keys.append(code)
        self.held_ms = held_ms
        self.shown = self.led(self.shown, code)

    def text(self, text: str) -> None:
        self.typed.append(text)

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        self.scrolled.append((horizontal, vertical))

    def close(self) -> None: ...

    def _require(self) -> None:
        if self.gone:
            raise DeviceOffline(self.serial)


def recorded_step(
    action: Action | None, selectors: tuple[str, ...] = (), box: Rect | None = None, *, index: int = 0,
    path: tuple[int, ...] = (0,), package: str = APP, activity: str = "", size: Size = SCREEN,
    skew: float = 0.0, **attributes: str,
) -> Step:  # fmt: skip
    """A step as recorded; ``attributes`` are the target's, with ``_`` for ``-``."""
    given = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    target = Target(path, box, selectors, given) if selectors or box else None
    state = State(tree=f"{index}.xml", package=package, activity=activity, size=size, skew=skew)
    return Step(index, index * 1000, "", state, action, target)
