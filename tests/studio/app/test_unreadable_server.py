"""The window says that the adb server cannot be read, and not that no phone is connected."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel

from collector.adb.smart_socket import encode_block
from tests.helpers.hostile_adb import endless, hostile_adb

pytestmark = [
    pytest.mark.qt_log_ignore(
        "propagateSizeHints", "grabbing the keyboard", "raise", "This plugin does not support", extend=True
    ),
    pytest.mark.shared_threads("adb"),
]


def texts(widget):
    return {label.text() for label in widget.findChildren(QLabel) if label.isVisible()}


def test_the_first_page_and_the_phones_name_the_port(studio, qtbot, monkeypatch):
    project = studio.window.workspace("project")
    with hostile_adb({"host:track-devices": b"OKAY-001"}) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        studio.devices.restart()
        said = f"The adb server on port {server.port} answered what cannot be read"
        qtbot.waitUntil(lambda: any(text.startswith(said) for text in texts(project.start)))
        qtbot.waitUntil(lambda: said in texts(project.devices_panel))
        assert not any("No phone" in text for text in texts(project))
        studio.answer({"run": "view.record"})
        qtbot.waitUntil(lambda: said in texts(studio.window.workspace("record").mirror))
        studio.devices.close()


def test_hundreds_of_phones_that_change_all_the_time_leave_the_window_alive(studio, qtbot, monkeypatch):
    lists = [
        encode_block("".join(f"{name}{number}\toffline\n" for number in range(500))) for name in ("a", "b")
    ]
    project = studio.window.workspace("project")
    with hostile_adb({"host:track-devices": endless(b"".join(lists))}) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        studio.devices.restart()
        qtbot.waitUntil(lambda: len(studio.devices.entries) == 500)
        assert len(project.devices_panel.cards) == 24
        qtbot.waitUntil(lambda: "476 more phones" in texts(project.devices_panel))
        studio.devices.close()
