"""Language and scale change while the program runs, and everything goes on."""

from __future__ import annotations

import weakref

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel
from shiboken6 import isValid

from collector.model.task import Task
from collector.store.project.project import Project
from studio.app.language import use_language
from studio.theme.scale import can_change_scale, set_scale

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


@pytest.fixture(autouse=True)
def _english_at_scale_1(qapp):
    yield
    use_language(qapp, "en")
    set_scale(1.0)


def _change(studio, qtbot, key, value):
    before = studio.window
    studio.settings.set(key, value)
    qtbot.waitUntil(lambda: studio.window is not before, timeout=10_000)
    assert not isValid(before)


def _texts(studio):
    return {label.text() for label in studio.window.findChildren(QLabel) if label.isVisible()}


def test_the_file_dialog_has_no_english_words_in_chinese(qapp, qtbot):
    use_language(qapp, "zh_CN")
    dialog = QFileDialog()
    qtbot.addWidget(dialog)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    texts.append(qapp.translate("QAbstractFileIconProvider", "Folder", "All other platforms"))
    assert len(texts) > 3
    assert all("一" <= text[0] <= "鿿" for text in texts), texts


@pytest.fixture
def project(studio, qtbot, tmp_path):
    """A project with two tasks, open in the studio."""
    project = Project.create(tmp_path / "benchmark")
    project.save_tasks([Task("shop-1", "Buy a lamp", app="Shop"), Task("shop-2", "Buy a chair", app="Shop")])
    with qtbot.waitSignal(studio.project_library.opened):
        studio.project_library.open(project.folder)
    return project


def test_the_locked_qt_can_change_its_scale():
    assert can_change_scale()


# Qt says so when a window of an earlier test is not collected yet; the test looks at the scale itself.
@pytest.mark.qt_log_ignore("setFactor: Should only be called when no windows exist")
@pytest.mark.fault("F33")
def test_language_and_scale_change_live_and_the_settings_stay_in_front(studio, project, qtbot):
    """Every command works in the new window, too."""
    studio.window.workspace("project").table.select(["shop-2"])
    studio.project_library.edits.edit("delete shop-1", studio.project_library.edits.tasks[1:])
    studio.settings.use_for_this_run("appearance.theme", "light")
    studio.answer({"run": "app.settings"})
    scheme = studio.window.settings_page.editor("appearance.theme")
    assert scheme.currentData() == "light"
    assert any("for this run, by the command line" in text for text in _texts(studio))
    scheme.setCurrentIndex(scheme.findData("dark"))
    search = studio.window.settings_page.focusProxy()
    search.setText("colours of the window")
    assert {"Appearance", "Theme"} <= _texts(studio)
    assert not {"Phone", "Devices", "Language", "Shortcuts"} & _texts(studio)
    search.setText("no such words")
    qtbot.waitUntil(lambda: "No setting and no key has these words" in _texts(studio), timeout=20_000)
    assert "Appearance" not in _texts(studio)
    search.clear()
    assert not any("for this run" in text for text in _texts(studio))
    width, handled = studio.window.width(), studio.commander.handled
    editor = studio.window.settings_page.editor("appearance.language")
    editor.setFocus()
    editor.setCurrentIndex(editor.findData("zh_CN"))
    before = studio.window
    qtbot.waitUntil(lambda: studio.window is not before, timeout=10_000)
    assert studio.window.current is None
    assert "设置" in _texts(studio)
    assert studio.window.settings_page.editor("appearance.language").currentData() == "zh_CN"
    assert "撤销" in studio.commander.title("edit.undo")
    qtbot.waitUntil(lambda: any("端口" in str(finding) for finding in studio.devices.computer))
    assert "benchmark" in studio.window.menu.project.text()
    assert studio.commander.handled == handled
    studio.answer({"run": "view.rules"})
    studio.answer({"run": "view.record"})
    assert studio.window.current is studio.window.workspace("record")
    _change(studio, qtbot, "appearance.scale", 1.5)
    assert studio.window.devicePixelRatioF() == 1.5
    assert studio.window.width() == pytest.approx(max(960, width / 1.5), abs=2)
    _change(studio, qtbot, "appearance.language", "en")
    assert studio.window.current is studio.window.workspace("record")
    assert "view.rules" in studio.commander.handled
    studio.answer({"run": "view.project"})
    workspace = studio.window.workspace("project")
    assert [task.id for task in workspace.table.selected] == ["shop-2"]
    studio.answer({"run": "edit.undo"})
    assert [task.id for task in studio.project_library.edits.tasks] == ["shop-1", "shop-2"]
    assert workspace.model.rowCount() == 2


def test_nothing_of_the_old_window_is_left_but_the_undo_of_experiments_and_variations(studio, project, qtbot):
    def experiments():
        return studio.window.workspace("run").session.experiments

    def variations():
        return studio.window.workspace("rules").variations.session

    path = project.paths.experiment("exp-01")
    studio.answer({"run": "view.run"})
    experiments().create("exp-01", "new experiment")
    qtbot.waitUntil(lambda: experiments().document is not None)
    made = experiments().document.text
    experiments().edit("change the budget", lambda text: text + "budget: 7\n")
    studio.answer({"run": "view.rules"})
    studio.answer({"run": "rules.variations"})
    qtbot.waitUntil(lambda: bool(variations().entries))
    variations().select("dark_theme")
    variations().add()
    qtbot.waitUntil(lambda: variations().can_edit)
    variations().edit(lambda document: document.set_field("description", "Black"))
    old = studio.window
    parts = [weakref.ref(part) for part in (old, old.menu, old.workspace("project"), old.workspace("rules"))]
    del old
    studio.settings.set("appearance.language", "zh_CN")
    qtbot.waitUntil(lambda: studio.window is not parts[0](), timeout=10_000)
    assert [part() for part in parts] == [None] * len(parts)

    assert variations().name == "my_dark_theme"
    assert studio.window.workspace("rules").shows_variations
    variation = project.folder / "variations" / "my_dark_theme.yaml"
    qtbot.waitUntil(lambda: variations().can_edit and "Black" in variation.read_text("utf-8"))
    studio.answer({"run": "edit.undo"})
    qtbot.waitUntil(lambda: "Black" not in variation.read_text("utf-8"))
    studio.answer({"run": "edit.undo"})
    qtbot.waitUntil(lambda: not variation.exists())
    studio.answer({"run": "edit.redo"})
    qtbot.waitUntil(lambda: variation.exists() and variations().can_edit)
    studio.answer({"run": "view.run"})
    qtbot.waitUntil(lambda: "budget: 7" in path.read_text("utf-8"))
    studio.answer({"run": "edit.undo"})
    qtbot.waitUntil(lambda: path.read_text("utf-8") == made)
    studio.answer({"run": "edit.undo"})
    qtbot.waitUntil(lambda: not path.exists())
    studio.answer({"run": "edit.redo"})
    qtbot.waitUntil(lambda: path.exists() and path.read_text("utf-8") == made)  # not in the new language
    qtbot.waitUntil(lambda: experiments().document is not None and experiments().document.text == made)
