"""Events and results reach the GUI thread, in order and once; frames never queue up."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QObject, Qt, QThread

from collector.model.event_emitter import EventEmitter
from studio.bridge import EventBridge, JobRunner, Wake
from studio.bridge.jobs import JobQueue


class Receiver(QObject):
    def __init__(self):
        super().__init__()
        self.seen = []
        self.threads = set()

    def take(self, thing=None):
        self.seen.append(thing)
        self.threads.add(QThread.currentThread())


def in_thread(function):
    thread = threading.Thread(target=function)
    thread.start()
    thread.join()


@pytest.fixture
def runner(qapp):
    runner = JobRunner()
    yield runner
    runner.close()


def test_events_of_other_threads_arrive_on_the_gui_thread_in_order(qtbot):
    source, bridge, receiver = EventEmitter(), EventBridge(), Receiver()
    bridge.listen(source)
    bridge.happened.connect(receiver.take)
    in_thread(lambda: [source.emit(number) for number in range(50)])
    qtbot.waitUntil(lambda: len(receiver.seen) == 50)
    assert receiver.seen == list(range(50))
    assert receiver.threads == {receiver.thread()}


@pytest.mark.parametrize("kind", [EventBridge, Wake])
def test_closing_waits_for_an_emission_on_another_thread(qapp, kind):
    """Whoever closes a bridge may delete it next, and an emission on a deleted object crashes."""
    inside, go, closed = threading.Event(), threading.Event(), threading.Event()

    def emit_slowly(*_event):
        inside.set()
        go.wait(5)

    bridge = kind()
    source = EventEmitter()
    if kind is EventBridge:
        bridge.listen(source)
        bridge._arrived.connect(emit_slowly, Qt.ConnectionType.DirectConnection)
    else:
        source.subscribe(bridge.ring)
        bridge._crossed.connect(emit_slowly, Qt.ConnectionType.DirectConnection)
    emitter = threading.Thread(target=lambda: source.emit(1))
    emitter.start()
    assert inside.wait(5)
    closer = threading.Thread(target=lambda: (bridge.close(), closed.set()))
    closer.start()
    assert not closed.wait(0.05)
    go.set()
    assert closed.wait(5)
    emitter.join()
    closer.join()


def test_a_closed_bridge_is_silent(qtbot):
    source, bridge, receiver = EventEmitter(), EventBridge(), Receiver()
    bridge.listen(source)
    bridge.happened.connect(receiver.take)
    source.emit("queued")
    bridge.close()
    source.emit("late")
    qtbot.wait(1)
    assert receiver.seen == []


def test_many_rings_wake_once(qtbot):
    wake, receiver = Wake(), Receiver()
    wake.rung.connect(receiver.take)
    in_thread(lambda: [wake.ring() for _ in range(200)])
    qtbot.waitUntil(lambda: bool(receiver.seen))
    assert len(receiver.seen) == 1
    wake.ring()
    qtbot.waitUntil(lambda: len(receiver.seen) == 2)


def test_success_and_failure_come_on_the_gui_thread(runner, qtbot):
    good, bad = Receiver(), Receiver()
    runner.run(lambda job: 6 * 7, success=good.take)
    runner.run(lambda job: 1 // 0, failure=bad.take)
    qtbot.waitUntil(lambda: bool(good.seen and bad.seen))
    assert good.seen == [42]
    assert isinstance(bad.seen[0], ZeroDivisionError)
    assert good.threads == {good.thread()}
    qtbot.waitUntil(lambda: not runner.jobs)


def test_an_error_nobody_asked_for_is_told(runner, qtbot):
    with qtbot.waitSignal(runner.unhandled) as emitted:
        runner.run(lambda job: 1 // 0)
    assert isinstance(emitted.args[0], ZeroDivisionError)


def test_a_cancelled_job_ends_as_stopped(runner, qtbot):
    started = threading.Event()

    def work(job):
        started.set()
        job.cancel_event.wait(5)

    job = runner.run(work, title="slow")
    assert runner.titled == [job]
    started.wait(5)
    with qtbot.waitSignal(job.stopped):
        job.cancel()


def test_serial_work_keeps_its_order(runner, qtbot):
    receiver = Receiver()
    for number in range(20):
        runner.run(lambda job, n=number: n, success=receiver.take, queue=JobQueue.STORE)
    qtbot.waitUntil(lambda: len(receiver.seen) == 20)
    assert receiver.seen == list(range(20))


def test_progress_is_told(runner, qtbot):
    receiver, go = Receiver(), threading.Event()

    def work(job):
        go.wait(5)
        job.report(3, 10)

    job = runner.run(work)
    job.progressed.connect(receiver.take)
    go.set()
    qtbot.waitUntil(lambda: receiver.seen == [(3, 10)])


def test_no_signal_of_a_job_is_emitted_at_its_end_on_the_thread_of_the_work(runner, qtbot):
    """The GUI thread deletes an ended job: an emission that still runs on another thread would crash."""
    go, threads = threading.Event(), []
    job = runner.run(lambda job: go.wait(5))
    kind = job.metaObject()
    signals = [kind.method(number) for number in range(kind.methodOffset(), kind.methodCount())]
    names = [
        bytes(signal.name()).decode() for signal in signals if signal.methodType() == signal.MethodType.Signal
    ]
    assert "succeeded" in names
    for name in names:
        getattr(job, name).connect(
            lambda *_: threads.append(threading.get_ident()), Qt.ConnectionType.DirectConnection
        )
    go.set()
    qtbot.waitUntil(lambda: not runner.jobs)
    assert set(threads) == {threading.get_ident()}


def test_store_work_is_finished_on_close(qapp):
    done = []
    runner = JobRunner()
    for number in range(10):
        runner.run(lambda job, n=number: done.append(n), queue=JobQueue.STORE)
    runner.close()
    assert done == list(range(10))
