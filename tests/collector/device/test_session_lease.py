"""A phone lent by its session: the same trees and input, asked for from another thread."""

from __future__ import annotations

import threading

import pytest

from collector.device.errors import CallCancelled, DeviceError, DumpFailed
from collector.device.input.input_queue import InputQueue
from collector.device.session_lease import SessionLease
from collector.device.snapshot import TreeSnapshot
from collector.device.trees.tree_reader import TreeReader
from collector.device.video.motion_detector import MotionDetector
from collector.model.geometry import Point, Position, Size
from collector.model.phone.touch import TouchAction

PLACE = Position(Point(1, 2), Size(100, 200))


class Source:
    name = "fake"

    def __init__(self) -> None:
        self.failing = False
        self.cancels: list[threading.Event] = []

    def snapshot(self, cancel):
        self.cancels.append(cancel)
        if self.failing:
            raise DumpFailed("no tree today")
        return TreeSnapshot(b"<hierarchy/>", None, 0, 0, self.name)

    def close(self) -> None:
        pass


class Sink:
    max_pointers = 10

    def __init__(self) -> None:
        self.done: list[object] = []
        self.held = threading.Event()
        self.held.set()

    def touch(self, action, pointer, position) -> None:
        self.held.wait()
        self.done.append((action, pointer, position))

    def key(self, code, meta=0, held_ms=0) -> None:
        raise DeviceError("the phone refuses keys")

    def text(self, text) -> None:
        self.done.append(text)

    def scroll(self, position, horizontal, vertical) -> None:
        self.done.append((horizontal, vertical))

    def close(self) -> None:
        self.held.set()


@pytest.fixture
def lending():
    class Lending:
        source, sink, events, cancel = Source(), Sink(), [], threading.Event()
        reader = TreeReader(
            lambda: [Lending.source], MotionDetector(), lambda event: Lending.events.append(event)
        )
        input_queue = InputQueue(lambda event: Lending.events.append(event))

    Lending.reader.pause(False)
    Lending.reader.start()
    Lending.input_queue.start()
    Lending.input_queue.use(Lending.sink)
    Lending.phone = SessionLease(None, Lending.reader, Lending.input_queue, Lending.cancel)
    yield Lending
    Lending.phone.close()
    Lending.input_queue.close()
    Lending.reader.close()


def test_a_tree_is_read_on_the_caller_s_thread_and_told_to_everybody(lending):
    snapshot = lending.phone.trees.snapshot(lending.cancel)
    assert lending.reader.newest is snapshot
    assert [event.kind for event in lending.events] == ["tree"]
    assert lending.source.cancels == [lending.cancel]
    lending.source.failing = True
    with pytest.raises(DumpFailed):
        lending.phone.trees.snapshot(lending.cancel)


def test_while_it_is_lent_nothing_else_reads(lending):
    lending.reader.refresh()
    lending.phone.trees.snapshot(lending.cancel)
    assert len(lending.source.cancels) == 1


def test_input_is_waited_for_and_what_fails_is_raised(lending):
    sink = lending.phone.sink
    sink.touch(TouchAction.DOWN, 0, PLACE)
    sink.text("Milk")
    sink.scroll(PLACE, 0, -3)
    assert lending.sink.done == [(TouchAction.DOWN, 0, PLACE), "Milk", (0, -3)]
    assert sink.max_pointers == 10
    with pytest.raises(DeviceError, match="refuses keys"):
        sink.key(4)


def test_without_a_connection_the_input_says_so(lending):
    lending.input_queue.use(None)
    with pytest.raises(DeviceError, match="takes no input"):
        lending.phone.sink.text("Milk")


def test_what_is_given_up_is_not_waited_for(lending):
    lending.sink.held.clear()
    lending.cancel.set()
    with pytest.raises(CallCancelled):
        lending.phone.sink.touch(TouchAction.DOWN, 0, PLACE)
    lending.sink.held.set()
    lending.phone.sink.touch(TouchAction.CANCEL, 0, PLACE)
    assert lending.sink.done[-1] == (TouchAction.CANCEL, 0, PLACE)
