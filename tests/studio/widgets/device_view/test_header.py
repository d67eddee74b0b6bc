"""The header over the phone gives way in steps where there is no room."""

from __future__ import annotations

import pytest

from studio.widgets.device_view.header import DeviceHeader
from studio.widgets.device_view.view import DeviceView

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


def test_a_narrow_header_leaves_zoom_to_keys_and_wheel(dressed, qtbot):
    view = DeviceView()
    header = DeviceHeader(view)
    for widget in (view, header):
        qtbot.addWidget(widget)
    header.resize(900, 36)
    header.show()
    zoom = (header.zoom_out, header.zoom_in, header.actual)
    assert all(button.isVisible() for button in zoom)
    header.resize(header.minimumSizeHint().width(), 36)
    assert not any(button.isVisible() for button in zoom)
    assert header.fit.isVisible()
    assert header.fit.geometry().right() <= header.width()
    assert header.switch.width() >= header.switch.sizeHint().width()
    header.resize(900, 36)
    assert all(button.isVisible() for button in zoom)
