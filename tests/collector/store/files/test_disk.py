"""Files that another program holds for a moment, as virus scanners and indexers of Windows do."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.host import file_moves
from collector.store.files.disk import Disk
from collector.store.files.errors import StoreError

pytestmark = pytest.mark.fault("F36")


@pytest.fixture
def held(monkeypatch):
    """How often a file is held when it is to be replaced, and the pauses until it was tried again."""
    left, pauses = [0], []
    replace = Path.replace

    def refusing(path, target):
        if left[0]:
            left[0] -= 1
            raise PermissionError(13, "in use by another program")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", refusing)
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setattr(file_moves.time, "sleep", pauses.append)
    return left, pauses


def test_a_file_that_is_held_for_a_moment_is_replaced_once_it_is_free(tmp_path, held):
    left, pauses = held
    path = tmp_path / "tasks.yaml"
    left[0] = 3
    Disk().write(path, b"new")
    assert (path.read_bytes(), pauses == sorted(pauses), len(pauses)) == (b"new", True, 3)


def test_a_file_that_stays_held_keeps_its_content_and_the_error_says_so(tmp_path, held):
    left, _pauses = held
    path = tmp_path / "tasks.yaml"
    path.write_bytes(b"old")
    left[0] = 100
    with pytest.raises(StoreError, match=r"tasks\.yaml"):
        Disk().write(path, b"new")
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"old"]
