"""Toasts close in time, can always be closed, and stay inside their area."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QEvent, QPointF, QRect, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from collector.model.errors import UserError
from studio.commands.commander import Commander
from studio.commands.registry import Registry
from studio.theme.tokens import tokens
from studio.widgets.commands.command_run import end_unavailable, run_or_say
from studio.widgets.controls import Button, Label
from studio.widgets.icon_button import IconButton
from studio.widgets.window_frame.notification_bell import NotificationBell
from studio.widgets.window_frame.notification_dialog import NotificationDialog
from studio.widgets.window_frame.toasts import Toasts


@pytest.fixture
def toasts(hosted):
    return Toasts(hosted(QWidget(), 900, 600))


def enter(toast):
    QApplication.sendEvent(toast, QEnterEvent(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5)))


def test_the_time_of_a_toast_runs_on_once_the_pointer_left_it(toasts):
    toast = toasts.show("info", "Something happened")
    usual = tokens().group("duration_ms")["toast_stay"]
    enter(toast)
    assert toast.timer.isActive(), "it closes under a pointer that rests on it, too"
    assert toast.timer.interval() == 5 * usual
    QApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))
    assert (toast.timer.isActive(), toast.timer.interval()) == (True, usual)


def test_an_error_stays_even_after_the_pointer_left_it(toasts):
    toast = toasts.show("err", "Something broke")
    enter(toast)
    QApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))
    assert not toast.timer.isActive()


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


def texts(toasts):
    return [toast.accessibleName() for toast in toasts.shown]


def test_there_is_one_error_for_one_cause_and_it_leaves_with_its_cause(toasts):
    for line in (3, 4):
        toasts.show("err", "The library cannot be read", f"Line {line}")
        toasts.show("info", "Saved")
    assert texts(toasts) == ["Saved", "The library cannot be read. Line 4", "Saved"]
    toasts.show_error(UserError("No phone is connected"), cause="phone")
    toasts.show_error(UserError("The phone is offline"), cause="phone")
    assert texts(toasts)[-2:] == ["Saved", "The phone is offline"]
    toasts.end("phone")
    assert texts(toasts) == ["Saved", "The library cannot be read. Line 4", "Saved"]
    toasts.end_all()
    assert texts(toasts) == ["Saved", "Saved"]


def test_an_error_of_a_command_leaves_when_the_command_can_be_run(toasts):
    commander, done = Commander(Registry()), []
    commander.enter("record")
    remove = commander.handle("record.start", lambda: done.append(1))
    run_or_say(commander, toasts, "record.start", {})
    run_or_say(commander, toasts, "record.start", {})
    run_or_say(commander, toasts, "record.finish", {})
    run_or_say(commander, toasts, "record.start", {})
    assert len(toasts.shown) == 1  # all that is missing is the phone
    commander.set_context(device__live=True)
    end_unavailable(commander, toasts)
    assert (toasts.shown, done) == ([], [])

    def refuse():
        if len(done) == 0:
            raise UserError("The task has no instruction")
        done.append(2)

    remove()
    commander.handle("record.start", refuse)
    run_or_say(commander, toasts, "record.start", {})
    end_unavailable(commander, toasts)
    assert texts(toasts) == ["The task has no instruction"]
    done.append(1)
    run_or_say(commander, toasts, "record.start", {})
    assert (toasts.shown, done) == ([], [1, 2])


@pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
def test_the_button_of_a_toast_stays_in_the_list_until_it_is_pressed(toasts):
    done = []
    for name in ("page", "video"):
        toasts.show(
            "ok", f"The {name} is written", action="Open", act=partial(done.append, name)
        ).close_toast()
    toasts.show("ok", "Deleted shop-1", action="Undo", act=done.clear, for_now=True)

    def opened():
        dialog = NotificationDialog(toasts.log.messages, toasts.parent())
        dialog.pressed.connect(toasts.log.press)
        dialog.show()
        return dialog, [button for button in dialog.list.findChildren(Button) if button.text() == "Open"]

    dialog, buttons = opened()
    assert len(buttons) == 2  # what an Undo does depends on when it is pressed
    box = dialog.list.visualRect(dialog.list.model().index(1, 0))
    assert box.contains(buttons[0].mapTo(dialog.list.viewport(), buttons[0].rect().center()))
    QTest.mouseClick(buttons[0], Qt.MouseButton.LeftButton)
    assert done == ["video"]
    assert not dialog.isVisible()
    dialog, buttons = opened()
    assert len(buttons) == 1
    dialog.reject()


@pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
def test_every_toast_can_be_read_again(toasts, qtbot, qapp):
    for number in range(120):
        toasts.show("info", f"Thing {number}", "Why it is so").close_toast()
    assert toasts.log.unread == 100
    bell = NotificationBell(toasts.log)
    qtbot.addWidget(bell)
    assert "100 new messages" in bell.accessibleName()
    dialog = NotificationDialog(toasts.log.messages, toasts.parent())
    assert len(dialog.list.entries) == 100
    assert "Thing 119. Why it is so" in dialog.list.model().index(0, 0).data()
    dialog.list.choose(1)
    dialog.show()
    QTest.mouseClick(dialog.yes, Qt.MouseButton.LeftButton)
    assert dialog.isVisible()
    assert qapp.clipboard().text().endswith("Thing 118. Why it is so")
    toasts.log.mark_read()
    assert bell.accessibleName() == "Notifications"
    dialog.reject()


def test_no_toast_is_clipped(toasts):
    """Long words, long reasons and an action: every text has the room that it needs, inside the area."""
    area = QRect(0, 0, 420, 330)
    toasts.keep_within(lambda: area)
    for number in range(4):
        toasts.show(
            "err",
            f"The recording {number} could not be saved to trajectories/shop-14/20261122-193618-5f5f",
            "No space is left on the device. " * 12,
            action="Choose another folder for it",
            act=lambda: None,
        )
    for toast in toasts.shown:
        if toast.isVisible():
            assert area.contains(toast.geometry())
            for label in toast.findChildren(Label):
                assert label.height() >= label.heightForWidth(label.width())
                assert toast.rect().contains(label.geometry())
    assert toasts.shown[-1].isVisible()
    assert not toasts.shown[0].isVisible()
    for toast in toasts.shown[1:]:
        toast.close_toast()
    assert toasts.shown[0].isVisible()
