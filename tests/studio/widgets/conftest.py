"""A bare window that holds one widget at a fixed size."""

import pytest
from PySide6.QtWidgets import QWidget


@pytest.fixture
def hosted(qtbot, dressed):
    """``hosted(widget, width, height)``: shown in a window that lives as long as the test."""
    windows = []

    def host(widget: QWidget, width: int, height: int):
        # A window with size hints of its own would make the offscreen platform complain.
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
