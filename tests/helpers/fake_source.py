"""A device that exists only in memory, with a clock that moves only when told."""

from __future__ import annotations

import numpy as np

from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Position, Rect, Size
from collector.model.phone.touch import TouchAction
from tests.helpers.dumps import hierarchy, node

MS = 1_000_000
SCREEN = Size(360, 800)


class FakeClock:
    """Monotonic nanoseconds, moved by hand."""

    def __init__(self) -> None:
        self.now_ns = 1_000_000_000_000

    def __call__(self) -> int:
        return self.now_ns

    def pass_ms(self, ms: float) -> None:
        self.now_ns += int(ms * MS)


class FakeSource:
    """Shows what it is told to; a tree takes ``tree_ms`` to come after it was asked for."""

    density = 160
    rotation = 0
    frame_source = "fake"
    secure = False
    keyboard: Rect | None = None

    def __init__(self, clock: FakeClock, tree_ms: float = 100) -> None:
        self._clock = clock
        self._tree_ms = tree_ms
        self._sequence = 0
        self._frame: Frame | None = None
        self._snapshot: TreeSnapshot | None = None
        self._asked_ns: int | None = None
        self._xml = hierarchy(node()).encode()
        self.screen_size = SCREEN
        self.sent: list[tuple[object, ...]] = []
        self.front = ("com.example.shop", ".Main")

    def show(self, shade: int, *roots: str) -> None:
        """A new picture, all of one shade, and what a dump would say of it."""
        self.draw(np.full((SCREEN.height, SCREEN.width, 3), shade, np.uint8))
        if roots:
            self._xml = hierarchy(*roots).encode()

    def draw(self, pixels: np.ndarray) -> None:
        self._sequence += 1
        self._frame = Frame(pixels, sequence=self._sequence, received_ns=self._clock())

    def dump(self) -> None:
        """A tree taken just now."""
        self._asked_ns = None
        self._store(self._clock(), self._clock())

    def _store(self, started: int, finished: int) -> None:
        tree = parse_tree(self._xml)
        keyboard = self.keyboard
        self._snapshot = TreeSnapshot(
            self._xml, tree, started, finished, "fake-dump", *self.front, keyboard=keyboard
        )

    def newest_frame(self) -> Frame | None:
        return self._frame

    def newest_tree(self) -> TreeSnapshot | None:
        asked = self._asked_ns
        if asked is not None and self._clock() >= asked + self._tree_ms * MS:
            self._asked_ns = None
            self._store(asked, self._clock())
        return self._snapshot

    def refresh_tree(self) -> None:
        if self._asked_ns is None:
            self._asked_ns = self._clock()

    def foreground(self) -> tuple[str, str]:
        return self.front

    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        self.sent.append((action, pointer, position.point))

    def key(self, name: str, held_ms: int = 0) -> None:
        self.sent.append(("key", name, held_ms) if held_ms else ("key", name))

    def text(self, text: str) -> None:
        self.sent.append(("text", text))

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        self.sent.append(("scroll", horizontal, vertical))

    def open_app(self, app: str) -> None:
        self.sent.append(("open_app", app))
