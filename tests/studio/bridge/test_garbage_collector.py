"""Reference cycles with Qt objects end on the GUI thread, whichever thread allocates."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from studio.bridge import garbage_collector
from studio.bridge.garbage_collector import GarbageCollector
from tests.helpers import cycles


class Part(QWidget):
    """A widget with a running timer, in a cycle with itself; notes the thread that destroys it."""

    def __init__(self, ended: list[int]) -> None:
        super().__init__()
        self.myself = self
        self.ended = ended
        self.timer = QTimer(self, interval=10_000)
        self.timer.timeout.connect(self.update)
        self.timer.start()

    def __del__(self) -> None:
        self.ended.append(threading.get_ident())


class Knot(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.myself = self


@pytest.fixture
def automatic():
    """Python's own collection, as it is when a program starts."""
    was_enabled = gc.isenabled()
    gc.collect()
    gc.enable()
    with cycles.real_freezing():
        yield
    if not was_enabled:
        gc.disable()


@pytest.fixture
def collector(qapp, automatic):
    collector = GarbageCollector()
    collector.start()
    yield collector
    # The last collection would visit the modules and tests of the whole process: two million objects.
    with cycles.collected_together():
        collector.stop()


def allocate_on_a_thread(count: int) -> list[list[int]]:
    """Allocate so many live containers on a worker thread that Python would collect all generations there."""
    objects: list[list[int]] = []
    thread = threading.Thread(target=lambda: objects.extend([number] for number in range(count)))
    thread.start()
    thread.join()
    return objects


def test_a_cycle_ends_on_the_gui_thread_while_a_worker_allocates(collector, qtbot):
    ended: list[int] = []
    for _number in range(20):
        Part(ended)
    objects = allocate_on_a_thread(300_000)
    assert ended == []
    qtbot.waitUntil(lambda: len(ended) == 20)
    assert set(ended) == {threading.get_ident()}
    del objects


def test_regular_collections_leave_out_what_lives_long_and_the_rest_finds_its_end(
    collector, qtbot, monkeypatch
):
    assert gc.get_freeze_count() > 0
    monkeypatch.setattr(garbage_collector, "_GROWTH", 100)
    monkeypatch.setattr(garbage_collector, "_LEAST_GROWTH", 0)
    frozen = weakref.ref(Knot())
    collector.freeze()
    objects = allocate_on_a_thread(60_000)
    before = gc.get_freeze_count()
    qtbot.waitUntil(lambda: gc.get_freeze_count() > before + 50_000)
    assert frozen() is not None
    collector.collect_all()
    assert frozen() is None
    frozen = weakref.ref(Knot())
    collector.freeze()
    monkeypatch.setattr(garbage_collector, "_GROWTH", 0)
    objects += allocate_on_a_thread(60_000)
    qtbot.waitUntil(lambda: frozen() is None)
    del objects


def test_trees_that_a_cache_drops_are_no_longer_kept(collector):
    """What comes and goes in cycles is not frozen: it would stay until everything is collected."""
    before, kept = gc.get_freeze_count(), []
    for _number in range(60):
        kept.append([[] for _tree in range(5_000)])
        for tree in kept[-1]:
            tree.append(tree)
        del kept[:-8]
        collector.collect_due()
    assert gc.get_freeze_count() - before < 100_000


def test_pythons_own_collection_is_off_only_while_it_runs(qapp, automatic):
    collector = GarbageCollector()
    assert gc.isenabled()
    collector.start()
    collector.start()
    assert not gc.isenabled()
    knot = weakref.ref(Knot())
    collector.freeze()
    collector.stop()
    collector.stop()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
    assert knot() is None


def test_tuples_that_a_worker_builds_stay_whole(collector):
    """gc.get_objects() on another thread breaks a tuple that is being built."""
    failures, stopped = [], threading.Event()

    def build():
        while not stopped.is_set():
            try:
                tuple([] for _ in range(3000))
            except SystemError as error:
                failures.append(error)

    worker = threading.Thread(target=build)
    worker.start()
    kept = []
    for _ in range(60):
        kept.append([[] for _ in range(25_000)])
        del kept[:-8]
        collector.collect_due()
    stopped.set()
    worker.join()
    assert failures == []
