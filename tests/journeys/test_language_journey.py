"""Language and scale change in the middle of a recording, which goes on in the new window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from collector.model.task import Task
from collector.store.checks.check import check_project
from collector.store.trajectory.reader import open_trajectory
from studio.app.language import use_language
from studio.theme.scale import set_scale

_TASK = Task("shop-1", "Look at the posters", "Shop", "com.waymark.shop")


@pytest.fixture(autouse=True)
def _english_at_scale_1(qapp):
    yield
    use_language(qapp, "en")
    set_scale(1.0)


def _replaced(person, act):
    before = person.studio.window
    act()
    person.until(lambda: person.studio.window is not before)


# Qt says so when a window of an earlier test is not collected yet; the test looks at the scale itself.
@pytest.mark.qt_log_ignore("setFactor: Should only be called when no windows exist")
def test_a_recording_goes_on_in_another_language_and_at_another_scale(person, tmp_path, qtbot):
    project = person.open_project(tmp_path / "posters", _TASK)
    person.take_phone()
    person.start()
    link = person.studio.devices.current
    person.tap(person.sees("Shop"))
    steps = len(person.recording.steps)

    person.run("app.settings")
    language = person.studio.window.settings_page.editor("appearance.language")
    language.setFocus()
    _replaced(person, lambda: QTest.keyClick(language, Qt.Key.Key_End))
    assert person.studio.settings["appearance.language"] == "zh_CN"
    _replaced(person, lambda: person.studio.settings.set("appearance.scale", 1.25))
    assert person.studio.window.devicePixelRatioF() == 1.25
    person.run("view.record")

    assert person.studio.devices.current is link
    assert person.recording.is_running
    assert len(person.record.session.steps) == steps
    assert person.recording.elapsed_ms > 0
    assert "录制  00:" in person.record.toolbar.buttons["record.start"].text()
    person.until(lambda: person.view.frame is not None)
    person.tap(person.sees("Search products"))
    person.run("edit.undo")
    person.until(lambda: len(person.recording.steps) == steps)
    person.tap(person.sees("Search products"))
    stored = open_trajectory(person.finish())
    assert [step.action.kind for step in stored.steps if step.action is not None][:2] == ["tap", "tap"]
    assert check_project(project) == []
