"""A list that comes down has the name of its field."""

from __future__ import annotations

from pathlib import Path

import pytest

import rule_editor
import studio
from rule_editor.widgets.combo_box import ComboBox


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_list_of_a_choice_has_the_name_of_its_field(qtbot):
    box = ComboBox()
    qtbot.addWidget(box)
    box.addItems(["light", "dark"])
    box.setAccessibleName("Theme")
    box.showPopup()
    assert box.view().accessibleName() == "Theme"
    box.hidePopup()


def test_every_choice_is_of_this_kind():
    roots = [Path(package.__file__).parent for package in (studio, rule_editor)]
    bare = [
        str(path)
        for root in roots
        for path in root.rglob("*.py")
        if path.name != "combo_box.py"
        and any(words in path.read_text("utf-8") for words in (" QComboBox()", "(QComboBox):"))
    ]
    assert bare == []
