"""Folders of the person: their places, and that no other account can read or prepare them."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import pytest

from collector.host import user_folders
from collector.host.private_files import make_private_folder
from collector.host.user_folders import close_user_folders, runtime_folder, state_folder

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="accounts and permissions of POSIX")


@pytest.fixture
def short_folder():
    """Sockets need short paths, and those of pytest are long."""
    with tempfile.TemporaryDirectory(prefix="wm-") as folder:
        yield Path(folder)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_runtime_folder_is_in_that_of_the_login_session(short_folder, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short_folder))
    folder = runtime_folder()
    assert folder == short_folder / "waymark-studio"
    assert mode(folder) == 0o700
    assert runtime_folder() == folder


@pytest.mark.parametrize("given", ["", "run", "/nowhere/at/all"])
def test_without_a_login_session_it_is_one_of_this_account(short_folder, monkeypatch, given):
    monkeypatch.setenv("XDG_RUNTIME_DIR", given)
    monkeypatch.setattr(tempfile, "tempdir", str(short_folder))
    folder = runtime_folder()
    assert folder in (
        Path(f"/run/user/{os.getuid()}/waymark-studio"),
        short_folder / f"waymark-studio-{os.getuid()}",
    )
    assert mode(folder) == 0o700
    assert folder.stat().st_uid == os.getuid()


def open_to_others(place: Path) -> None:
    place.mkdir()
    place.chmod(0o777)


def a_link(place: Path) -> None:
    target = place.with_name("elsewhere")
    target.mkdir(mode=0o700)
    place.symlink_to(target)


def a_file(place: Path) -> None:
    place.touch()


@pytest.mark.parametrize("prepare", [open_to_others, a_link, a_file])
def test_a_folder_that_somebody_prepared_is_not_taken(short_folder, monkeypatch, prepare):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short_folder))
    monkeypatch.setattr(user_folders, "_runtime_places", lambda: iter([(short_folder, "waymark-studio")]))
    monkeypatch.setenv("WAYMARK_HOME", str(short_folder / "home"))
    prepare(short_folder / "waymark-studio")
    folder = runtime_folder()
    assert folder == state_folder() / "runtime"
    assert mode(folder) == 0o700


def test_a_folder_of_another_account_is_not_taken(short_folder, monkeypatch):
    monkeypatch.setattr(user_folders, "_runtime_places", lambda: iter([(short_folder, "waymark-studio")]))
    monkeypatch.setenv("WAYMARK_HOME", str(short_folder / "home"))
    (short_folder / "waymark-studio").mkdir(mode=0o700)
    account = os.getuid()
    monkeypatch.setattr(user_folders.os, "getuid", lambda: account + 1)
    assert runtime_folder() == state_folder() / "runtime"


def test_private_folders_are_closed_whatever_the_umask(tmp_path):
    before = os.umask(0)
    try:
        make_private_folder(tmp_path / "a" / "b")
    finally:
        os.umask(before)
    assert mode(tmp_path / "a") == mode(tmp_path / "a" / "b") == 0o700


def test_folders_that_older_versions_left_open_are_closed(tmp_path, monkeypatch):
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path))
    for kind in ("config", "state", "cache"):
        (tmp_path / kind).mkdir(mode=0o755)
    close_user_folders()
    assert {mode(tmp_path / kind) for kind in ("config", "state", "cache")} == {0o700}
    assert not (tmp_path / "data").exists()


def test_a_folder_that_is_there_for_all_accounts_stays_open(tmp_path):
    """As root, a file right below /tmp would else close /tmp."""
    shared, own = tmp_path / "shared", tmp_path / "own"
    for folder, bits in ((shared, 0o1777), (own, 0o777)):
        folder.mkdir()
        folder.chmod(bits)
        make_private_folder(folder)
    assert mode(shared) == 0o1777
    assert mode(own) == 0o700
