"""What `waymark-studio` opens, and what it says on a system that lacks a library."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from collector.host import window_libraries
from collector.model.errors import UserError
from studio.app import entry, qt_loading
from studio.app.verbs import ProjectPlace


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What the command is asked to do."""
    words: list[list[str]] = []
    monkeypatch.setattr(entry, "waymark", lambda given: words.append(given) or 0)
    return words


def test_places_are_opened_and_verbs_are_run(asked: list[list[str]], tmp_path: Path) -> None:
    places = [str(tmp_path), f"{tmp_path}/project.yaml", "file:///x/project.yaml", "waymark://p/t", "--theme"]
    for first in [*places, "demo"]:
        entry.main([first])
    entry.main([])
    assert asked == [*(["studio", place] for place in places), ["demo"], ["studio"]]


def test_the_file_of_a_project_stands_for_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "a project"
    folder.mkdir()
    (folder / "project.yaml").touch()
    place = ProjectPlace(file_okay=False)
    for named in (folder, folder / "project.yaml", (folder / "project.yaml").as_uri(), folder.as_uri()):
        assert place.convert(str(named), None, None) == str(folder)
    (folder / "other.yaml").touch()
    with pytest.raises(Exception, match=r"is a file"):
        place.convert(str(folder / "other.yaml"), None, None)


def test_missing_libraries_are_named_with_their_packages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plugin = tmp_path / "platforms" / "libqxcb.so"
    plugin.parent.mkdir()
    plugin.write_bytes(b"")
    real = ctypes.CDLL

    def load(name: str) -> object:
        if name == str(plugin):
            raise OSError("libxcb-cursor.so.0: cannot open shared object file: No such file or directory")
        if name in ("libEGL.so.1", "libxcb-cursor.so.0"):
            raise OSError(name)
        return real(None)

    monkeypatch.setattr(window_libraries.ctypes, "CDLL", load)
    monkeypatch.setattr(qt_loading, "find_program", lambda _name: Path("/usr/bin/apt-get"))
    monkeypatch.setattr(qt_loading.sys, "platform", "linux")
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr("PySide6.QtCore.QLibraryInfo.path", lambda _place: str(tmp_path))
    with pytest.raises(UserError) as refused:
        qt_loading.load_qt()
    assert str(refused.value) == (
        "The window cannot open: this system lacks libEGL.so.1, libxcb-cursor.so.0. "
        "Type sudo apt-get install libegl1 libxcb-cursor0"
    )
    monkeypatch.setattr(qt_loading, "find_program", lambda _name: None)
    with pytest.raises(UserError, match="Install what Debian calls libegl1 libxcb-cursor0"):
        qt_loading.load_qt()
