"""The companion app is built the same each time, and compared with the shipped one where nobody can sign."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from collector.model.companion.activities import ACTIVITIES
from tests.helpers.scripts import script

build_companion = script("packaging/companion", "build_companion")
try_companion = script("packaging/companion", "try_companion")


def apk(path: Path, entries: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An app in the place of the one shipped, with its hash."""
    place = tmp_path / "companion.apk"
    apk(place, {"classes.dex": b"code", "META-INF/COMPANIO.RSA": b"signature"})
    hash_file = tmp_path / "companion.apk.sha256"
    hash_file.write_text(build_companion.hash_line(place), encoding="utf-8")
    monkeypatch.setattr(build_companion, "ROOT", tmp_path)
    monkeypatch.setattr(build_companion, "SHIPPED", place)
    monkeypatch.setattr(build_companion, "HASH", hash_file)
    monkeypatch.setenv("WAYMARK_COMPANION_KEY", str(tmp_path / "no-key"))
    return place


def test_the_same_contents_keep_the_signature(
    tmp_path: Path, shipped: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = shipped.read_bytes()
    assert build_companion.compare(apk(tmp_path / "built.apk", {"classes.dex": b"code"})) == 0
    assert "same contents" in capsys.readouterr().out
    assert shipped.read_bytes() == before


def test_what_differs_is_said_entry_by_entry(
    tmp_path: Path, shipped: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built = apk(tmp_path / "built.apk", {"classes.dex": b"new", "resources.arsc": b""})
    assert build_companion.compare(built) == 1
    said = capsys.readouterr().err
    assert "other content: classes.dex" in said
    assert "only built: resources.arsc" in said
    assert str(tmp_path / "no-key") in said


@pytest.mark.usefixtures("shipped")
def test_a_shipped_file_without_its_hash_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build_companion.HASH.write_text("0  companion.apk\n", encoding="utf-8")
    assert build_companion.compare(apk(tmp_path / "built.apk", {"classes.dex": b"code"})) == 1
    assert "restore both with git" in capsys.readouterr().err


def test_the_archive_has_a_fixed_order_and_time(tmp_path: Path) -> None:
    resources = apk(tmp_path / "resources.apk", {"resources.arsc": b"t" * 99, "AndroidManifest.xml": b"m"})
    dex = tmp_path / "classes.dex"
    dex.write_bytes(b"code")
    build_companion.pack(tmp_path / "one.apk", resources, dex)
    with zipfile.ZipFile(tmp_path / "one.apk") as archive:
        entries = archive.infolist()
    names = ["AndroidManifest.xml", build_companion.SOURCES_ENTRY, "classes.dex", "resources.arsc"]
    assert [entry.filename for entry in entries] == names
    assert {entry.date_time for entry in entries} == {build_companion.FIXED_TIME}
    assert entries[3].compress_type == zipfile.ZIP_STORED


def test_no_key_is_made_over_another(tmp_path: Path) -> None:
    key = tmp_path / "key.p12"
    key.write_bytes(b"key")
    with pytest.raises(build_companion.BuildError, match="every phone has to uninstall"):
        build_companion.make_key(key)
    assert key.read_bytes() == b"key"


def test_missing_tools_are_named_with_their_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_companion.shutil, "which", lambda name: None if name == "aapt" else name)
    monkeypatch.setattr(build_companion.system_packages, "install", lambda packages: False)
    with pytest.raises(build_companion.BuildError, match=r"aapt missing; .* aapt p7zip-full"):
        build_companion.require_tools()


def test_packages_that_need_a_password_are_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    packages = build_companion.system_packages
    monkeypatch.setattr(packages, "apt_prefix", lambda: None)
    assert not packages.install(["aapt"])


def test_the_app_is_compared_with_every_part_of_the_contract() -> None:
    assert try_companion.contract_table()["views"].keys() == ACTIVITIES.keys()
