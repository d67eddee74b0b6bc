"""Every dialog, in long and mirrored texts too: it fits, nothing is cut, and Tab comes everywhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QDialog, QPushButton, QWidget

from collector.model.pseudo_language import ACCENTED, MIRRORED
from collector.model.resources import asset
from studio.app.language import use_language
from tests.helpers import dialogs_of_benchmarks, dialogs_of_projects  # noqa: F401 - they fill the list
from tests.helpers.accessible_parts import name_of, nameless, stops_of_dialog
from tests.helpers.every_dialog import OPENED, DialogStage, dialog_classes, plain_dialogs
from tests.helpers.layout_faults import settled_faults
from tests.helpers.painted_texts import painted_faults, painted_texts

SCREEN = QSize(1280, 720)
OTHERS = (MIRRORED, "de", "zh_CN")
LONG = pytest.mark.long_form(only=True)
pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True),
]


def test_every_dialog_is_in_the_list() -> None:
    assert {*dialog_classes(), *plain_dialogs()} == set(OPENED)


@pytest.fixture
def stage(make, qtbot, tmp_path) -> Iterator[DialogStage]:
    QAccessible.setActive(True)
    folder = shutil.copytree(asset("sample"), tmp_path / "sample")
    studio = make()
    studio.window.resize(SCREEN)
    with qtbot.waitSignal(studio.project_library.opened):
        studio.project_library.open(folder)
    yield DialogStage(studio, qtbot)
    use_language(QApplication.instance(), "en")
    QAccessible.setActive(False)


def faults_of(dialog: QDialog, monkeypatch) -> Iterator[str]:
    """What a person cannot read in a dialog, or cannot reach by the keyboard."""
    if dialog.width() > SCREEN.width() or dialog.height() > SCREEN.height():
        yield f"it is {dialog.width()} x {dialog.height()} px"
    yield from settled_faults(dialog)
    with painted_texts(monkeypatch) as painted:
        dialog.grab()
    yield from painted_faults(painted)
    yield from (f"nameless: {line}" for line in nameless(QAccessible.queryAccessibleInterface(dialog)))
    yield from _faults_of_keys(dialog)


def _faults_of_keys(dialog: QDialog) -> Iterator[str]:
    buttons = [button for button in dialog.findChildren(QPushButton) if button.isVisible()]
    default = next((button for button in buttons if button.isDefault()), None)
    if buttons and default is None:
        yield "no default button"
    focused = QApplication.focusWidget()
    if focused is None or focused.window() is not dialog:
        yield "the keyboard is not in it"
        return
    if (
        isinstance(focused, QPushButton)
        and focused is not default
        and (default is None or default.isEnabled())
    ):
        yield f"the keyboard begins at {name_of(focused)}"
    reached = stops_of_dialog(dialog)
    yield from (f"Tab does not come to {name_of(each)}" for each in _stops(dialog) if each not in reached)


def _stops(dialog: QDialog) -> list[QWidget]:
    return [
        each
        for each in dialog.findChildren(QWidget)
        if each.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus
        and each.isVisible() and each.isEnabled() and each.focusProxy() is None
        and not each.visibleRegion().isEmpty()
        and not isinstance(each.parent(), QAbstractScrollArea)
    ]  # fmt: skip


@pytest.mark.parametrize("language", [ACCENTED, *(pytest.param(each, marks=LONG) for each in OTHERS)])
def test_every_dialog_can_be_read_and_reached(stage, qtbot, monkeypatch, language):
    found = []
    use_language(QApplication.instance(), language)
    for name, opener in OPENED.items():
        dialog = opener(stage)
        if not dialog.isVisible():
            dialog.open()
        dialog.activateWindow()
        qtbot.waitUntil(dialog.isActiveWindow)
        faults = [*faults_of(dialog, monkeypatch)]
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        if dialog.isVisible():
            faults.append("Esc does not close it")
        close_all(qtbot)
        found += [f"{name}: {fault}" for fault in faults]
    assert not found, "\n".join(found)


def close_all(qtbot) -> None:
    """Close what is still open, as a dialog below another."""
    while (dialog := QApplication.activeModalWidget()) is not None:
        dialog.close()
    qtbot.wait(0)


@LONG
@pytest.mark.parametrize("scale", ["1.25", "1.5", "2"])
def test_no_picture_is_made_for_another_scale_than_that_of_the_screen(scale, tmp_path):
    folder = shutil.copytree(asset("sample"), tmp_path / "sample")
    environment = {**os.environ, "QT_SCALE_FACTOR": scale, "WAYMARK_HOME": str(tmp_path)}
    words = [sys.executable, "-m", "tests.helpers.scaled_window", str(folder)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
