"""What is tried in clean systems, and what is skipped with its reason; no system is made."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.helpers.scripts import ROOT, script

clean_systems = script("packaging", "clean_systems")


def test_each_way_has_a_script() -> None:
    found = {path.stem for path in (ROOT / "packaging" / "installing").glob("*.sh")}
    assert found == {*clean_systems.WAYS, "enter", "person"}


def test_the_archive_is_the_one_of_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = "Debian http://archive.example/debian-security/\nDebian http://archive.example/debian/\n"
    monkeypatch.setattr(clean_systems.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(
        clean_systems.subprocess, "run", lambda words, **_: subprocess.CompletedProcess(words, 0, listed, "")
    )
    debian, _trixie, ubuntu = clean_systems.SYSTEMS
    assert clean_systems.mirror_of(debian, {}) == "http://archive.example/debian/"
    assert clean_systems.mirror_of(ubuntu, {"ubuntu": "http://other.example/"}) == "http://other.example/"
    assert clean_systems.mirror_of(ubuntu, {}) == "http://archive.ubuntu.com/ubuntu/"


def test_a_suite_that_debootstrap_does_not_know_is_made_like_an_older_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[list[str]] = []

    def answer(words: list[str], **_how: object) -> subprocess.CompletedProcess[str]:
        asked.append(words)
        return subprocess.CompletedProcess(words, 1 if words[0] == "debootstrap" else 0, "", "")

    monkeypatch.setattr(clean_systems, "PLACE", tmp_path)
    monkeypatch.setattr(clean_systems, "DEBOOTSTRAP_SCRIPTS", tmp_path)
    monkeypatch.setattr(clean_systems.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(clean_systems.subprocess, "run", answer)
    with pytest.raises(clean_systems.CleanSystemError, match=r"debootstrap of \S+ gave 1"):
        clean_systems.make_root(clean_systems.SYSTEMS[2], {"ubuntu": "http://ubuntu.example/"})
    assert asked[-1][-4:] == ["noble", str(tmp_path / "noble"), "http://ubuntu.example/", "gutsy"]


def test_what_cannot_be_tried_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(clean_systems, "PLACE", tmp_path / "systems")
    monkeypatch.setattr(clean_systems, "ROOT", tmp_path)
    monkeypatch.setattr(clean_systems, "why_not_here", lambda: "")
    for system in clean_systems.SYSTEMS[:2]:
        system.root.mkdir(parents=True)
        (system.root / "waymark-ready").touch()
    monkeypatch.setattr(clean_systems, "mirror_of", _no_archive)
    assert clean_systems.main(["--way", "deb"]) == 0
    first, _second, third = capsys.readouterr().out.splitlines()
    assert first.startswith(
        "Debian 12: the .deb with apt: skipped: it was not built; run `make freeze` first"
    )
    assert third == "Ubuntu 24.04: skipped: there is no archive"


def _no_archive(_origin: str, _given: object) -> str:
    raise clean_systems.CleanSystemError("there is no archive")
