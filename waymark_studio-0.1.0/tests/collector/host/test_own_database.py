"""Caches that came with a project are not read: not what they say, and not what they would run."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import sys
from pathlib import Path

import pytest

from collector.host.own_database import connect, is_own, mark_own
from collector.host.user_folders import state_folder
from collector.rules.columns.dump_cache import DumpCache
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS key, x AS sheet FROM n"


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))


@pytest.fixture
def made(tmp_path) -> Path:
    path = tmp_path / "cache.db"
    connection = connect(path, 1)
    connection.execute("CREATE TABLE kept (x)")
    mark_own(connection, path)
    connection.commit()
    connection.close()
    return path


def is_read(path: Path) -> bool:
    connection = connect(path, 1)
    try:
        return is_own(connection, path)
    except sqlite3.DatabaseError:
        return False
    finally:
        connection.close()


def test_a_cache_of_this_account_is_read(made):
    assert is_read(made)


def test_a_cache_of_another_account_is_not(made, monkeypatch, tmp_path):
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "other"))
    assert not is_read(made)


def test_a_cache_that_was_sent_back_is_not(made, tmp_path):
    copy = tmp_path / "elsewhere.db"
    shutil.copy(made, copy)
    assert not is_read(copy)


@pytest.mark.parametrize("change", [
    "CREATE VIEW more AS SELECT 1", "DROP TABLE kept", "UPDATE made_here SET mark = 'x'",
    "DELETE FROM made_here",
    "CREATE TRIGGER t AFTER INSERT ON kept BEGIN DELETE FROM kept; END", "CREATE INDEX i ON kept (x)",
    "DROP TABLE made_here", "ALTER TABLE kept ADD COLUMN y GENERATED ALWAYS AS (x + 1)",
])  # fmt: skip
def test_a_cache_whose_tables_were_changed_is_not(made, change):
    with sqlite3.connect(made) as connection:
        connection.execute(change)
    connection.close()
    assert not is_read(made)


def test_what_is_no_database_is_not(tmp_path):
    path = tmp_path / "cache.db"
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    assert not is_read(path)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_the_secret_is_kept_privately(made):
    assert stat.S_IMODE((state_folder() / "caches.key").stat().st_mode) == 0o600


def foreign(path: Path, version: int, view: str) -> None:
    """A cache in which a query of ``view`` has no end."""
    path.parent.mkdir(exist_ok=True)
    with sqlite3.connect(path) as connection:
        connection.execute(f"CREATE VIEW {view} AS {ENDLESS}")
        connection.execute("CREATE TABLE made_here (mark TEXT)")
        connection.execute("INSERT INTO made_here VALUES ('x')")
        connection.execute(f"PRAGMA user_version = {version}")
    connection.close()


def test_a_project_with_an_endless_catalogue_is_listed(tmp_path):
    from collector.store.catalogue.catalogue_database import VERSION

    project = Project.create(tmp_path / "project")
    foreign(project.paths.catalogue, VERSION, "tasks")
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        assert catalogue.count("") == 0


def test_an_endless_cache_of_dumps_is_made_anew(tmp_path):
    path = tmp_path / "dumps.db"
    foreign(path, 1, "sheets")
    with DumpCache(path) as cache:
        assert cache.get("a") is None
    assert is_read(path)
