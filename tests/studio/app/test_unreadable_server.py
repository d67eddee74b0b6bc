"""The window says that the adb server cannot be read, and not that no phone is connected."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel

from tests.helpers.hostile_adb import SERIAL, endless, hostile_adb, shell

pytestmark = [
    pytest.mark.qt_log_ignore(
        "propagateSizeHints", "grabbing the keyboard", "raise", "This plugin does not support", extend=True
    ),
    pytest.mark.shared_threads("adb"),
]
HUNG = "This phone answers <b>nothing</b> of use"


def texts(widget):
    return {label.text() for label in widget.findChildren(QLabel) if label.isVisible()}


def test_the_first_page_and_the_phones_name_the_port(studio, qtbot, monkeypatch):
    project = studio.window.workspace("project")
    with hostile_adb({"host:track-devices": b"OKAY-001"}) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        studio.devices.restart()
        said = f"The adb server on port {server.port} answered what cannot be read"
        qtbot.waitUntil(lambda: said in texts(project._first))
        assert said in texts(project.devices_panel)
        assert not any("No phone" in text for text in texts(project))
        studio.answer({"run": "view.record"})
        assert said in texts(studio.window.workspace("record").mirror)
        studio.devices.close()


def test_a_server_that_lists_without_an_end_is_followed_at_leisure(studio, qtbot, monkeypatch):
    lists = b"".join(b"%04x%s" % (len(text), text) for text in (b"", f"{SERIAL}\toffline\n".encode()))
    with hostile_adb({"host:track-devices": endless(lists), "shell,v2,raw:": shell(HUNG.encode())}) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        studio.devices.restart()
        for _change in range(4):
            with qtbot.waitSignal(studio.devices.changed):
                pass
        studio.devices.close()
