"""A source distribution has the same bytes, whoever builds it, when and where."""

from __future__ import annotations

import os
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.helpers.scripts import script

reproducible = script("packaging", "reproducible")
TIME = 1_700_000_000


def _archive(place: Path, *, mode: int, names: tuple[str, ...]) -> Path:
    """An archive of two files in an order, with the rights of somebody's umask, as of now."""
    place.mkdir()
    for name in names:
        (place / name).write_text(name)
        (place / name).chmod(mode)
    file = place / "a.tar.gz"
    with tarfile.open(file, "w:gz") as archive:
        for name in names:
            archive.add(place / name, name)
    return file


def test_order_rights_owners_and_times_do_not_matter(tmp_path: Path) -> None:
    one = _archive(tmp_path / "one", mode=0o600, names=("a", "b"))
    two = _archive(tmp_path / "two", mode=0o664, names=("b", "a"))
    for archive in (one, two):
        reproducible.repack(archive, TIME)
    assert one.read_bytes() == two.read_bytes()
    with tarfile.open(one) as archive:
        assert {(member.mtime, member.uid, member.mode) for member in archive} == {(TIME, 0, 0o644)}


def test_what_git_ignores_is_not_built_into_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    root = tmp_path / "root"
    root.mkdir()
    for name, text in (("kept", ""), ("lies-about", ""), (".gitignore", "lies-about\n")):
        (root / name).write_text(text)
    who = ["-c", "user.name=a", "-c", "user.email=a@b.invalid"]
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "kept"], cwd=root, check=True)
    dated = os.environ | {"GIT_COMMITTER_DATE": f"{TIME} +0900"}
    subprocess.run(["git", *who, "commit", "-qm", "a"], cwd=root, check=True, env=dated)
    assert reproducible.time_of_sources(root) == TIME
    reproducible.copy_sources(root, tmp_path / "copy")
    assert {path.name for path in (tmp_path / "copy").iterdir()} == {"kept", ".gitignore"}
