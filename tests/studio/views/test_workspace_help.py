"""*What is this?*: every workspace has a moving picture, three sentences and a page of the guide."""

from __future__ import annotations

import json

import pytest
from PIL import Image
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from collector.model.resources import asset, guide_folder
from studio.commands.registry import Registry
from studio.commands.workspaces import AVAILABLE_WORKSPACES
from studio.theme import theme
from studio.views.workspace_help import (
    HELP,
    SCENES_OF_NOTE,
    WorkspaceHelpDialog,
    help_picture,
)

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
_MOST_BYTES = 3_000_000


def test_every_workspace_is_explained_by_a_moving_picture_and_a_page():
    assert set(HELP) == {entry.id for entry in AVAILABLE_WORKSPACES}
    total = 0
    for workspace, shown in HELP.items():
        for scheme in ("light", "dark"):
            path = help_picture(workspace, scheme)
            total += path.stat().st_size
            with Image.open(path) as picture:
                assert picture.width > 1000
                assert picture.n_frames == len(shown.notes) * SCENES_OF_NOTE
        assert all(0 < x < 1 and 0 < y < 1 for x, y, _sentence in shown.notes)
        assert (guide_folder() / "docs" / "guide" / f"{shown.page}.md").is_file()
    assert total < _MOST_BYTES


def test_the_pictures_show_the_toolbars_of_now():
    registry = Registry()
    now = {workspace: [command.title for command in registry.toolbar(workspace)] for workspace in HELP}
    assert json.loads(asset("help", "toolbars.json").read_text(encoding="utf-8")) == now, (
        "run make workspace-pictures"
    )


@pytest.fixture
def host(qtbot):
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(1280, 720)
    return host


def test_the_help_shows_the_sentences_and_its_links_lead_on(qtbot, host):
    dialog = WorkspaceHelpDialog("record", "What is this? Record", host)
    dialog.show()
    said = [label.text() for label in dialog.findChildren(QLabel)]
    assert [sentence for _x, _y, sentence in HELP["record"].notes] == said[-3:]
    with qtbot.waitSignal(dialog.page_asked) as asked:
        QTest.mouseClick(dialog.page_link, Qt.MouseButton.LeftButton)
    assert asked.args == ["docs/guide/recording.md"]
    with qtbot.waitSignal(dialog.tour_asked):
        QTest.mouseClick(dialog.tour_link, Qt.MouseButton.LeftButton)


def test_the_picture_plays_once_and_names_the_note_of_each_scene(qtbot, host, qapp):
    theme.install(qapp, "light")
    dialog = WorkspaceHelpDialog("record", "What is this? Record", host)
    picture, controls = dialog.picture, dialog.controls
    notes = []
    picture.changed.connect(lambda: notes.append(picture.note))
    assert picture.is_playing
    picture.findChild(QTimer).setInterval(1)
    qtbot.waitUntil(lambda: not picture.is_playing)
    assert notes == [0, 1, 1, 2, 2]
    assert picture.accessibleDescription() == HELP["record"].notes[2][2]

    controls.on.click()  # the first scene follows the last one
    assert (picture.scene, picture.is_playing) == (0, False)
    controls.back.click()
    assert picture.scene == picture.count - 1
    controls.play.click()
    assert (picture.scene, picture.is_playing) == (0, True)
    assert controls.play.accessibleName() == "Pause"
    controls.play.click()
    assert not picture.is_playing


def test_nothing_moves_where_less_motion_is_asked_for(host, qapp):
    theme.install(qapp, "dark", motion=False)
    dialog = WorkspaceHelpDialog("run", "What is this? Run", host)
    assert not dialog.picture.is_playing
    dialog.controls.on.click()
    assert dialog.picture.scene == 1
