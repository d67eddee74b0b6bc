"""How a job ends for those who asked for it."""

from __future__ import annotations

import threading

from PySide6.QtCore import QObject, Signal

from studio.bridge import JobRunner


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
