"""Pages that wait outside of the window: not styled before they are shown, then in their place for Tab."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QStackedWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from studio.widgets.dialogs.input_dialogs import ask_text
from studio.widgets.late_pages import LatePages


def _page(name: str) -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    for number in range(2):
        field = QLineEdit()
        field.setObjectName(f"{name}{number}")
        column.addWidget(field)
    return page


def _window(stack: QStackedWidget) -> QWidget:
    window = QWidget()
    column = QVBoxLayout(window)
    for widget in (_page("before"), stack, _page("after")):
        column.addWidget(widget)
    return window


def _chain(window: QWidget) -> list[str]:
    names, widget = [], window.nextInFocusChain()
    while widget is not window:
        names += [widget.objectName()] if isinstance(widget, QLineEdit) else []
        widget = widget.nextInFocusChain()
    return names


def test_a_page_joins_the_window_when_it_is_shown_and_keeps_its_place_for_tab(qtbot: QtBot) -> None:
    stack, pages = LatePages(), [_page(name) for name in "abc"]
    for page in pages:
        stack.add_page(page)
    window = _window(stack)
    qtbot.addWidget(window)
    window.ensurePolished()
    polished = Qt.WidgetAttribute.WA_WState_Polished
    assert [page.window() is window for page in pages] == [True, False, False]
    assert [page.testAttribute(polished) for page in pages] == [True, False, False]
    assert stack.currentWidget() is pages[0]
    for place in (2, 1, 0, 2):
        stack.show_page(place)
        assert stack.currentWidget() is pages[place]
    assert stack.count() == 3

    plain = QStackedWidget()
    for name in "abc":
        plain.addWidget(_page(name))
    other = _window(plain)
    qtbot.addWidget(other)
    names = [f"{name}{at}" for name in ("before", *"abc", "after") for at in (0, 1)]
    assert _chain(other) == names
    assert _chain(window) == names


def test_pages_that_were_never_shown_end_with_the_stack(qtbot: QtBot) -> None:
    stack, pages = LatePages(), [_page(name) for name in "ab"]
    for page in pages:
        stack.add_page(page)
    gone: list[bool] = []
    pages[1].destroyed.connect(lambda: gone.append(True))
    stack.deleteLater()
    qtbot.waitUntil(lambda: bool(gone))


@pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
def test_a_dialog_of_a_page_that_waits_is_one_of_the_window(qtbot: QtBot) -> None:
    stack, pages = LatePages(), [_page(name) for name in "ab"]
    for page in pages:
        stack.add_page(page)
    window = _window(stack)
    qtbot.addWidget(window)
    for page in pages:
        dialog = ask_text(page.window(), "Title", "Label", page.setObjectName)
        assert dialog.parentWidget().window() is window
        dialog.close()
