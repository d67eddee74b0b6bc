"""Answers that come when the object they are for is gone."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Slot
from PySide6.QtWidgets import QLabel, QWidget
from shiboken6 import isValid

from studio.bridge import JobRunner
from studio.bridge.newest_answers import NewestAnswers
from studio.bridge.while_alive import call_back, while_alive


class Shown(QWidget):
    """Says what arrived, on a label that ends with it."""

    def __init__(self):
        super().__init__()
        self.label = QLabel(self)

    @Slot(object)
    def say(self, answer):
        self.label.setText(str(answer))

    def close_now(self):
        """Close as a dialog does, and let Qt delete it."""
        self.deleteLater()
        QCoreApplication.sendPostedEvents(self, QEvent.Type.DeferredDelete.value)
        assert not isValid(self.label)


@pytest.fixture
def runner(qtbot):
    runner = JobRunner()
    yield runner
    runner.close()


def _of_a_job(runner, go_on, shown):
    def say(answer):
        shown.say(answer)

    runner.run(lambda _job: go_on.wait(10), success=while_alive(shown, say))


def _of_the_newest(runner, go_on, shown):
    NewestAnswers(runner, runner).ask("kind", lambda _job: go_on.wait(10), shown.say)


def _of_one_who_waits(runner, go_on, shown):
    def done(answer):
        call_back(shown.say, answer)

    runner.run(lambda _job: go_on.wait(10), success=done)


def _of_a_method(runner, go_on, shown):
    runner.run(lambda _job: go_on.wait(10), success=shown.say)


WAYS = [_of_a_job, _of_the_newest, _of_one_who_waits, _of_a_method]


@pytest.mark.parametrize("ask", WAYS)
def test_an_answer_for_what_was_closed_is_dropped(runner, qtbot, ask):
    shown, go_on = Shown(), threading.Event()
    ask(runner, go_on, shown)
    shown.close_now()
    go_on.set()
    qtbot.waitUntil(lambda: not runner.jobs)  # an exception on the way fails the test


@pytest.mark.parametrize("ask", WAYS)
def test_an_answer_for_what_is_open_arrives(runner, qtbot, ask):
    shown, go_on = Shown(), threading.Event()
    qtbot.addWidget(shown)
    ask(runner, go_on, shown)
    go_on.set()
    qtbot.waitUntil(lambda: shown.label.text() == "True")


class Fields:
    """Fills a dialog, and is no object of Qt."""

    def offer(self, _names):
        raise AssertionError("nobody closes it")


def test_a_method_that_qt_does_not_forget_is_refused(runner):
    with pytest.raises(TypeError, match=r"Fields\.offer is no method of an object of Qt"):
        runner.run(lambda _job: None, success=Fields().offer)
    assert runner.jobs == []


def test_what_is_no_method_of_qt_is_always_called_back():
    said = []
    call_back(said.append, 1)
    owner = QObject()
    while_alive(owner, said.append)(2)
    assert said == [1, 2]
