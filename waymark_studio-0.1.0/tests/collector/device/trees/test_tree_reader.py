"""When trees are read: asked for, once the screen rests, again when it moved meanwhile."""

from __future__ import annotations

import queue
import threading
import time

import numpy as np
import pytest

from collector.device.errors import CallCancelled, DeviceOffline, DumpFailed
from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.device.trees import tree_reader as trees
from collector.device.trees.tree_reader import TreeReader, has_opaque_leaf
from collector.device.video.motion_detector import MotionDetector
from collector.hierarchy.parse import parse_tree
from tests.helpers.dumps import hierarchy, node


class Source:
    """Dumps what it is given; ``meanwhile`` happens during each dump."""

    name = "fake"

    def __init__(self, *xmls: str, meanwhile=lambda: None) -> None:
        self.xmls = [xml.encode() for xml in xmls] or [hierarchy(node()).encode()]
        self.meanwhile = meanwhile
        self.dumps = 0
        self.closed = False

    def snapshot(self, cancel) -> TreeSnapshot:
        started = time.monotonic_ns()
        xml = self.xmls[min(self.dumps, len(self.xmls) - 1)]
        self.dumps += 1
        self.meanwhile()
        if xml == b"fail":
            raise DumpFailed("no tree today")
        return TreeSnapshot(xml, parse_tree(xml), started, time.monotonic_ns(), self.name, "org.app", ".Main")

    def close(self) -> None:
        self.closed = True


class Reading:
    """A reader of fake sources, its events at hand."""

    def __init__(self, *sources: Source) -> None:
        self.motion = MotionDetector()
        self.events: queue.Queue = queue.Queue()
        self.reader = TreeReader(lambda: list(sources), self.motion, self.events.put)
        self._shade = 0

    def __enter__(self):
        self.reader.pause(False)
        self.reader.start()
        return self

    def __exit__(self, *_error) -> None:
        self.reader.close()

    def move(self) -> None:
        self._shade = 255 - self._shade
        pixels = np.full((80, 40, 3), self._shade, np.uint8)
        self.motion.note(Frame(pixels, sequence=1, received_ns=time.monotonic_ns()))

    def wait(self, kind: str = "tree") -> str:
        event = self.events.get(timeout=20)
        assert event.kind == kind, event
        return event.text


def test_a_tree_is_read_when_asked_and_no_more():
    source = Source()
    with Reading(source) as reading:
        reading.reader.refresh()
        reading.wait()
        assert reading.reader.newest.problem == ""
        reading.reader.refresh()
        reading.wait()
    assert source.dumps == 2
    assert source.closed


def test_a_tree_follows_once_the_picture_rests():
    with Reading(Source()) as reading:
        reading.move()
        reading.wait()
        assert reading.reader.newest.started_ns - reading.motion.changed_ns >= trees.QUIET_MS * 1e6


def test_nothing_is_read_unasked_while_another_program_has_the_phone(monkeypatch):
    monkeypatch.setattr(trees, "QUIET_MS", 1)
    source = Source()
    reading = Reading(source)
    reading.reader.only_asked(True)
    with reading:
        reading.move()
        with pytest.raises(queue.Empty):
            reading.events.get(timeout=0.3)
        reading.reader.refresh()
        reading.wait()
        assert source.dumps == 1
        reading.move()
        reading.reader.only_asked(False)
        reading.wait()
    assert source.dumps == 2


def test_questions_while_a_tree_is_read_are_one_question():
    source, begun, go_on = Source(), threading.Event(), threading.Event()

    def meanwhile():
        begun.set()
        assert go_on.wait(20)

    source.meanwhile = meanwhile
    with Reading(source) as reading:
        reading.reader.refresh()
        assert begun.wait(20)
        for _time in range(5):
            reading.reader.refresh()
        go_on.set()
        reading.wait()
        reading.wait()
    assert source.dumps == 2


def test_a_screen_that_never_rests_is_tried_three_times_and_marked():
    source = Source()
    with Reading(source) as reading:
        source.meanwhile = reading.move
        reading.reader.refresh()
        reading.wait()
        assert source.dumps == 3
        assert "changed" in reading.reader.newest.problem


def test_a_web_view_without_content_is_asked_again_once(monkeypatch):
    monkeypatch.setattr(trees, "OPAQUE_WAIT", 0.01)
    empty = hierarchy(node(**{"class": "android.webkit.WebView"}))
    full = hierarchy(node(node(text="News"), **{"class": "android.webkit.WebView"}))
    assert has_opaque_leaf(parse_tree(empty.encode()))
    with Reading(Source(empty, full)) as reading:
        reading.reader.refresh()
        reading.wait()
        assert not has_opaque_leaf(reading.reader.newest.tree)
    stubborn = Source(empty)
    with Reading(stubborn) as reading:
        for _time in range(2):
            reading.reader.refresh()
            reading.wait()
    assert stubborn.dumps == 3, "a game is not asked twice for ever"


def test_a_source_that_fails_lets_go_before_the_next_begins():
    first = Source("fail")
    second = Source(meanwhile=lambda: first.closed or pytest.fail("two hold the automation"))
    with Reading(first, second) as reading:
        reading.reader.refresh()
        assert reading.wait("message") == "no tree today"
        reading.wait()
        assert reading.reader.newest.source == "fake"


def test_a_failure_is_told_to_whoever_asked_and_leaves_the_older_tree():
    ok = hierarchy(node())
    with Reading(Source(ok, "fail", "fail", ok)) as reading:
        for kind in ("tree", "message", "message", "tree"):
            reading.reader.refresh()
            reading.wait(kind)
            assert reading.reader.newest is not None


def test_a_failure_nobody_asked_for_is_told_once_and_tried_again(monkeypatch):
    monkeypatch.setattr(trees, "_REST", 0.01)
    with Reading(Source("fail", "fail", hierarchy(node()))) as reading:
        reading.move()
        reading.wait("message")
        reading.wait("tree")


def test_closing_gives_up_a_dump_that_is_waiting():
    begun = threading.Event()

    class Slow(Source):
        def snapshot(self, cancel):
            begun.set()
            cancel.wait(20)
            raise CallCancelled

    with Reading(Slow()) as reading:
        reading.reader.refresh()
        assert begun.wait(20)


def test_a_source_that_failed_is_tried_again_when_it_has_rested(monkeypatch):
    monkeypatch.setattr(trees, "RESTS", (0.0,))
    first, second = Source("fail", "fail", hierarchy(node(text="first"))), Source()
    second.name = "second"
    with Reading(first, second) as reading:
        reading.reader.refresh()
        reading.wait("message")
        reading.wait()
        assert reading.reader.newest.source == "second"
        for source in ("second", "fake"):
            reading.reader.refresh()
            reading.wait()
            assert reading.reader.newest.source == source


def test_a_phone_that_is_gone_is_no_reason_to_try_another_source():
    class Gone(Source):
        def snapshot(self, cancel):
            raise DeviceOffline("PHONE1")

    second = Source()
    with Reading(Gone(), second) as reading:
        reading.reader.refresh()
        assert "offline" in reading.wait("message")
    assert second.dumps == 0
