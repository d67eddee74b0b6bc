"""Toasts close in time, can always be closed, and stay inside their area."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF, QRect, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from studio.widgets.icon_button import IconButton
from studio.widgets.toasts import Toasts


@pytest.fixture
def toasts(hosted):
    return Toasts(hosted(QWidget(), 900, 600))


def enter(toast):
    QApplication.sendEvent(toast, QEnterEvent(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5)))


def test_the_time_of_a_toast_runs_on_once_the_pointer_left_it(toasts):
    toast = toasts.show("info", "Something happened")
    enter(toast)
    assert not toast._timer.isActive()
    QApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))
    assert toast._timer.isActive()


def test_an_error_stays_even_after_the_pointer_left_it(toasts):
    toast = toasts.show("err", "Something broke")
    enter(toast)
    QApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))
    assert not toast._timer.isActive()


def test_a_toast_with_an_action_can_be_closed_without_doing_it(toasts):
    done = []
    toast = toasts.show("ok", "Saved", action="Open", act=lambda: done.append(1))
    QTest.mouseClick(toast.findChild(IconButton), Qt.MouseButton.LeftButton)
    assert toasts.shown == []
    assert done == []


def test_toasts_stay_within_the_place_they_were_given(toasts):
    area = QRect(100, 40, 700, 300)
    toasts.keep_within(lambda: area)
    shown = [toasts.show("info", f"Thing {number}", "Why it is so") for number in range(3)]
    assert all(area.contains(toast.geometry()) for toast in shown)


def test_a_toast_is_as_high_as_its_words(toasts):
    short = toasts.show("ok", "The check found nothing wrong", "Every file is as it was recorded")
    without_reason = toasts.show("ok", "The check found nothing wrong")
    assert short.height() - without_reason.height() <= 24
    long = toasts.show("warn", "A sentence that says what happened", "and why " * 20)
    assert long.height() > short.height()


def test_an_error_said_again_takes_its_own_place(toasts):
    for _number in range(2):
        toasts.show("err", "The library cannot be read", "Line 3")
        toasts.show("info", "Saved")
    toasts.show("err", "The library cannot be read", "Line 4")
    assert [toast.accessibleName() for toast in toasts.shown].count("The library cannot be read. Line 3") == 1
    assert len(toasts.shown) == 4
