"""The shortcut sheet has a title, key caps and balanced columns, and fits its window."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QGridLayout, QScrollArea, QWidget

from studio.commands.commander import Commander
from studio.commands.registry import Registry
from studio.widgets.controls import Label
from studio.widgets.icon_button import IconButton
from studio.widgets.key_caps import KeyCaps
from studio.widgets.window_frame.shortcut_sheet import ShortcutSheet, columns

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


@pytest.fixture
def sheet(hosted):
    commander = Commander(Registry())
    for command in commander.registry:
        commander.handle(command.id, lambda: None)
    commander.enter("record")
    shortcut_sheet = ShortcutSheet(commander, hosted(QWidget(), 1600, 1000))
    shortcut_sheet.open()
    return shortcut_sheet


def test_it_says_what_it_is_and_how_it_closes(sheet):
    assert sheet.findChildren(Label)[0].text() == "Keys of this workspace"
    assert "Esc" in [caps.accessibleName() for caps in sheet.findChildren(KeyCaps)]
    sheet.findChild(IconButton).click()
    assert not sheet.isVisible()


def test_all_keys_of_record_fit_without_scrolling_or_cutting(sheet):
    area = sheet.findChild(QScrollArea)
    assert area.verticalScrollBar().maximum() == 0
    assert sheet.height() <= 1000 - 64
    labels = [label for label in sheet.findChildren(Label) if label.isVisible()]
    assert all(label.width() >= label.sizeHint().width() for label in labels)


def test_columns_are_about_as_long_as_each_other(sheet):
    grids = sheet.findChildren(QGridLayout)
    lengths = [
        sum(grid.itemAtPosition(row, 0) is not None for row in range(grid.rowCount())) for grid in grids
    ]
    assert len(lengths) > 1
    labels = [label.text() for label in sheet.findChildren(Label)]
    assert sum(lengths) == len(labels) - 3, "the head has three"
    for parts in (lengths, [len(part) for part in columns(list(Registry()), 3)]):
        assert max(parts) - min(parts) <= 3


@pytest.mark.parametrize("count", [1, 2, 3])
def test_no_column_ends_with_a_heading(count):
    command = next(iter(Registry()))
    for before in range(1, 9):
        entries = ["One", *[command] * before, "Two", command, command]
        parts = columns(entries, count)
        assert [entry for part in parts for entry in part] == entries
        assert len(parts) <= count
        assert not any(isinstance(part[-1], str) for part in parts)
