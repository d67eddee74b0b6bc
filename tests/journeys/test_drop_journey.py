"""Files dropped on the mirror go to the phone, an APK is installed; elsewhere a drop is still an import."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from collector.device.transport.adb_device import AdbDevice
from tests.helpers.apk import apk as apk_of
from tests.helpers.shown_texts import says

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def _drag(widget, paths, *, drop=True):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    at = QPoint(40, 40)
    enter = QDragEnterEvent(at, Qt.DropAction.CopyAction, data, buttons, keys)
    QApplication.sendEvent(widget, enter)
    if drop:
        event = QDropEvent(QPointF(at), Qt.DropAction.CopyAction, data, buttons, keys)
        QApplication.sendEvent(widget, event)
    return enter.isAccepted()


def _says(person, words):
    person.until(lambda: any(words in toast.accessibleName() for toast in person.studio.window.toasts.shown))


def test_files_dropped_on_the_mirror_reach_the_phone(person, tmp_path):
    note, apk, broken = tmp_path / "note.txt", tmp_path / "shop.apk", tmp_path / "broken.apk"
    note.write_text("hello")
    broken.write_text("no zip")
    apk.write_bytes(apk_of("com.example.shop", dex_size=300_000))
    person.studio.window.show_workspace("record")
    assert not person.studio.commander.enabled("device.install")
    person.take_phone()
    assert _drag(person.view, [apk], drop=False)
    assert says(person.studio.window, "Install 1 app on")
    QApplication.sendEvent(person.view, QDragLeaveEvent())
    assert not says(person.studio.window, "Install 1 app on")

    assert _drag(person.view, [broken, note, apk])
    _says(person, "broken.apk is no Android app")
    _says(person, "note.txt is on the phone in /sdcard/Download")
    _says(person, "shop.apk is installed")
    assert AdbDevice(person.address).shell("cat /sdcard/Download/note.txt").text == "hello"
    assert "package:com.example.shop" in AdbDevice(person.address).shell("pm list packages -3").text.split()
    person.until(lambda: not person.studio.tasks.titled)

    note.write_text("again")
    person.run("device.push", path=str(note))
    person.until(lambda: AdbDevice(person.address).shell("cat /sdcard/Download/note.txt").text == "again")
