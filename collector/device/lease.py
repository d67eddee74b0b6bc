"""A phone lent by its session: the same trees and the same input, for one who drives it from a thread."""

from __future__ import annotations

import threading
from collections.abc import Callable

from collector.device.adb_device import AdbDevice
from collector.device.input_queue import InputQueue
from collector.device.protocols import Cancel, InputSink
from collector.device.snapshot import TreeSnapshot
from collector.device.tree_reader import TreeReader
from collector.model.geometry import Position
from collector.model.touch import TouchAction


class LeasedTrees:
    """A tree source that asks through a session; its trees are the session's newest too."""

    name = "session"

    def __init__(self, reader: TreeReader) -> None:
        self._reader = reader

    def snapshot(self, cancel: Cancel) -> TreeSnapshot:
        return self._reader.read(cancel)

    def close(self) -> None:
        """The automation is the session's."""


class LeasedInput:
    """An input sink on the thread of a session's input; waits for each piece and raises what fails."""

    name = "session"

    def __init__(self, input_queue: InputQueue, cancel: threading.Event) -> None:
        self._input, self._cancel = input_queue, cancel

    @property
    def max_pointers(self) -> int:
        return self._input.max_pointers

    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        # What lifts a finger goes out even once it is all given up.
        cancel = self._cancel if action is not TouchAction.CANCEL else threading.Event()
        self._do(lambda sink: sink.touch(action, pointer, position), cancel)

    def key(self, code: int, meta: int = 0) -> None:
        self._do(lambda sink: sink.key(code, meta), self._cancel)

    def text(self, text: str) -> None:
        self._do(lambda sink: sink.text(text), self._cancel)

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        self._do(lambda sink: sink.scroll(position, horizontal, vertical), self._cancel)

    def close(self) -> None:
        """The sink is the session's."""

    def _do(self, work: Callable[[InputSink], None], cancel: threading.Event) -> None:
        self._input.await_sent(work, cancel)


class PhoneLease:
    """``device``, ``trees`` and ``sink`` are what a replay needs."""

    def __init__(
        self, device: AdbDevice, reader: TreeReader, input_queue: InputQueue, cancel: threading.Event
    ) -> None:
        self.device = device
        self.trees = LeasedTrees(reader)
        self.sink = LeasedInput(input_queue, cancel)
        self._reader = reader
        reader.lend(True)

    def close(self) -> None:
        """Give it back: trees are read by themselves again."""
        self._reader.lend(False)
