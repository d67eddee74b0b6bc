"""What the desktop would run is not opened on it."""

from __future__ import annotations

import os

import pytest

from studio.bridge import desktop


@pytest.fixture
def opened(monkeypatch):
    urls = []
    monkeypatch.setattr(
        desktop.QDesktopServices, "openUrl", lambda url: urls.append(url.toLocalFile()) or True
    )
    return urls


@pytest.mark.parametrize("name", ["quick.yaml", "runner.log", "page.HTML", "tour.mp4"])
def test_documents_and_folders_are_opened(opened, tmp_path, name):
    (tmp_path / name).touch()
    assert desktop.open_on_desktop(tmp_path / name)
    assert desktop.open_on_desktop(tmp_path)
    assert opened == [str(tmp_path / name), str(tmp_path)]


@pytest.mark.parametrize(
    "name", ["quick.desktop", "a.exe", "a.sh", "a.jar", "a.command", "a.yaml.lnk", "noname"]
)
def test_what_may_be_a_program_is_not(opened, tmp_path, name):
    (tmp_path / name).touch()
    assert not desktop.open_on_desktop(tmp_path / name)
    assert opened == []


def test_a_link_counts_as_what_it_leads_to(opened, tmp_path):
    (tmp_path / "a.sh").touch()
    (tmp_path / "quick.yaml").symlink_to(tmp_path / "a.sh")
    assert not desktop.open_on_desktop(tmp_path / "quick.yaml")


def test_a_bundle_of_macos_is_not_opened(opened, tmp_path, monkeypatch):
    (tmp_path / "trajectories.app").mkdir()
    monkeypatch.setattr(desktop.sys, "platform", "darwin")
    assert not desktop.open_on_desktop(tmp_path / "trajectories.app")
    assert desktop.open_on_desktop(tmp_path)


def test_a_program_of_the_current_folder_does_not_open_it(opened, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", os.pathsep.join([".", "", "/usr/bin"]))
    assert desktop.open_on_desktop(tmp_path)
    assert os.environ["PATH"] == "/usr/bin"
