"""Characters and Qt's positions map both ways, whatever the line ends and the script."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextDocument

from rule_editor.widgets.yaml_view.qt_positions import QtPositions, units

PIECES = st.lists(st.sampled_from(["a", "键", "😀", "\n", "\r\n", ": ", "é", "  "]), max_size=30)


@given(PIECES)
def test_every_character_is_where_qt_has_it(pieces: list[str]) -> None:
    text = "".join(pieces)
    document = QTextDocument()
    document.setPlainText(text)
    positions = QtPositions(text)
    for offset, character in enumerate(text):
        if character == "\r":
            continue
        at = document.characterAt(positions.to_qt(offset))
        assert at == (
            "\u2029"
            if character == "\n"
            else character.encode("utf-16-le")[:2].decode("utf-16-le", "surrogatepass")
        )
        assert positions.to_text(positions.to_qt(offset)) in (offset, offset - 1)


@given(st.text(max_size=40), st.integers(-5, 60))
def test_no_offset_is_too_far(text: str, offset: int) -> None:
    positions = QtPositions(text)
    assert 0 <= positions.to_text(offset) <= len(text)
    assert 0 <= positions.to_qt(offset) <= units(text)
