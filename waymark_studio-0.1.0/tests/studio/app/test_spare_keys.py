"""Characters that no key has get one that stays theirs, whatever is typed after them."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from studio.app.demo import spare_keys, xserver

pytestmark = pytest.mark.skipif(not xserver.is_available(), reason="needs Xvfb and xdotool")


def codes(keys, text):
    """The spare keys of the characters; 0 for one that another key or none has."""
    return {character: keys.code(character) for character in text}


def spare_keys_of(keys):
    """How many spare keys there are: a piece of a text needs no more."""
    return len(next(keys.pieces("".join(chr(0x4E00 + number) for number in range(300)))))


def test_characters_keep_the_keys_they_got(tmp_path, monkeypatch):
    with xserver.XServer(tmp_path) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        keys = spare_keys.SpareKeys()
        spare = spare_keys_of(keys)
        assert spare > 8
        keys.prepare("plain ASCII needs none")
        assert not any(codes(keys, "plain ASCII needs none").values())
        text = "我会晚到“十分钟”🙏"
        keys.prepare(f"{text} 我")
        given = codes(keys, text)
        assert len(set(given.values()) - {0}) == 10
        keys.prepare("钟分十")
        assert codes(keys, text) == given
        reader = spare_keys.SpareKeys()
        reader.prepare(f"{text} plain")
        assert not any(codes(reader, f"{text} plain").values()), "they have keys already"
        long = "".join(chr(0x4E00 + number) for number in range(spare))
        keys.prepare(long)  # nobody has the input focus, so there is nobody to wait for
        assert len(set(codes(keys, long).values()) - {0}) == spare
        assert not keys.code("我")
        mixed = long[spare - 2 : spare] + "我会"
        keys.prepare(mixed)
        assert all(keys.code(character) for character in mixed)
        assert not keys.code("a")
        keys.close()
        reader.close()


def test_a_missing_display_is_one_sentence(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":65000")
    with pytest.raises(spare_keys.TourError, match="cannot be changed"):
        spare_keys.SpareKeys()


_FIELD = """
import sys, time
from PySide6.QtWidgets import QApplication, QLineEdit

class Field(QLineEdit):
    def keyPressEvent(self, event):
        time.sleep(0.02)  # a window that is behind with its events
        super().keyPressEvent(event)

app = QApplication(["field"])
field = Field()
field.textChanged.connect(lambda text: open(sys.argv[1], "w", encoding="utf-8").write(text))
app.focusChanged.connect(lambda before, after: after and open(sys.argv[1], "w"))
field.show()
field.activateWindow()
app.exec()
"""


def wait_until(condition):
    limit = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.01)


def test_a_slow_window_sees_every_character_of_texts_that_recycle_keys(tmp_path, monkeypatch):
    typed = tmp_path / "typed"
    with xserver.XServer(tmp_path) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        environment = {**os.environ, "QT_QPA_PLATFORM": "xcb"}
        field = subprocess.Popen([sys.executable, "-c", _FIELD, typed], env=environment)
        try:
            wait_until(typed.exists)
            keys = spare_keys.SpareKeys()
            text = "".join(chr(0x4E00 + 7 * number) for number in range(3 * spare_keys_of(keys)))
            pieces = list(keys.pieces("plain " + text))
            assert "".join(pieces) == "plain " + text
            assert len(pieces) == 3
            for piece in pieces:
                keys.prepare(piece)
                codes = [str(keys.code(character)) for character in piece if character in text]
                subprocess.run(["xdotool", "key", "--delay", "1", *codes], check=True)
            keys.close()
            wait_until(lambda: len(typed.read_text(encoding="utf-8")) >= len(text))
            assert typed.read_text(encoding="utf-8") == text
        finally:
            field.terminate()
            field.wait()
