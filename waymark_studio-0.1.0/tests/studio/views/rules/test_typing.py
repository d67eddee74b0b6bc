"""What is typed counts at once: conditions follow each key of the form, diagnostics each edit of the text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from tests.helpers.rule_room import INJECTION_TEXT

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def test_a_condition_follows_each_key_and_typing_is_one_undo(room, qtbot) -> None:
    room.at(1)
    form = room.workspace.rule_pane.form
    row, line = form.rows[(1,)], form.rows[(1,)].fields["value"].line
    room.until(lambda: row.mark.name == "state-ok")
    line.setFocus()
    line.end(False)
    qtbot.keyClicks(line, "xy")
    assert "value: com.example.shopxy\n" in room.session.document.text
    assert line.text() == "com.example.shopxy"
    room.until(lambda: row.mark.name == "state-err")
    assert "com.example.shopxy" in row.why
    for _key in range(2):
        qtbot.keyClick(line, Qt.Key.Key_Backspace)
    room.until(lambda: row.mark.name == "state-ok")
    qtbot.keyClicks(line, "z")
    room.session.documents.history.undo()
    assert room.session.document.text == INJECTION_TEXT


def test_a_diagnostic_goes_with_its_fix_and_others_stay_at_their_lines(room, qtbot) -> None:
    pane, document = room.workspace.rule_pane, room.session.document
    wrong = INJECTION_TEXT.replace("description:", "descriptio:").replace("low_battery", "low_batter")
    document.set_text(wrong)

    def shown() -> dict[int, str]:
        found = pane.yaml.annotations.diagnostics
        return {line: " ".join(diagnostic.what for diagnostic in found[line]) for line in found}

    unknown_anomaly = wrong[: wrong.index("low_batter")].count("\n") + 1
    room.until(lambda: "low_batter" in shown().get(unknown_anomaly, ""))  # which only the linter finds
    room.studio.window.activateWindow()
    pane.yaml.setFocus()
    room.until(pane.yaml.hasFocus)
    pane.yaml.go_to(wrong.index("descriptio") + 3)
    assert "descriptio" in shown()[4]
    qtbot.keyClick(pane.yaml, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    assert "description: While" in document.text
    assert 4 not in shown()
    assert "low_batter" in shown()[unknown_anomaly]
    pane.yaml.go_to(document.text.index("    conditions"))
    qtbot.keyClick(pane.yaml, Qt.Key.Key_Return)
    assert "low_batter" in shown()[unknown_anomaly + 1]
    pane.yaml.go_to(document.text.index("low_batter") + len("low_batter"))
    qtbot.keyClicks(pane.yaml, "y")
    assert unknown_anomaly + 1 not in shown()
