"""*What is this?*: every workspace has a picture, three sentences and a page of the guide."""

from __future__ import annotations

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from collector.model.resources import asset, guide_folder
from studio.commands.workspaces import AVAILABLE_WORKSPACES
from studio.views.workspace_help import HELP, WorkspaceHelpDialog

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
_MOST_BYTES = 120_000


def test_every_workspace_is_explained_by_a_small_picture_and_a_page():
    assert set(HELP) == {entry.id for entry in AVAILABLE_WORKSPACES}
    for workspace, shown in HELP.items():
        path = asset("help", f"{workspace}.webp")
        assert path.stat().st_size < _MOST_BYTES
        with Image.open(path) as picture:
            assert picture.width > 1000
        assert all(0 < x < 1 and 0 < y < 1 for x, y, _sentence in shown.notes)
        assert (guide_folder() / "docs" / "guide" / f"{shown.page}.md").is_file()


def test_the_help_shows_the_sentences_and_its_links_lead_on(qtbot):
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(1280, 720)
    dialog = WorkspaceHelpDialog("record", "What is this? Record", host)
    dialog.show()
    said = [label.text() for label in dialog.findChildren(QLabel)]
    assert [sentence for _x, _y, sentence in HELP["record"].notes] == said[1:]
    with qtbot.waitSignal(dialog.page_asked) as asked:
        QTest.mouseClick(dialog.page_link, Qt.MouseButton.LeftButton)
    assert asked.args == ["docs/guide/recording.md"]
    with qtbot.waitSignal(dialog.tour_asked):
        QTest.mouseClick(dialog.tour_link, Qt.MouseButton.LeftButton)
