"""The guide is opened by its command and by *What is this?*, and is one window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from studio.views.workspace_help import WorkspaceHelpDialog

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise", extend=True)


def test_what_is_this_leads_to_its_page_and_the_command_to_the_same_window(make, qtbot):
    studio = make()
    studio.commander.run("help.workspace")
    (dialog,) = studio.window.findChildren(WorkspaceHelpDialog)
    QTest.mouseClick(dialog.page_link, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: studio.guide.shown is not None)
    shown = studio.guide.shown
    assert shown.title.text() == "Getting started"
    studio.commander.run("help.guide")
    assert studio.guide.shown is shown
    assert shown.title.text() == "Getting started"
    shown.close()
    qtbot.waitUntil(lambda: studio.guide.shown is None)
    studio.commander.run("help.guide")
    qtbot.waitUntil(lambda: studio.guide.shown is not None)
    assert studio.guide.shown.title.text() == "Documentation"


def test_only_addresses_of_the_web_are_opened_and_a_failure_is_said(make, qtbot, monkeypatch):
    opened = []
    monkeypatch.setattr(
        "studio.bridge.desktop.QDesktopServices.openUrl", lambda url: opened.append(url.toString())
    )
    studio = make()
    studio.guide.open()
    qtbot.waitUntil(lambda: studio.guide.shown is not None)
    for address in ("https://example.com/a", "file:///etc/passwd"):
        studio.guide.shown.address_asked.emit(address)
    assert opened == ["https://example.com/a"]
    said = [toast.accessibleName() for toast in studio.window.toasts.shown]
    assert said == [
        "No program of this computer opens https://example.com/a",
        "No program of this computer opens file:///etc/passwd",
    ]
