"""The list of installed fonts, and what the fontconfig of Skia's wheel says while it is read."""

from __future__ import annotations

import os

import pytest

from collector.host import installed_fonts
from collector.host.installed_fonts import font_manager

WARNING = b'Fontconfig warning: "05-reset-dirs-sample.conf", line 6: unknown element "reset-dirs"\n'


@pytest.fixture
def wordy_skia(monkeypatch):
    def read_fonts():
        os.write(2, WARNING + b"Fontconfig error: no fonts\n")
        return "fonts"

    monkeypatch.setattr(installed_fonts.skia, "FontMgr", read_fonts)


def test_an_element_of_newer_files_is_not_warned_about_and_errors_are(wordy_skia, capfd):
    assert font_manager.__wrapped__() == "fonts"
    os.write(2, b"later\n")
    assert capfd.readouterr().err == "Fontconfig error: no fonts\nlater\n"


def test_without_room_for_a_file_the_fonts_are_read_all_the_same(wordy_skia, monkeypatch, capfd):
    def full():
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(installed_fonts.tempfile, "TemporaryFile", full)
    assert font_manager.__wrapped__() == "fonts"
    assert "unknown element" in capfd.readouterr().err
