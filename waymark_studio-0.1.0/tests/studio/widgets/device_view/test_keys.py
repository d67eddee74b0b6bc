"""Keys of the desk become the phone's keys or text, and the window keeps its shortcuts."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

from collector.model.action import KEY_NAMES
from studio.widgets.device_view.keys import is_paste, phone_key, typed_text

NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
META, PAD = Qt.KeyboardModifier.MetaModifier, Qt.KeyboardModifier.KeypadModifier


def press(key: Qt.Key, modifiers=NONE, text: str = "") -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, key, modifiers, text)


def test_every_named_key_is_one_the_phone_knows():
    names = {phone_key(press(key)) for key in Qt.Key} - {""}
    assert {name for name in names if not name.startswith("code:")} <= set(KEY_NAMES)
    assert len(names) > 15


@pytest.mark.parametrize("text", ["a", "ß", "中", "🙂", "👩‍👩‍👧", "\u00a0", "é"])
def test_letters_of_any_script_are_text(text):
    assert typed_text(press(Qt.Key.Key_A, NONE, text)) == text


def test_the_keypad_and_shift_write_too():
    assert typed_text(press(Qt.Key.Key_5, PAD, "5")) == "5"
    assert typed_text(press(Qt.Key.Key_A, SHIFT, "A")) == "A"
    assert phone_key(press(Qt.Key.Key_Enter, PAD)) == "enter"


def test_alt_gr_writes_its_letter_where_it_reads_as_ctrl_alt():
    assert typed_text(press(Qt.Key.Key_At, CTRL | ALT, "@")) == "@"


@pytest.mark.parametrize(("modifier", "text"), [(CTRL, "\x1a"), (META, "z"), (NONE, "\x7f"), (NONE, "\r")])
def test_shortcuts_and_control_characters_are_no_text(modifier, text):
    assert typed_text(press(Qt.Key.Key_Z, modifier, text)) == ""


def test_editing_keys_are_the_phones_and_undo_is_the_windows(qapp):
    assert phone_key(press(Qt.Key.Key_A, CTRL)) == "select_all"
    assert phone_key(press(Qt.Key.Key_C, CTRL)) == "copy"
    assert phone_key(press(Qt.Key.Key_Z, CTRL)) == ""
    assert phone_key(press(Qt.Key.Key_C, CTRL | Qt.KeyboardModifier.ShiftModifier)) == ""
    assert phone_key(press(Qt.Key.Key_Return, CTRL)) == ""
    assert is_paste(press(Qt.Key.Key_V, CTRL))
