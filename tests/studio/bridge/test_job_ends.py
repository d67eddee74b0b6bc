"""How a job ends for those who asked for it."""

from __future__ import annotations

import threading
import weakref

import pytest
from PySide6.QtCore import QObject, Signal

from studio.bridge import JobRunner
from studio.bridge.jobs import JobQueue


class Asker(QObject):
    answered = Signal(object)


def test_an_end_for_a_signal_whose_object_is_gone_is_dropped(qtbot):
    runner = JobRunner()
    asker, go_on = Asker(), threading.Event()
    job = runner.run(lambda _job: go_on.wait(10), success=asker.answered.emit, failure=asker.answered.emit)
    asker.deleteLater()
    qtbot.wait(0)
    with qtbot.waitSignal(job.succeeded):
        go_on.set()
    runner.close()


def test_an_end_arrives_at_the_signal_of_who_asked(qtbot):
    runner = JobRunner()
    asker = Asker()
    with qtbot.waitSignal(asker.answered) as arrived:
        runner.run(lambda _job: 5, success=asker.answered.emit)
    assert arrived.args == [5]
    runner.close()


class Editor(QObject):
    """Knows which thread ended it."""

    def __init__(self, ended):
        super().__init__()
        self._ended = ended

    def __del__(self):
        self._ended.append(threading.get_ident())

    def change(self):
        raise ValueError("the file is broken")


@pytest.mark.parametrize("queue", JobQueue)
@pytest.mark.parametrize("fails", [False, True], ids=["done", "failed"])
def test_the_gui_thread_ends_what_only_the_work_still_holds(qtbot, queue, fails):
    runner, go_on, ended = JobRunner(), threading.Event(), []

    def ask():
        editor = Editor(ended)

        def work(_job):
            go_on.wait(10)
            return editor.change() if fails else id(editor)

        return runner.run(work, failure=Asker(runner).answered.emit, queue=queue)

    ask()
    assert not ended
    go_on.set()
    qtbot.waitUntil(lambda: not runner.jobs)
    runner.close()
    assert ended == [threading.get_ident()]


def test_no_thread_holds_a_job_whose_end_has_arrived(qtbot):
    go_on = threading.Event()

    def stop_at_the_end(frame, event, _result):
        if event == "return" and frame.f_code.co_name == "_work":
            go_on.wait(10)

    threading.setprofile(stop_at_the_end)
    try:
        runner = JobRunner()
        job = weakref.ref(runner.run(lambda _job: None))
        qtbot.waitUntil(lambda: not runner.jobs)
        runner.run(lambda _job: None)  # the runner itself holds a job until Qt has deleted it
        qtbot.waitUntil(lambda: not runner.jobs)
        assert job() is None
    finally:
        threading.setprofile(None)
        go_on.set()
        runner.close()
