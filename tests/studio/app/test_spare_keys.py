"""Characters that no key has get one that stays theirs, whatever is typed after them."""

from __future__ import annotations

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
        long = "".join(chr(0x4E00 + number) for number in range(3 * spare))
        keys.prepare(long)
        assert not keys._free
        assert len(keys._given) == spare
        assert symbols(keys, long[:spare]) <= keys._symbols
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
