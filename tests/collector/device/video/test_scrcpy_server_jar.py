"""The server that a phone gets: the one somebody chose, otherwise the newest on this computer."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from collector.device.errors import ScrcpyFailed
from collector.device.health.host_checks import check_scrcpy
from collector.device.video import scrcpy_server_jar
from collector.device.video.scrcpy_server_jar import find_server_jar, jar_version, usable_server_jars


def made(path: Path, version: str) -> Path:
    """A file with what says a server's version in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as jar:
        jar.writestr("classes.dex", f"The server version ({version}) does not match the client")
    return path


@pytest.fixture
def computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A computer with no server but the program's own, 3.3.3."""
    monkeypatch.delenv("SCRCPY_SERVER_PATH", raising=False)
    monkeypatch.setenv("WAYMARK_ASSETS", str(tmp_path / "assets"))
    monkeypatch.setattr(scrcpy_server_jar, "find_program", lambda _name: tmp_path / "scrcpy" / "scrcpy")
    monkeypatch.setattr(scrcpy_server_jar.importlib.util, "find_spec", lambda _name: None)
    made(tmp_path / "assets/scrcpy/scrcpy-server-v3.3.3.jar", "3.3.3")
    return tmp_path


def test_the_programs_own_server_is_used_unless_an_installed_one_is_newer(computer: Path) -> None:
    own = check_scrcpy()
    assert (own.what, own.why) == ("scrcpy server 3.3.3", "it comes with Waymark Studio")
    installed = made(computer / "scrcpy/scrcpy-server", "2.7")
    assert str(find_server_jar().version) == "3.3.3"
    made(installed, "4.0")
    newer = check_scrcpy()
    assert (newer.what, newer.why) == ("scrcpy server 4.0", "found in an installed scrcpy")
    assert [str(jar.version) for jar in usable_server_jars()] == ["4.0", "3.3.3"]


def test_a_server_that_somebody_named_goes_first_though_it_is_older(
    computer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRCPY_SERVER_PATH", str(made(computer / "named.jar", "1.20")))
    chosen = made(computer / "chosen.jar", "2.4")
    assert [str(jar.version) for jar in usable_server_jars(str(chosen))] == ["2.4", "1.20", "3.3.3"]


def test_what_is_no_server_or_of_an_unknown_protocol_is_not_pushed(computer: Path) -> None:
    made(computer / "assets/scrcpy/scrcpy-server-v3.3.3.jar", "9.0")
    (computer / "scrcpy").mkdir()
    (computer / "scrcpy/scrcpy-server").write_bytes(b"text")
    assert jar_version(computer / "scrcpy/scrcpy-server") is None
    with pytest.raises(ScrcpyFailed, match="SCRCPY_SERVER_PATH"):
        find_server_jar()
