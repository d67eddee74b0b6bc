"""Buttons stand side by side only where their words have room."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from studio.widgets.controls import Button, ButtonGrid


def test_buttons_stand_side_by_side_where_their_words_have_room(hosted) -> None:
    buttons = [Button(words) for words in ("Stop", "A reason of many words that is long", "Go", "On", "Back")]
    grid = ButtonGrid(buttons)
    hosted(grid, 300, 300)

    def rows() -> list[list[str]]:
        QCoreApplication.sendPostedEvents()
        grid.layout().activate()
        shown = [button for button in buttons if button.isVisible()]
        tops = sorted({button.y() for button in shown})
        return [[button.text() for button in shown if button.y() == top] for top in tops]

    assert rows() == [["Stop"], ["A reason of many words that is long"], ["Go", "On"], ["Back"]]
    assert all(button.width() >= button.sizeHint().width() for button in buttons)
    buttons[1].setVisible(False)
    assert rows() == [["Stop", "Go"], ["On", "Back"]]
    buttons[1].setVisible(True)
    grid.window().resize(700, 300)
    grid.resize(700, 300)
    assert rows()[0] == ["Stop", "A reason of many words that is long"]
