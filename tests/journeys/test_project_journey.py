"""Somebody's first day: from an empty window to a checked project that is there again tomorrow."""

from __future__ import annotations

import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from collector.model.essential_state import own_state_id
from studio.app.studio import Studio
from studio.settings import Settings
from studio.theme import theme
from studio.views.exchange.exchange_report_dialog import ExchangeReportDialog
from studio.views.exchange.import_dialog import ImportDialog
from studio.views.project.tasks.task_dialog import TaskDialog
from studio.widgets.controls import Button
from tests.helpers.studios import end_studio
from tests.helpers.virtual import adb_server

pytestmark = [
    pytest.mark.qt_log_ignore("does not support", extend=True),
    pytest.mark.shared_threads("device", "work", "store"),
]
_SLOW = 60_000


@pytest.fixture
def open_window(qapp, qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    theme.install(qapp, "dark", motion=False)
    opened = []

    def build():
        studio = Studio(Settings(tmp_path / "settings.yaml"))
        studio.window.resize(1600, 1000)
        studio.window.show()
        studio.start()
        opened.append(studio)
        return studio

    with adb_server() as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        yield build
        while opened:
            end_studio(opened.pop(), qtbot)


def dialog(studio, kind):
    return next(widget for widget in studio.window.findChildren(kind) if widget.isVisible())


def drop(window, path):
    """Send the events that a file manager sends for a drop."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    action, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(400, 300), action, data, left, none))
    QApplication.sendEvent(window, QDropEvent(QPointF(400, 300), action, data, left, none))


def screenshots(folder):
    """Write two screenshots with their trees, as people store them."""
    folder.mkdir()
    for number in (1, 2):
        Image.new("RGB", (72, 160), "white").save(folder / f"{number}.png")
        (folder / f"{number}.xml").write_text(
            '<hierarchy rotation="0"><node index="0" text="Hi" class="android.widget.TextView" '
            'bounds="[0,0][72,160]"/></hierarchy>'
        )
    return folder


def test_a_first_day_from_an_empty_window_to_a_project_that_is_there_again(open_window, qtbot, tmp_path):
    studio = open_window()
    project = studio.window.workspace("project")

    # One click opens the sample project, and one starts a phone for its tasks.
    samples = {button.property("command"): button for button in project.start.findChildren(Button)}
    QTest.mouseClick(samples["project.open-sample"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: studio.project_library.snapshot is not None, timeout=_SLOW)
    studio.answer({"run": "device.start-virtual"})
    qtbot.waitUntil(lambda: studio.devices.current is not None, timeout=_SLOW)
    qtbot.waitUntil(lambda: studio.devices.current.session.newest_frame() is not None, timeout=_SLOW)

    QTest.keyClick(studio.window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert studio.window.current is project
    entry = studio.devices.entries[0]
    qtbot.waitUntil(lambda: studio.devices.entry(entry.serial).info is not None, timeout=_SLOW)
    assert studio.devices.entry(entry.serial).info.is_virtual

    QTest.keyClicks(project.search_row.search.field, "app:shop level:hard ")
    assert 0 < project.model.rowCount() < project.model.count
    project.search_row.search.clear()

    studio.answer({"run": "task.new"})
    editor = dialog(studio, TaskDialog)
    editor.id.setText("shop-90")
    QTest.keyClicks(editor.instruction, "Put the night sea poster into the cart")
    editor.states.line.setCompleter(None)  # its list grabs the keyboard, which a screenless test has not
    for sentence in ("Posters searched", "In the cart"):
        QTest.keyClicks(editor.states.line, sentence)
        QTest.keyClick(editor.states.line, Qt.Key.Key_Return)
    with qtbot.waitSignal(studio.project_library.edits.saved, timeout=_SLOW):
        QTest.mouseClick(editor.yes, Qt.MouseButton.LeftButton)
    assert [task.id for task in project.table.selected] == ["shop-90"]
    states = studio.project_library.snapshot.folder / "rules" / "states.yaml"
    second = own_state_id("shop-90", "In the cart", ())
    assert f"  - id: {second}\n    description: In the cart\n" in states.read_text("utf-8")
    for command, number in (("edit.undo", 0), ("edit.redo", 2)):
        with qtbot.waitSignal(studio.project_library.edits.saved, timeout=_SLOW):
            studio.answer({"run": command})
        assert states.read_text("utf-8").count("id: shop-90-") == number
    documents = studio.window.workspace("rules").session.documents
    qtbot.waitUntil(lambda: any(f"id: {second}" in document.text for document in documents.every))

    before = [row.id for row in studio.project_library.snapshot.recent]
    with qtbot.waitSignal(studio.exchange.imported, timeout=_SLOW):
        drop(studio.window, screenshots(tmp_path / "shots"))
        qtbot.waitUntil(lambda: bool(studio.window.findChildren(ImportDialog)), timeout=_SLOW)
        QTest.mouseClick(dialog(studio, ImportDialog).yes, Qt.MouseButton.LeftButton)
    dialog(studio, ExchangeReportDialog).close()
    (added,) = [row.id for row in studio.project_library.snapshot.recent if row.id not in before]
    assert added == "plain-shots"

    with qtbot.waitSignal(studio.findings.checked, timeout=_SLOW) as checked:
        studio.answer({"run": "project.check"})
    assert [finding for finding in checked.args[0] if finding.severity == "error"] == []

    folder = studio.project_library.snapshot.folder
    studio.settings.save()
    studio.window.close()

    again = open_window()
    qtbot.waitUntil(lambda: again.project_library.snapshot is not None, timeout=_SLOW)
    assert again.project_library.snapshot.folder == folder
    assert (
        again.project_library.snapshot.task("shop-90").instruction == "Put the night sea poster into the cart"
    )
