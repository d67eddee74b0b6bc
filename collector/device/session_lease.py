"""A session's phone lent to a run on another thread of this process: its trees and its input."""

from __future__ import annotations

import threading
from collections.abc import Callable

from collector.device.input.input_queue import InputQueue
from collector.device.protocols import Cancel, InputSink
from collector.device.snapshot import TreeSnapshot
from collector.device.transport.adb_device import AdbDevice
from collector.device.trees.tree_reader import TreeReader
from collector.device.video.pictures import PictureSource
from collector.model.geometry import Position
from collector.model.phone.touch import TouchAction


class LeasedTrees:
    """A tree source that reads through a session; its trees become the session's newest too."""

    name = "session"

    def __init__(self, reader: TreeReader) -> None:
        self._reader = reader

    def snapshot(self, cancel: Cancel) -> TreeSnapshot:
        return self._reader.read(cancel)

    def close(self) -> None:
        """Nothing to close: the session owns the automation."""


class LeasedInput:
    """An input sink that sends on the session's input thread, waits for it and raises its errors."""

    name = "session"

    def __init__(self, input_queue: InputQueue, cancel: threading.Event) -> None:
        self._input, self._cancel = input_queue, cancel

    @property
    def max_pointers(self) -> int:
        return self._input.max_pointers

    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        # A lifted finger is sent even after the run was cancelled.
        cancel = self._cancel if action is not TouchAction.CANCEL else threading.Event()
        self._do(lambda sink: sink.touch(action, pointer, position), cancel)

    def key(self, code: int, meta: int = 0, held_ms: int = 0) -> None:
        self._do(lambda sink: sink.key(code, meta, held_ms), self._cancel)

    def text(self, text: str) -> None:
        self._do(lambda sink: sink.text(text), self._cancel)

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        self._do(lambda sink: sink.scroll(position, horizontal, vertical), self._cancel)

    def close(self) -> None:
        """Nothing to close: the session owns the sink."""

    def _do(self, work: Callable[[InputSink], None], cancel: threading.Event) -> None:
        self._input.send_and_wait(work, cancel)


class SessionLease:
    """The ``device``, ``trees``, ``sink`` and ``pictures`` of a session, until :meth:`close`."""

    def __init__(
        self, device: AdbDevice, reader: TreeReader, input_queue: InputQueue, cancel: threading.Event,
        pictures: PictureSource | None = None,
    ) -> None:  # fmt: skip
        self.device = device
        self.pictures = pictures
        self.trees = LeasedTrees(reader)
        self.sink = LeasedInput(input_queue, cancel)
        self._reader = reader
        reader.set_leased(True)

    def close(self) -> None:
        """End the lease: the session reads trees by itself again."""
        self._reader.set_leased(False)
