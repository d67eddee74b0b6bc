"""A window that holds one widget at a fixed size."""

import pytest
from PySide6.QtWidgets import QWidget


@pytest.fixture
def hosted(qtbot, dressed):
    """``hosted(widget, width, height)`` shows a widget in a window that lives as long as the test."""
    windows = []

    def host(widget: QWidget, width: int, height: int):
        # The offscreen platform warns about a window with size hints.
        window = QWidget()
        windows.append(window)
        qtbot.addWidget(window)
        window.resize(width, height)
        widget.setParent(window)
        widget.resize(width, height)
        window.show()
        qtbot.waitExposed(window)
        return widget

    return host
