"""What Waymark keeps for a person is closed to other accounts, whatever the umask and whatever was there."""

from __future__ import annotations

import logging
import os
import stat
import sys
from pathlib import Path

import pytest

from collector.anomalies.journal import UndoJournal
from collector.anomalies.trust.trust import TrustBook
from collector.crash_reports.crash_reports import write_report
from collector.endpoint.key_store import KeyStore
from collector.host.user_folders import config_folder, log_folder, state_folder
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project
from studio.app.logs import start_logging
from studio.settings import Settings
from tests.helpers.memory_keyring import MemoryKeyring, use_keyring

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")


@pytest.fixture
def careless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A umask that opens everything, and folders that an older version left open."""
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    before = os.umask(0)
    yield tmp_path / "home"
    os.umask(before)


def open_to_others(folder: Path) -> dict[str, str]:
    modes = {path: stat.S_IMODE(path.lstat().st_mode) for path in (folder, *folder.rglob("*"))}
    return {str(path.relative_to(folder)): oct(mode) for path, mode in modes.items() if mode & 0o077}


def test_files_and_folders_of_state_are_private(careless):
    TrustBook().trust("project", ["rm"])
    journal = UndoJournal("phone")
    journal.hold()
    journal.close()
    with use_keyring(MemoryKeyring()):
        KeyStore().set("mine", "value")
    settings = Settings()
    settings.set("recording.author", "lin")
    settings.save()
    write_report(log_folder(), "x", "x", "here", log_folder() / "none.log")
    assert {path.name for path in state_folder().iterdir()} >= {"trusted.json", "anomalies", "logs"}
    assert {path.name for path in config_folder().iterdir()} >= {"keys.json", "settings.yaml"}
    assert open_to_others(state_folder()) == {}
    assert open_to_others(config_folder()) == {}


def test_log_files_are_private(careless, monkeypatch):
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    level = root.level
    path = start_logging()
    try:
        logging.getLogger("x").info("said")
        assert path.read_text("utf-8").endswith("x: said\n")
        assert open_to_others(state_folder()) == {}
    finally:
        for handler in root.handlers:
            handler.close()
        root.setLevel(level)


def test_the_catalogue_of_a_project_that_can_only_be_read_is_private(careless, monkeypatch):
    project = Project.create(careless.parent / "project", "project")
    monkeypatch.setattr("collector.store.files.access.is_read_only", lambda _folder: True)
    with Catalogue(Project.open(project.folder)):
        assert list(state_folder().rglob("catalogue.db"))
        assert open_to_others(state_folder()) == {}
