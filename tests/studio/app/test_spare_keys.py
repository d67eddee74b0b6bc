"""Characters that no key has get one that stays theirs, whatever is typed after them."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from studio.app.demo import spare_keys, xserver

pytestmark = pytest.mark.skipif(not xserver.is_available(), reason="needs Xvfb and xdotool")


def symbols(keys, text):
    return {keys._xkb.xkb_utf32_to_keysym(ord(character)) for character in text}


def test_characters_keep_the_keys_they_got(tmp_path, monkeypatch):
    with xserver.XServer(tmp_path) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        keys = spare_keys.SpareKeys()
        spare = len(keys._free)
        assert spare > 8
        keys.prepare("plain ASCII needs none")
        assert len(keys._free) == spare
        keys.prepare("我会晚到“十分钟” 🙏我")
        given = keys._given.copy()
        assert len(given) == 10
        keys.prepare("钟分十")
        assert sorted(keys._given) == sorted(given)
        reader = spare_keys.SpareKeys()
        assert symbols(reader, "我会晚到“十分钟” 🙏 plain") <= reader._symbols
        long = "".join(chr(0x4E00 + number) for number in range(spare))
        keys.prepare(long)  # nobody has the input focus, so there is nobody to wait for
        assert not keys._free
        assert len(keys._given) == spare
        assert symbols(keys, long) <= keys._symbols
        assert not symbols(keys, "我") & keys._symbols
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
            text = "".join(chr(0x4E00 + 7 * number) for number in range(3 * len(keys._free)))
            pieces = list(keys.pieces("plain " + text))
            assert "".join(pieces) == "plain " + text
            assert len(pieces) == 3
            for piece in pieces:
                keys.prepare(piece)
                codes = [str(keys.code(character)) for character in piece if character in text]
                subprocess.run(["xdotool", "key", "--delay", "1", *codes], check=True)
            keys._wait_for_client()
            keys.close()
            wait_until(lambda: len(typed.read_text(encoding="utf-8")) >= len(text))
            assert typed.read_text(encoding="utf-8") == text
        finally:
            field.terminate()
            field.wait()
