"""The version of a project is raised before a newer file is written, whatever was read of it before."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from collector.store.files import format_versions as versions
from collector.store.files import yaml_files
from collector.store.files.disk import Disk
from collector.store.files.errors import FromTheFuture
from collector.store.files.layout import PROJECT_FILE
from collector.store.files.project_version import raise_version_around
from collector.store.project.project import Project


def _write_version(settings: Path, version: int) -> None:
    newest = versions.PROJECT.version
    settings.write_text(settings.read_text().replace(f"version: {newest}", f"version: {version}"))


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    return Project.create(tmp_path / "p").folder / PROJECT_FILE


@pytest.mark.parametrize("is_long_ago", [False, True])
def test_an_older_version_is_raised_also_after_it_was_the_newest(
    settings: Path, monkeypatch: pytest.MonkeyPatch, is_long_ago: bool
) -> None:
    now = time.time_ns
    if is_long_ago:
        monkeypatch.setattr(time, "time_ns", lambda: now() + 10**10)
    newest, inside = versions.PROJECT.version, settings.parent / "trajectories"
    for version in (newest, newest - 1, newest, newest - 1):
        _write_version(settings, version)
        os.utime(settings, ns=(settings.stat().st_atime_ns, now()))
        raise_version_around(inside, Disk())
        assert yaml_files.load(settings)["version"] == newest


def test_a_newer_version_is_refused_also_after_it_was_the_newest(
    settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: now() + 10**10)
    raise_version_around(settings.parent / "trajectories", Disk())
    _write_version(settings, 999)
    with pytest.raises(FromTheFuture):
        raise_version_around(settings.parent / "trajectories", Disk())


def test_each_project_is_raised_though_relative_paths_are_equal(
    settings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: now() + 10**10)
    other = Project.create(tmp_path / "q").folder / PROJECT_FILE
    for each in (settings, other):
        _write_version(each, versions.PROJECT.version - 1)
        monkeypatch.chdir(each.parent)
        for name in ("a", "b"):
            raise_version_around(Path("trajectories", "task", name), Disk())
        assert yaml_files.load(each)["version"] == versions.PROJECT.version
